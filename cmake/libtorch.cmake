# Defines the target rfs_libtorch with LibTorch's headers and libraries. It does not use LibTorch's own CMake package, which
# requires a CUDA toolkit if LibTorch was built with CUDA, as PyPI's build is.
#
#   RFS_TORCH         folder with LibTorch's include/ and lib/; default: that of the Python package `torch`
#   RFS_TORCH_PYTHON  the Python interpreters to search for it, in order; default: python3
#
# This file is also installed, beside rfs-config.cmake.

set(RFS_TORCH "" CACHE PATH "LibTorch's folder, with include/ and lib/; empty: the Python package torch")

# Sets `result` to the version of LibTorch in a folder, or to "" if there is none.
function(rfs_torch_version folder result)
  set(version)
  foreach(header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(EXISTS ${folder}/include/${header} AND NOT version)
      file(STRINGS ${folder}/include/${header} lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
      string(REGEX REPLACE "[^;]*TORCH_VERSION_[A-Z]+ +([0-9]+)" "\\1" numbers "${lines}")
      list(JOIN numbers . version)
    endif()
  endforeach()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

set(torch_folder ${RFS_TORCH})
if(torch_folder)
  rfs_torch_version(${torch_folder} torch_version)
  if(NOT torch_version VERSION_GREATER_EQUAL 2.8)
    message(FATAL_ERROR "RFS_TORCH=${RFS_TORCH}: there is no LibTorch 2.8 or later in this folder (found: '${torch_version}')")
  endif()
else()
  if(NOT RFS_TORCH_PYTHON)
    set(RFS_TORCH_PYTHON python3)
  endif()
  foreach(python ${RFS_TORCH_PYTHON})
    # Without importing torch, which takes seconds and fails if a GPU driver is incomplete.
    execute_process(COMMAND ${python} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
      continue()
    endif()
    rfs_torch_version(${folder} torch_version)
    if(torch_version VERSION_GREATER_EQUAL 2.8)
      set(torch_folder ${folder})
      break()
    endif()
  endforeach()
  if(NOT torch_folder)
    message(FATAL_ERROR "LibTorch 2.8 or later was not found: run tools/setup, or give -DRFS_TORCH=FOLDER (with include/ and lib/)")
  endif()
endif()

set(torch_cuda_library ${torch_folder}/lib/libtorch_cuda.so)
if(NOT TARGET rfs_libtorch)
  add_library(rfs_libtorch INTERFACE IMPORTED)
  target_include_directories(rfs_libtorch SYSTEM INTERFACE ${torch_folder}/include ${torch_folder}/include/torch/csrc/api/include)
  # LibTorch exports parts of an older libstdc++ (std::filesystem). Programs crash if those are linked first.
  target_link_libraries(rfs_libtorch INTERFACE stdc++ ${torch_folder}/lib/libtorch_cpu.so ${torch_folder}/lib/libc10.so)
  if(RFS_CUDA)
    # No code refers to symbols of libtorch_cuda, so without this flag the linker would leave it out.
    target_link_libraries(rfs_libtorch INTERFACE -Wl,--push-state,--no-as-needed ${torch_cuda_library} -Wl,--pop-state
      ${torch_folder}/lib/libc10_cuda.so)
  endif()
endif()
