# SPDX-License-Identifier: Apache-2.0

# BERTH_BUILD_TEXT: what --version adds to the version's number. A package's build passes its own
# version as BERTH_PACKAGE; otherwise it is the commit that is checked out when CMake runs, which it
# does again after every commit.

set(BERTH_PACKAGE "" CACHE STRING "The version of the package that is being built, for --version")
set(BERTH_BUILD_TEXT "")
find_package(Git QUIET)
if(BERTH_PACKAGE)
  set(BERTH_BUILD_TEXT " (package ${BERTH_PACKAGE})")
elseif(GIT_FOUND AND EXISTS "${CMAKE_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse --short=12 HEAD
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE commit RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(BERTH_BUILD_TEXT " (commit ${commit})")
  endif()
  # Git appends to this file whenever HEAD moves.
  execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse --git-path logs/HEAD
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE moves RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(moves "${moves}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  if(NOT failed AND EXISTS "${moves}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${moves}")
  endif()
endif()
