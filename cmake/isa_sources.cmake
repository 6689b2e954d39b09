# Files that are compiled for one instruction set each, from the list in core/isas.def. Which one
# runs is chosen at run time (core/isa.h).
#
# Sets isas_PROCESSOR for each processor, and isa_sources_NAME and isa_flags_NAME for each
# instruction set.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH isa_root)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${isa_root}/core/isas.def)
file(READ ${isa_root}/core/isas.def entries)
string(REGEX MATCHALL "defined\\(__[a-z0-9_]+__\\)|#else|XNORBENCH_ISA\\([^)]*\\)"
  entries "${entries}")
foreach(entry IN LISTS entries)
  if(entry MATCHES "^defined\\(__(.+)__\\)")
    set(of_processor ${CMAKE_MATCH_1})
  elseif(entry MATCHES "^#else")
    set(of_processor other)
  elseif(entry MATCHES "\\(([a-z0-9]+),[^\"]*\"([^\"]*)\"")
    set(isa ${CMAKE_MATCH_1})
    string(REGEX MATCHALL "[^ ]+" isa_flags_${isa} "${CMAKE_MATCH_2}")
    list(TRANSFORM isa_flags_${isa} PREPEND -m)
    if(isa_flags_${isa})
      list(APPEND isa_flags_${isa} -falign-loops=64)
      if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND isa MATCHES "^avx512")
        list(APPEND isa_flags_${isa} -Wno-maybe-uninitialized)  # g++ 12 sees one in its own header
      endif()
    endif()
    list(APPEND isas_${of_processor} ${isa})
    list(APPEND isas ${isa})
  else()
    message(FATAL_ERROR "core/isas.def: not a line of the list: ${entry}")
  endif()
endforeach()

# A file is for the instruction set that its name ends with.
file(GLOB files CONFIGURE_DEPENDS RELATIVE ${isa_root}
  ${isa_root}/core/row_loops_*.cpp ${isa_root}/cpu/kernel_*.cpp ${isa_root}/cpu/peak_rates_*.cpp)
list(REMOVE_ITEM files core/row_loops_baseline.cpp cpu/peak_rates_scalar.cpp)
foreach(file IN LISTS files)
  string(REGEX MATCH "_([a-z0-9]+)[.]cpp$" matched ${file})
  if(NOT CMAKE_MATCH_1 IN_LIST isas)
    message(FATAL_ERROR "${file}: core/isas.def has no instruction set ${CMAKE_MATCH_1}")
  endif()
  list(APPEND isa_sources_${CMAKE_MATCH_1} ${file})
endforeach()

string(REPLACE AMD64 x86_64 processor "${CMAKE_SYSTEM_PROCESSOR}")

# `sources` names a list of files under the folder `root`. Files for this processor get their flags;
# those for another are removed.
macro(choose_isa_sources sources root)
  foreach(isa IN LISTS isas)
    list(TRANSFORM isa_sources_${isa} PREPEND ${root}/)
    if(isa IN_LIST isas_${processor})
      set_source_files_properties(${isa_sources_${isa}} PROPERTIES
        COMPILE_OPTIONS "${isa_flags_${isa}}")
    else()
      list(REMOVE_ITEM ${sources} ${isa_sources_${isa}})
    endif()
  endforeach()
endmacro()
