# SPDX-License-Identifier: Apache-2.0

# For 64-bit ARM, by Debian's cross compiler, against the packages that `sysroot` unpacked; what is
# built runs in QEMU's user mode. Code generators are this machine's own, of the same release.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

get_filename_component(berth_sysroot "${CMAKE_CURRENT_LIST_DIR}/../../build/arm64-sysroot/root" ABSOLUTE)
set(CMAKE_SYSROOT "${berth_sysroot}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${berth_sysroot}")
set(ENV{PKG_CONFIG_LIBDIR} "${berth_sysroot}/usr/lib/aarch64-linux-gnu/pkgconfig:${berth_sysroot}/usr/share/pkgconfig")

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${berth_sysroot}")
