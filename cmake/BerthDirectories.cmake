# SPDX-License-Identifier: Apache-2.0

# GNU's directories, and berth's own below them.

# Whatever the prefix: what an operator writes is looked for in /etc.
set(CMAKE_INSTALL_SYSCONFDIR "/etc" CACHE STRING "Where the folder berth goes: configuration, manifests")
include(GNUInstallDirs)
set(BERTH_CONFIG_DIR "${CMAKE_INSTALL_FULL_SYSCONFDIR}/berth")
