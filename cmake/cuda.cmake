# Looks for what the CUDA module is built from: nvcc, cuBLAS and cuDNN. Sets XNORBENCH_HAVE_CUDA.
#   XNORBENCH_CUDA                AUTO (built when all is there), ON (an error when not) or OFF
#   XNORBENCH_CUDA_ARCHITECTURES  of its machine code; the last one also as PTX for newer devices
#   CUDNN_ROOT                    where cuDNN is, if not beside the toolkit
set(XNORBENCH_CUDA AUTO CACHE STRING "Build the CUDA module: AUTO, ON or OFF")
set_property(CACHE XNORBENCH_CUDA PROPERTY STRINGS AUTO ON OFF)
set(XNORBENCH_CUDA_ARCHITECTURES "75-real;80-real;86-real;89-real;90-real;100-real;120" CACHE STRING
  "CUDA architectures, as CMAKE_CUDA_ARCHITECTURES")
set(XNORBENCH_HAVE_CUDA OFF)
if(NOT XNORBENCH_CUDA)
  return()
endif()

# Often only in the toolkit's folder, not in PATH.
find_program(XNORBENCH_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
set(missing "")
if(NOT XNORBENCH_NVCC)
  list(APPEND missing "nvcc")
else()
  set(CMAKE_CUDA_COMPILER ${XNORBENCH_NVCC})
  set(CMAKE_CUDA_ARCHITECTURES ${XNORBENCH_CUDA_ARCHITECTURES})
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    list(APPEND missing "an nvcc that works with this compiler")
  else()
    enable_language(CUDA)
    find_package(CUDAToolkit QUIET)
    foreach(library cudart_static cublas cublasLt)
      if(NOT TARGET CUDA::${library})
        list(APPEND missing ${library})
      endif()
    endforeach()
    find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${CUDNN_ROOT} ENV CUDNN_ROOT ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
    find_library(CUDNN_LIBRARY cudnn HINTS ${CUDNN_ROOT} ENV CUDNN_ROOT ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
    if(NOT CUDNN_INCLUDE_DIR OR NOT CUDNN_LIBRARY)
      list(APPEND missing cuDNN)
    endif()
  endif()
endif()

list(JOIN XNORBENCH_CUDA_ARCHITECTURES " " XNORBENCH_CUDA_ARCHITECTURES_TEXT)  # for messages
if(NOT missing)
  set(XNORBENCH_HAVE_CUDA ON)
elseif(XNORBENCH_CUDA STREQUAL "ON")
  list(JOIN missing ", " missing)
  message(FATAL_ERROR "XNORBENCH_CUDA=ON, but not found: ${missing}")
endif()
