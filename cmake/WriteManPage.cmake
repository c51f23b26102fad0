# SPDX-License-Identifier: Apache-2.0

# Run by the build, see BerthManPages.cmake: writes the man page FILE from SOURCE, by SCDOC.

# The page is the same whenever it is made: its date is that of the newest entry of CHANGELOG, which
# is what a package's build has in SOURCE_DATE_EPOCH.
if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
  file(STRINGS "${CHANGELOG}" date REGEX "^ -- .*>  " LIMIT_COUNT 1)
  string(REGEX REPLACE "^ -- .*>  " "" date "${date}")
  if(date STREQUAL "")
    message(FATAL_ERROR "${CHANGELOG}: no entry has a date")
  endif()
  execute_process(COMMAND date -u -d "${date}" +%s OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} "${date}")
endif()

execute_process(COMMAND "${SCDOC}" INPUT_FILE "${SOURCE}" OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)

# A field or an option is never broken at the end of a line, where nobody who searches for it finds it.
# scdoc forbids hyphenation too early: .TH allows it again.
string(REGEX REPLACE "(\n\\.TH [^\n]*\n)" "\\1.nh\n.cflags 0 -\n" page "${page}")
file(WRITE "${FILE}" "${page}")
