# SPDX-License-Identifier: Apache-2.0

# gRPC and Protobuf. The kind of gRPC without TLS: all that is said by it here stays on the machine,
# and half as much code is mapped.

if(BERTH_STATIC)
  set(prefix GRPCPP_STATIC)
  set(protobuf_prefix PROTOBUF_STATIC)
else()
  set(prefix GRPCPP)
  set(protobuf_prefix PROTOBUF)
endif()
pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET grpc++_unsecure)
pkg_check_modules(${protobuf_prefix} REQUIRED IMPORTED_TARGET protobuf)
if(BERTH_STATIC)
  # What the shared ones name themselves.
  foreach(name IN ITEMS upb cares address_sorting)
    find_library(BERTH_STATIC_${name} ${name} REQUIRED)
    target_link_libraries(PkgConfig::${prefix} INTERFACE "${BERTH_STATIC_${name}}")
  endforeach()
  target_link_libraries(PkgConfig::${prefix} INTERFACE PkgConfig::ZLIB)
endif()
add_library(berth_grpc INTERFACE)
target_link_libraries(berth_grpc INTERFACE PkgConfig::${prefix} PkgConfig::${protobuf_prefix})
