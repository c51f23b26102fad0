# SPDX-License-Identifier: Apache-2.0

# The man pages, from docs/man by scdoc.

option(BERTH_MAN_PAGES "Make and install the man pages, by scdoc" ON)
if(NOT BERTH_MAN_PAGES)
  return()
endif()

find_program(SCDOC scdoc)
if(NOT SCDOC)
  message(FATAL_ERROR "scdoc, which makes the man pages, is missing: install it (Debian's package is "
    "scdoc), or do without man pages by -DBERTH_MAN_PAGES=OFF.")
endif()

set(man_pages)
foreach(page IN ITEMS berthctl.1 berth-config.5 berthd.8)
  set(source "${PROJECT_SOURCE_DIR}/docs/man/${page}.scd")
  set(file "${PROJECT_BINARY_DIR}/docs/man/${page}")
  set(changelog "${PROJECT_SOURCE_DIR}/debian/changelog")
  set(script "${PROJECT_SOURCE_DIR}/cmake/WriteManPage.cmake")
  add_custom_command(OUTPUT "${file}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DSCDOC=${SCDOC}" "-DSOURCE=${source}" "-DCHANGELOG=${changelog}"
      "-DFILE=${file}" -P "${script}"
    DEPENDS "${source}" "${changelog}" "${script}"
    COMMENT "Man page ${page}")
  list(APPEND man_pages "${file}")
  string(REGEX REPLACE ".*\\." "" section "${page}")
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}")
endforeach()
add_custom_target(berth_man_pages ALL DEPENDS ${man_pages})
