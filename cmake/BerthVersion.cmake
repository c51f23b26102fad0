# SPDX-License-Identifier: Apache-2.0

# What --version adds to the version's number: the package that was built, and the commit with
# "-dirty" if files differ from it. A package's build passes its own version as BERTH_PACKAGE. The
# commit is the one that is checked out, looked up at each build (WriteVersion.cmake); that of an
# archive which git made (archive-commit.txt); or what a build without either passes as BERTH_COMMIT.

set(BERTH_PACKAGE "" CACHE STRING "The version of the package that is being built, for --version")
set(BERTH_COMMIT "" CACHE STRING "The commit that is being built, where git cannot tell, for --version")

# berth_version_source(FILE TEMPLATE): FILE is made from TEMPLATE, and anew when the text changes.
function(berth_version_source file template)
  add_custom_target(berth_version_source BYPRODUCTS "${file}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DPROJECT_VERSION=${PROJECT_VERSION}"
      "-DBERTH_PACKAGE=${BERTH_PACKAGE}" "-DBERTH_COMMIT=${BERTH_COMMIT}"
      "-DTEMPLATE=${template}" "-DFILE=${file}"
      -P "${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake"
    COMMENT "Which build this is")
  add_dependencies(berth_generated berth_version_source)
endfunction()
