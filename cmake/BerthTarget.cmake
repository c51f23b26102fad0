# SPDX-License-Identifier: Apache-2.0

# Targets of berth. A folder's headers can be included only by targets that link one of the
# folder's targets: each folder is visible through an include directory of its own, which holds
# nothing but a link to that folder. So the build itself refuses an arrow that is not allowed.

# Makes `#include "<folder>/..."` work for whoever gets the returned directory.
function(berth_folder_include folder out)
  set(dir "${CMAKE_BINARY_DIR}/include/${folder}")
  if(NOT EXISTS "${dir}/${folder}")
    file(MAKE_DIRECTORY "${dir}")
    file(CREATE_LINK "${CMAKE_SOURCE_DIR}/${folder}" "${dir}/${folder}" SYMBOLIC)
  endif()
  set(${out} "${dir}" PARENT_SCOPE)
endfunction()

function(berth_top_folder out)
  file(RELATIVE_PATH relative "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "/.*" "" folder "${relative}")
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# What is installed is compiled for size: most of the memory that an idle agent holds is its program,
# and GCC 12's -Os makes berthd's a fifth smaller. Only what goes through all nodes for a pod is compiled
# for speed.
set(berth_fast_folders scheduling)
function(berth_optimize name folder)
  if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT folder IN_LIST berth_fast_folders)
    target_compile_options(${name} PRIVATE -Os)
  endif()
endfunction()

# berth_library(name SOURCES a.cpp ... [LINKS targets seen by users] [PRIVATE_LINKS targets])
function(berth_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  berth_top_folder(folder)
  berth_folder_include(${folder} include)
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    berth_optimize(${name} ${folder})
    target_include_directories(${name} PUBLIC "${include}")
    target_link_libraries(${name} PUBLIC berth_options ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE "${include}")
    target_link_libraries(${name} INTERFACE berth_options ${arg_LINKS})
  endif()
endfunction()

# berth_executable(name SOURCES ... LINKS ...)
function(berth_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  berth_top_folder(folder)
  berth_folder_include(${folder} include)
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${include}")
  target_link_libraries(${name} PRIVATE berth_options ${arg_LINKS})
endfunction()

# berth_test_program(name SOURCES ... LINKS ...): a GoogleTest program; the caller adds its tests.
function(berth_test_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  berth_executable(${name} SOURCES ${arg_SOURCES} LINKS ${arg_LINKS} PkgConfig::GTEST berth_test_paths)
  # Each file of tests has helpers of its own, with the same names as others'.
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
endfunction()

# berth_test(name SOURCES ... LINKS ...): a GoogleTest program that ctest runs as one test.
function(berth_test name)
  berth_test_program(${name} ${ARGN})
  add_test(NAME ${name} COMMAND ${name})
  # The kind of test (unit, integration ...) is the folder below tests/ that it lives in.
  file(RELATIVE_PATH relative "${CMAKE_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "/.*" "" kind "${relative}")
  # What ctest shows of a failed one is what failed, not the hundred tests that passed before it.
  # What it left out, and why, is in a file of its own, for the summary of ./dev test.
  set_tests_properties(${name} PROPERTIES LABELS "${kind}"
    ENVIRONMENT "GTEST_BRIEF=1;GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/test-results/")
endfunction()

# Builds all generated sources, for tools that read the code without compiling it.
add_custom_target(berth_generated)

# berth_protobuf(name PROTO file.proto [GRPC] [LINKS schemas it imports]): the messages (and stubs)
# of one schema, in a target of their own, because they are the slowest files to compile and change
# seldom. The schema itself is beside them, as FILE.protoset: the messages are protobuf's lite ones
# and cannot describe themselves.
function(berth_protobuf name)
  cmake_parse_arguments(arg "GRPC" "PROTO" "LINKS" ${ARGN})
  get_filename_component(stem "${arg_PROTO}" NAME_WE)
  berth_top_folder(folder)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/proto")
  set(sources "${out}/${folder}/${stem}.pb.cc")
  set(headers "${out}/${folder}/${stem}.pb.h")
  set(schema "${out}/${folder}/${stem}.protoset")
  set(flags "--cpp_out=${out}" "--descriptor_set_out=${schema}")
  if(arg_GRPC)
    list(APPEND sources "${out}/${folder}/${stem}.grpc.pb.cc")
    list(APPEND headers "${out}/${folder}/${stem}.grpc.pb.h")
    list(APPEND flags "--grpc_out=${out}" "--plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN}")
  endif()
  file(MAKE_DIRECTORY "${out}")
  add_custom_command(
    OUTPUT ${sources} ${headers} ${schema}
    COMMAND ${PROTOC} -I "${CMAKE_SOURCE_DIR}" ${flags} "${folder}/${arg_PROTO}"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${arg_PROTO}"
    COMMENT "Generating ${folder}/${arg_PROTO}"
    VERBATIM)
  add_custom_target(${name}_generated DEPENDS ${sources} ${headers})
  add_dependencies(berth_generated ${name}_generated)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} SYSTEM PUBLIC "${out}")
  target_link_libraries(${name} PUBLIC berth_grpc ${arg_LINKS})
  set_target_properties(${name} PROPERTIES BERTH_SCHEMA "${schema}")
  if(BERTH_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=${BERTH_SANITIZE} -fno-omit-frame-pointer)
  endif()
endfunction()
