# SPDX-License-Identifier: Apache-2.0

# Run by the build, see BerthVersion.cmake: writes FILE from TEMPLATE, with BERTH_BUILD_TEXT.

# git(RESULT WORD...): what git says, FAILED if it fails.
macro(git result)
  execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE ${result}
    RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed)
    set(${result} FAILED)
  endif()
endmacro()

set(commit "${BERTH_COMMIT}")
if(NOT commit)
  file(STRINGS "${SOURCE}/cmake/archive-commit.txt" commit LIMIT_COUNT 1)
  string(SUBSTRING "${commit}" 0 12 commit)
  if(NOT commit MATCHES "^[0-9a-f]+$")
    set(commit "")
  endif()
endif()
# A copy below another checkout is none itself.
if(NOT commit AND EXISTS "${SOURCE}/.git")
  git(commit rev-parse --short=12 HEAD)
  git(differs diff --quiet HEAD --)
  if(commit STREQUAL "FAILED")
    set(commit "")
  elseif(differs STREQUAL "FAILED")
    string(APPEND commit "-dirty")
  endif()
endif()

set(facts "")
if(BERTH_PACKAGE)
  list(APPEND facts "package ${BERTH_PACKAGE}")
endif()
if(commit)
  list(APPEND facts "commit ${commit}")
endif()
list(JOIN facts ", " facts)
set(BERTH_BUILD_TEXT "")
if(facts)
  set(BERTH_BUILD_TEXT " (${facts})")
endif()
configure_file("${TEMPLATE}" "${FILE}" @ONLY)
