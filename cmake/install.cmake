# What `cmake --install BUILD --prefix=PREFIX` puts where. The program finds its data and its CUDA module by their
# places relative to itself (core/files.h), so a prefix can be moved, and these places are fixed.
install(TARGETS xnorbench RUNTIME DESTINATION bin)
# No path of the source or build tree stays in what is installed; those of libraries outside the system's folders do.
set(installed xnorbench)
if(XNORBENCH_HAVE_CUDA)
  list(APPEND installed xnorbench_cuda)
  install(TARGETS xnorbench_cuda LIBRARY DESTINATION lib/xnorbench)
endif()
set_target_properties(${installed} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(DIRECTORY data/ DESTINATION share/xnorbench)
install(FILES LICENSE DESTINATION share/doc/xnorbench)

# The report, under a name of its own beside the program.
install(PROGRAMS scripts/report DESTINATION share/xnorbench/scripts)
install(DIRECTORY scripts/report_lib DESTINATION share/xnorbench/scripts PATTERN __pycache__ EXCLUDE)
install(CODE [[
  set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  file(CREATE_LINK ../share/xnorbench/scripts/report "${prefix}/bin/xnorbench-report" SYMBOLIC)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/bin/xnorbench-report")]])

# The completion asks the program for its words when it is used, the man page is written from --help here.
install(FILES scripts/completion.bash DESTINATION share/bash-completion/completions RENAME xnorbench)
if(NOT CMAKE_CROSSCOMPILING)
  install(CODE "set(man_page \"${PROJECT_SOURCE_DIR}/scripts/man_page\")")
  install(CODE [[
    set(page "${CMAKE_INSTALL_PREFIX}/share/man/man1/xnorbench.1")
    message(STATUS "Installing: $ENV{DESTDIR}${page}")
    file(MAKE_DIRECTORY "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/man/man1")
    execute_process(COMMAND "${man_page}" "${prefix}/bin/xnorbench" OUTPUT_FILE "$ENV{DESTDIR}${page}"
      RESULT_VARIABLE status)
    if(status EQUAL 0)
      list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${page}")
    else()
      file(REMOVE "$ENV{DESTDIR}${page}")
      message(WARNING "No man page: scripts/man_page failed (${status})")
    endif()]])
endif()

# A program in the build tree finds the data beside itself.
if(NOT PROJECT_BINARY_DIR STREQUAL PROJECT_SOURCE_DIR)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/data ${PROJECT_BINARY_DIR}/data SYMBOLIC)
endif()
