# Run at every build: writes build_info.cpp, and touches it only when something changed.
set(GIT_COMMIT unknown)
set(GIT_DIRTY false)
find_package(Git QUIET)
if(EXISTS ${SOURCE_FOLDER}/VERSION)  # unpacked from a bundle (scripts/device_bundle)
  file(STRINGS ${SOURCE_FOLDER}/VERSION commit REGEX "^commit: ")
  string(REPLACE "commit: " "" GIT_COMMIT "${commit}")
elseif(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse HEAD WORKING_DIRECTORY ${SOURCE_FOLDER}
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(GIT_COMMIT ${commit})
    # Results are outputs: a new run does not make the program another one.
    execute_process(COMMAND ${GIT_EXECUTABLE} status --porcelain -- . ":!results" WORKING_DIRECTORY ${SOURCE_FOLDER}
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(GIT_DIRTY true)
    endif()
  endif()
endif()
configure_file(${SOURCE_FOLDER}/cmake/build_info.cpp.in ${OUTPUT} @ONLY)
