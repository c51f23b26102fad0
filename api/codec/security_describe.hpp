// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/security.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/security.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(Capabilities, (), (add, drop))
BOOST_DESCRIBE_STRUCT(SELinuxOptions, (), (user, role, type, level))
BOOST_DESCRIBE_STRUCT(WindowsSecurityContextOptions, (),
                      (gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName, hostProcess))
BOOST_DESCRIBE_STRUCT(SeccompProfile, (), (type, localhostProfile))
constexpr auto printed_when_empty(const SeccompProfile*) {
  return std::to_array<std::string_view>({"type"});
}
BOOST_DESCRIBE_STRUCT(AppArmorProfile, (), (type, localhostProfile))
constexpr auto printed_when_empty(const AppArmorProfile*) {
  return std::to_array<std::string_view>({"type"});
}
BOOST_DESCRIBE_STRUCT(SecurityContext, (),
                      (capabilities, privileged, seLinuxOptions, windowsOptions, runAsUser,
                       runAsGroup, runAsNonRoot, readOnlyRootFilesystem, allowPrivilegeEscalation,
                       procMount, seccompProfile, appArmorProfile))
BOOST_DESCRIBE_STRUCT(Sysctl, (), (name, value))
constexpr auto printed_when_empty(const Sysctl*) {
  return std::to_array<std::string_view>({"name", "value"});
}
BOOST_DESCRIBE_STRUCT(PodSecurityContext, (),
                      (seLinuxOptions, windowsOptions, runAsUser, runAsGroup, runAsNonRoot,
                       supplementalGroups, supplementalGroupsPolicy, fsGroup, sysctls,
                       fsGroupChangePolicy, seccompProfile, appArmorProfile, seLinuxChangePolicy))

}  // namespace berth::api
