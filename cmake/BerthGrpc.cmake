# gRPC and Protobuf. The kind of gRPC without TLS: all that is said by it here stays on the machine,
# and half as much code is mapped.
#
# What is installed has them linked in: as shared objects they are 47 of the 69 that berthd maps, and
# each costs relocations, pages that nothing else uses, and time at every start. All else, tests and
# sanitizers above all, takes them as they are.

if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  set(static_by_default ON)
else()
  set(static_by_default OFF)
endif()
option(BERTH_STATIC_GRPC "Link gRPC and Protobuf into the programs" ${static_by_default})

set(shared_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(BERTH_STATIC_GRPC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a ${shared_suffixes})
  set(prefix GRPCPP_STATIC)
  set(protobuf_prefix PROTOBUF_STATIC)
else()
  set(prefix GRPCPP)
  set(protobuf_prefix PROTOBUF)
endif()
pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET grpc++_unsecure)
pkg_check_modules(${protobuf_prefix} REQUIRED IMPORTED_TARGET protobuf)
if(BERTH_STATIC_GRPC)
  # What the shared ones name themselves.
  foreach(name IN ITEMS upb cares address_sorting)
    find_library(BERTH_STATIC_${name} ${name} REQUIRED)
    target_link_libraries(PkgConfig::${prefix} INTERFACE "${BERTH_STATIC_${name}}")
  endforeach()
  target_link_libraries(PkgConfig::${prefix} INTERFACE PkgConfig::ZLIB)
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES ${shared_suffixes})
add_library(berth_grpc INTERFACE)
target_link_libraries(berth_grpc INTERFACE PkgConfig::${prefix} PkgConfig::${protobuf_prefix})
