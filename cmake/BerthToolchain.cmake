# SPDX-License-Identifier: Apache-2.0

# The language, the warnings, sanitizers, and what makes builds quick. Whoever packages berth gets
# none of the developers' choices: only CMakePresets.json turns warnings into errors and asks for
# ccache and mold.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Headers are most of what is compiled, so eight sources of a target share one reading of them. What is
# local to a source therefore needs a name that its neighbours do not use. The preset `clang` and
# `./dev lint` compile each source by itself, and so find a missing include.
set(CMAKE_UNITY_BUILD ON CACHE BOOL "Compile several sources of a target at once")

# Quick to compile, still good to debug; asserts stay on.
set(CMAKE_CXX_FLAGS_DEV "-Og -g1")
set(CMAKE_EXE_LINKER_FLAGS_DEV "")

set(BERTH_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

option(BERTH_WARNINGS_AS_ERRORS "Refuse code that the compiler warns of" OFF)
set(as_errors)
if(BERTH_WARNINGS_AS_ERRORS)
  set(as_errors -Werror)
endif()

option(BERTH_CCACHE "Compile through ccache, if it is there" OFF)
find_program(ccache_program ccache)
mark_as_advanced(ccache_program)
if(BERTH_CCACHE AND ccache_program)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache_program})
endif()
option(BERTH_MOLD "Link with mold, if it is there" OFF)
find_program(mold_program mold)
mark_as_advanced(mold_program)

add_library(berth_options INTERFACE)
target_compile_options(berth_options INTERFACE
  -Wall -Wextra -Wpedantic ${as_errors} -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Wcast-qual -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough
  -Wno-missing-field-initializers -fdiagnostics-color=auto)
# What is installed leaves out what nobody calls.
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  target_compile_options(berth_options INTERFACE -ffunction-sections -fdata-sections)
  target_link_options(berth_options INTERFACE -Wl,--gc-sections)
endif()
# What is built for use is the same wherever it is built. A developer's debugger looks for the sources,
# but the names that a program itself knows are the same as well: ccache takes objects from other trees.
if(CMAKE_BUILD_TYPE STREQUAL "Dev")
  target_compile_options(berth_options INTERFACE "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
else()
  target_compile_options(berth_options INTERFACE
    "-ffile-prefix-map=${CMAKE_BINARY_DIR}/=" "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=")
endif()
# Beyond -Og GCC 12 sees null dereferences and mismatched deletes in coroutines that are not there.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_BUILD_TYPE STREQUAL "Dev")
  target_compile_options(berth_options INTERFACE -Wno-null-dereference -Wno-mismatched-new-delete)
endif()
# GCC takes what is local to a source for a header's if the source is included by another file.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(berth_options INTERFACE -Wno-subobject-linkage)
endif()
# What libstdc++ 12 deprecates it uses itself, in stable_sort: Clang says so, system header or not.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(berth_options INTERFACE -Wno-deprecated-declarations)
endif()
target_compile_definitions(berth_options INTERFACE
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)
if(BERTH_MOLD AND mold_program)
  target_link_options(berth_options INTERFACE -fuse-ld=mold)
  # What is seldom run stands apart, as GNU's linker has it by default.
  target_link_options(berth_options INTERFACE -Wl,-z,keep-text-section-prefix)
endif()
if(BERTH_SANITIZE)
  target_compile_options(berth_options INTERFACE
    -fsanitize=${BERTH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(berth_options INTERFACE -fsanitize=${BERTH_SANITIZE})
  # Recycled coroutine frames would hide use after free.
  target_compile_definitions(berth_options INTERFACE
    BOOST_ASIO_DISABLE_AWAITABLE_FRAME_RECYCLING)
  # ThreadSanitizer cannot see fences. Asio's stand beside its mutexes, which order as much by
  # themselves.
  if(BERTH_SANITIZE MATCHES "thread")
    target_compile_definitions(berth_options INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
  # Sanitizers make GCC 12 see null dereferences and uninitialised reads that are not there.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(berth_options INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized)
  endif()
endif()
