# SPDX-License-Identifier: Apache-2.0

# Where each file goes, by GNU's directories: `cmake --install`, and the Debian package by it. The
# unit names the program by the prefix with which CMake was configured.

set(BERTH_UNIT_DIR "lib/systemd/system" CACHE STRING "Where the unit goes")
set(BERTH_SYSTEMD_DIR "lib" CACHE STRING "The folder of sysusers.d, tmpfiles.d and the catalogue")

install(TARGETS berthd RUNTIME DESTINATION "${CMAKE_INSTALL_SBINDIR}")
install(TARGETS berthctl RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

configure_file(systemd/berthd.service.in "${CMAKE_BINARY_DIR}/systemd/berthd.service" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/systemd/berthd.service" DESTINATION "${BERTH_UNIT_DIR}")
install(PROGRAMS systemd/berthd-newer-systemd DESTINATION "${BERTH_UNIT_DIR}-generators")
install(FILES systemd/90-berth.preset DESTINATION "${BERTH_UNIT_DIR}-preset")
install(FILES systemd/berth.sysusers DESTINATION "${BERTH_SYSTEMD_DIR}/sysusers.d" RENAME berth.conf)
install(FILES systemd/berth.tmpfiles DESTINATION "${BERTH_SYSTEMD_DIR}/tmpfiles.d" RENAME berth.conf)
install(FILES systemd/berth.catalog DESTINATION "${BERTH_SYSTEMD_DIR}/systemd/catalog")

include(BerthManPages)

set(BERTH_ZSH_DIR "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" CACHE STRING "Where zsh looks for completions")
install(FILES ctl/completions/berthctl.bash
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME berthctl)
install(FILES ctl/completions/_berthctl DESTINATION "${BERTH_ZSH_DIR}")
install(FILES ctl/completions/berthctl.fish
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

# What an operator edits: a configuration that is there already stays as it is.
configure_file(systemd/config.yaml.in "${CMAKE_BINARY_DIR}/systemd/config.yaml" @ONLY)
install(CODE "
  set(there \"\$ENV{DESTDIR}${BERTH_CONFIG_DIR}/config.yaml\")
  if(EXISTS \"\${there}\")
    message(STATUS \"Kept: \${there}\")
  else()
    file(INSTALL \"${CMAKE_BINARY_DIR}/systemd/config.yaml\" DESTINATION \"${BERTH_CONFIG_DIR}\")
  endif()")
install(DIRECTORY DESTINATION "${BERTH_CONFIG_DIR}/config.yaml.d")
install(DIRECTORY DESTINATION "${BERTH_CONFIG_DIR}/manifests"
  DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY examples/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" FILES_MATCHING PATTERN "*.yaml")
