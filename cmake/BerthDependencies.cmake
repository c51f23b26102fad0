# SPDX-License-Identifier: Apache-2.0

# Everything comes from Debian's packages; ./dev deps installs them.
#
# What is installed has its C++ libraries linked in, the language's own too: as shared objects they
# are two thirds of what berthd maps, and each costs relocations, pages that nothing else uses, and
# time at every start. OpenSSL, SQLite, libsystemd, libyaml and zlib stay shared, so that Debian mends
# them. All else, tests and sanitizers above all, takes everything as it is.
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  set(static_by_default ON)
else()
  set(static_by_default OFF)
endif()
option(BERTH_STATIC "Link C++ libraries and small ones into the programs" ${static_by_default})
set(shared_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMD REQUIRED IMPORTED_TARGET libsystemd)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)

if(BERTH_STATIC)
  target_link_options(berth_options INTERFACE -static-libstdc++ -static-libgcc)
  set(Boost_USE_STATIC_LIBS ON)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a ${shared_suffixes})
  # Debian has these two as shared objects and as headers alone.
  add_library(PkgConfig::FMT INTERFACE IMPORTED)
  target_compile_definitions(PkgConfig::FMT INTERFACE FMT_HEADER_ONLY)
  add_library(PkgConfig::SPDLOG INTERFACE IMPORTED)
  target_compile_definitions(PkgConfig::SPDLOG INTERFACE SPDLOG_HEADER_ONLY SPDLOG_FMT_EXTERNAL)
  target_link_libraries(PkgConfig::SPDLOG INTERFACE PkgConfig::FMT)
else()
  pkg_check_modules(SPDLOG REQUIRED IMPORTED_TARGET spdlog)
  pkg_check_modules(FMT REQUIRED IMPORTED_TARGET fmt)
endif()
find_package(Boost 1.81 REQUIRED COMPONENTS json)
pkg_check_modules(NGHTTP2 REQUIRED IMPORTED_TARGET libnghttp2)
# MD5, for uids: OpenSSL sets up 2 MiB of itself for it.
pkg_check_modules(MD REQUIRED IMPORTED_TARGET libmd)
include(BerthGrpc)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${shared_suffixes})

if(BUILD_TESTING)
  pkg_check_modules(GTEST REQUIRED IMPORTED_TARGET gtest_main)
  find_library(RAPIDCHECK rapidcheck REQUIRED)
endif()
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
