# How a folder of rfs/ becomes objects, and objects become libraries.

set(RFS_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC's optimizer sees overlaps and overruns inside std::string and std::vector that are not there (its bugs 105651 and
  # 105329, among others), in another place with each version. The asan preset looks for real ones.
  list(APPEND RFS_WARNINGS -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
  # GCC 13 takes every reference from a function that was given a temporary for one to that temporary.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    list(APPEND RFS_WARNINGS -Wno-dangling-reference)
  endif()
endif()

# The commit is looked up at each build, not once at configuration.
add_custom_target(rfs_commit BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/rfs_commit.h
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${CMAKE_BINARY_DIR}/generated/rfs_commit.h
    -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake)

# One precompiled LibTorch header, built once and shared by every target that uses it.
add_library(rfs_torch_header OBJECT ${PROJECT_SOURCE_DIR}/cmake/torch_header.cpp)

function(rfs_compile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "")
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${RFS_WARNINGS} -fopenmp-simd)
  # LibTorch's headers bring a newer fmt than Debian's library: header-only fmt never clashes with either.
  target_link_libraries(${target} PRIVATE fmt::fmt-header-only nlohmann_json::nlohmann_json Threads::Threads)
  if(RFS_SANITIZE)
    # With sanitizers GCC also sees uninitialised values inside std::regex that are not there.
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
      -fno-omit-frame-pointer -Wno-maybe-uninitialized)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
  if(arg_TORCH)
    if(RFS_CUDA)
      target_include_directories(${target} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS} ${CUBLASLT_INCLUDE})
    endif()
    target_include_directories(${target} SYSTEM BEFORE PRIVATE ${TORCH_INCLUDE_DIRS})
    separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
    target_compile_options(${target} PRIVATE ${torch_flags} -fpch-preprocess)  # the flag lets ccache see through the header
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)  # without it at::parallel_for uses one core
    if(NOT target STREQUAL "rfs_torch_header")
      target_precompile_headers(${target} REUSE_FROM rfs_torch_header)
    endif()
  endif()
endfunction()

rfs_compile(rfs_torch_header TORCH)
target_precompile_headers(rfs_torch_header PRIVATE <torch/types.h>)

# rfs_folder(NAME [TORCH]): the folder's files as an OBJECT library, which keeps units that only register themselves.
function(rfs_folder name)
  file(GLOB files CONFIGURE_DEPENDS rfs/${name}/*.cpp)
  # NAME_cuda.cpp is compiled with CUDA alone, no_cuda.cpp in its place without.
  if(RFS_CUDA)
    list(FILTER files EXCLUDE REGEX "/no_cuda.cpp$")
  else()
    list(FILTER files EXCLUDE REGEX "_cuda.cpp$")
    file(GLOB without rfs/${name}/no_cuda.cpp)
    list(APPEND files ${without})
  endif()
  foreach(off ${RFS_OFF})
    list(REMOVE_ITEM files ${PROJECT_SOURCE_DIR}/rfs/${off}.cpp)
  endforeach()
  add_library(rfs_${name}_objects OBJECT ${files})
  rfs_compile(rfs_${name}_objects ${ARGN})
  if(name STREQUAL "core")
    add_dependencies(rfs_core_objects rfs_commit)
    target_include_directories(rfs_core_objects PRIVATE ${CMAKE_BINARY_DIR}/generated)
    target_compile_definitions(rfs_core_objects PRIVATE RFS_VERSION="${PROJECT_VERSION}"
      RFS_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
    # Header-only, so that nothing has to be found again at run time.
    target_include_directories(rfs_core_objects SYSTEM PRIVATE
      $<TARGET_PROPERTY:tomlplusplus::tomlplusplus,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(rfs_core_objects PRIVATE TOML_HEADER_ONLY=1)
  elseif(name STREQUAL "text")
    foreach(include SENTENCEPIECE_INCLUDE PCRE2_INCLUDE)
      if(${include})
        target_include_directories(rfs_text_objects SYSTEM PRIVATE ${${include}})
      endif()
    endforeach()
  elseif(name STREQUAL "corpus" AND ARCHIVE_INCLUDE)
    target_include_directories(rfs_corpus_objects SYSTEM PRIVATE ${ARCHIVE_INCLUDE})
  elseif(name STREQUAL "train" AND MPI_CXX_FOUND)
    target_link_libraries(rfs_train_objects PRIVATE MPI::MPI_CXX)
  elseif(name STREQUAL "report")
    target_compile_definitions(rfs_report_objects PRIVATE RFS_GNUPLOT="${RFS_GNUPLOT}")
  endif()
endfunction()

# The kernels, rfs/ops/*.cu: raw pointers, no LibTorch header. Part of `rfs` with RFS_CUDA.
function(rfs_kernels)
  if(NOT CMAKE_CUDA_COMPILER)
    return()
  endif()
  file(GLOB files CONFIGURE_DEPENDS rfs/ops/*.cu)
  add_library(rfs_kernel_objects OBJECT ${files})
  target_include_directories(rfs_kernel_objects PRIVATE ${PROJECT_SOURCE_DIR})
  if(RFS_CUDA)
    target_sources(rfs PRIVATE $<TARGET_OBJECTS:rfs_kernel_objects>)
    target_link_libraries(rfs PRIVATE CUDA::cudart ${CUBLASLT_LIBRARY})
    if(NCCL_INCLUDE AND NCCL_LIBRARY)
      target_include_directories(rfs_engine_objects SYSTEM PRIVATE ${NCCL_INCLUDE})
      target_link_libraries(rfs PRIVATE ${NCCL_LIBRARY})
    endif()
  endif()
endfunction()

# rfs_library(NAME FOLDER...): a shared library of those folders.
function(rfs_library name)
  set(objects)
  foreach(folder ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:rfs_${folder}_objects>)
  endforeach()
  add_library(${name} SHARED ${objects})
  add_library(rfs::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  if(RFS_SANITIZE)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# rfs_program(NAME [TORCH] FILES file... LIBRARIES library...): a program. Its files are objects first, compiled with the same
# flags as the libraries', so that they can use the same precompiled header.
function(rfs_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "FILES;LIBRARIES")
  add_library(${name}_objects OBJECT ${arg_FILES})
  if(arg_TORCH)
    rfs_compile(${name}_objects TORCH)
  else()
    rfs_compile(${name}_objects)
  endif()
  add_executable(${name} $<TARGET_OBJECTS:${name}_objects>)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  if(arg_TORCH)
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_CXX)
  endif()
  if(RFS_SANITIZE)
    target_link_options(${name} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()
