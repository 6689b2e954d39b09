# How this project's code is compiled, for every program that is made of it.
set(XNORBENCH_SANITIZE "" CACHE STRING "Sanitizers for everything, for example address,undefined")
option(XNORBENCH_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Float results are part of the definition (docs/method.md): no contraction to FMA, anywhere.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-Wall;-Wextra;-Wpedantic;-Wconversion>")
if(XNORBENCH_WARNINGS_AS_ERRORS)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()
if(XNORBENCH_SANITIZE)
  foreach(option -fsanitize=${XNORBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${option}>")
  endforeach()
  add_link_options(-fsanitize=${XNORBENCH_SANITIZE})
endif()
