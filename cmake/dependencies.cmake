# Finds what the project is built on. tools/setup installs it: system packages, or the same packages unpacked into .deps,
# and LibTorch inside the Python package `torch` of the active Python or of .venv.

if(EXISTS ${PROJECT_SOURCE_DIR}/.deps/usr)
  list(APPEND CMAKE_PREFIX_PATH ${PROJECT_SOURCE_DIR}/.deps/usr)
endif()

find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)

# Optional: a tokenizer whose library is missing is left out, and that is said.
set(RFS_OFF)
find_library(SENTENCEPIECE_LIBRARY sentencepiece)
find_path(SENTENCEPIECE_INCLUDE sentencepiece_processor.h)
if(NOT SENTENCEPIECE_LIBRARY OR NOT SENTENCEPIECE_INCLUDE)
  list(APPEND RFS_OFF text/t5)
  message(STATUS "SentencePiece was not found: the tokenizer t5 is off")
endif()

if(NOT Torch_DIR)
  foreach(python python3 ${PROJECT_SOURCE_DIR}/.venv/bin/python3)
    execute_process(COMMAND ${python} -c "import torch; assert torch.__version__ >= (2, 8); print(torch.utils.cmake_prefix_path)"
      OUTPUT_VARIABLE torch_prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0)
      list(APPEND CMAKE_PREFIX_PATH ${torch_prefix})
      break()
    endif()
  endforeach()
endif()
find_package(Torch 2.8 QUIET)
if(NOT Torch_FOUND)
  message(FATAL_ERROR "LibTorch 2.8 or later was not found: run tools/setup, or give -DTorch_DIR=.../share/cmake/Torch")
endif()
message(STATUS "LibTorch ${Torch_VERSION} in ${TORCH_INSTALL_PREFIX}")

if(RFS_CUDA)
  if(NOT TARGET torch_cuda)
    message(FATAL_ERROR "RFS_CUDA needs LibTorch's CUDA build; the one in ${TORCH_INSTALL_PREFIX} is for the CPU")
  endif()
  enable_language(CUDA)
endif()

find_program(RFS_GNUPLOT gnuplot HINTS ${PROJECT_SOURCE_DIR}/.deps/bin)
find_program(ccache ccache HINTS ${PROJECT_SOURCE_DIR}/.deps/usr/bin)
if(ccache)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ccache})
endif()
