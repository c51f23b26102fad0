// SPDX-License-Identifier: Apache-2.0

// Security contexts of pods and containers (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace berth::api {

struct Capabilities {
  std::vector<std::string> add{};
  std::vector<std::string> drop{};

  bool operator==(const Capabilities&) const = default;
};

struct SELinuxOptions {
  std::string user{};
  std::string role{};
  std::string type{};
  std::string level{};

  bool operator==(const SELinuxOptions&) const = default;
};

struct WindowsSecurityContextOptions {
  std::optional<std::string> gmsaCredentialSpecName{};
  std::optional<std::string> gmsaCredentialSpec{};
  std::optional<std::string> runAsUserName{};
  std::optional<bool> hostProcess{};

  bool operator==(const WindowsSecurityContextOptions&) const = default;
};

struct SeccompProfile {
  std::string type{};
  std::optional<std::string> localhostProfile{};

  bool operator==(const SeccompProfile&) const = default;
};

struct AppArmorProfile {
  std::string type{};
  std::optional<std::string> localhostProfile{};

  bool operator==(const AppArmorProfile&) const = default;
};

struct SecurityContext {
  std::optional<Capabilities> capabilities{};
  std::optional<bool> privileged{};
  std::optional<SELinuxOptions> seLinuxOptions{};
  std::optional<WindowsSecurityContextOptions> windowsOptions{};
  std::optional<std::int64_t> runAsUser{};
  std::optional<std::int64_t> runAsGroup{};
  std::optional<bool> runAsNonRoot{};
  std::optional<bool> readOnlyRootFilesystem{};
  std::optional<bool> allowPrivilegeEscalation{};
  std::optional<std::string> procMount{};
  std::optional<SeccompProfile> seccompProfile{};
  std::optional<AppArmorProfile> appArmorProfile{};

  bool operator==(const SecurityContext&) const = default;
};

struct Sysctl {
  std::string name{};
  std::string value{};

  bool operator==(const Sysctl&) const = default;
};

struct PodSecurityContext {
  std::optional<SELinuxOptions> seLinuxOptions{};
  std::optional<WindowsSecurityContextOptions> windowsOptions{};
  std::optional<std::int64_t> runAsUser{};
  std::optional<std::int64_t> runAsGroup{};
  std::optional<bool> runAsNonRoot{};
  std::vector<std::int64_t> supplementalGroups{};
  std::optional<std::string> supplementalGroupsPolicy{};
  std::optional<std::int64_t> fsGroup{};
  std::vector<Sysctl> sysctls{};
  std::optional<std::string> fsGroupChangePolicy{};
  std::optional<SeccompProfile> seccompProfile{};
  std::optional<AppArmorProfile> appArmorProfile{};
  std::optional<std::string> seLinuxChangePolicy{};

  bool operator==(const PodSecurityContext&) const = default;
};

}  // namespace berth::api
