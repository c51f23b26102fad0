// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "node/admission.hpp"

namespace berth::node {
namespace {

struct SafeSysctl {
  std::string_view name{};
  std::string_view space{};  // the namespace it belongs to
  int major = 0;             // the kernel version since which the sysctl is namespaced
  int minor = 0;
};

// Sysctls that neither expose the host to a pod nor let it harm others.
constexpr std::array kSafe = {
    SafeSysctl{"kernel.shm_rmid_forced", "IPC"},
    SafeSysctl{"net.ipv4.ip_local_port_range", "Net"},
    SafeSysctl{"net.ipv4.tcp_syncookies", "Net"},
    SafeSysctl{"net.ipv4.ping_group_range", "Net"},
    SafeSysctl{"net.ipv4.ip_unprivileged_port_start", "Net"},
    SafeSysctl{"net.ipv4.ip_local_reserved_ports", "Net", 3, 16},
    SafeSysctl{"net.ipv4.tcp_keepalive_time", "Net", 4, 5},
    SafeSysctl{"net.ipv4.tcp_fin_timeout", "Net", 4, 6},
    SafeSysctl{"net.ipv4.tcp_keepalive_intvl", "Net", 4, 5},
    SafeSysctl{"net.ipv4.tcp_keepalive_probes", "Net", 4, 5},
    SafeSysctl{"net.ipv4.tcp_rmem", "Net", 4, 15},
    SafeSysctl{"net.ipv4.tcp_wmem", "Net", 4, 15},
};

bool kernel_at_least(std::string_view kernel, int major, int minor) {
  if (major == 0) return true;
  int has_major = 0;
  int has_minor = 0;
  const char* end = kernel.data() + kernel.size();
  const auto first = std::from_chars(kernel.data(), end, has_major);
  if (first.ptr != end && *first.ptr == '.') std::from_chars(first.ptr + 1, end, has_minor);
  return has_major > major || (has_major == major && has_minor >= minor);
}

std::string dotted(std::string name) {
  const auto separator = name.find_first_of("./");
  if (separator == std::string::npos || name[separator] == '.') return name;
  for (char& c : name) c = c == '/' ? '.' : c == '.' ? '/' : c;
  return name;
}

// The namespace of an unsafe sysctl, by its family.
std::string_view space_of(std::string_view name) {
  if (name.starts_with("net.")) return "Net";
  for (const std::string_view family : {"kernel.shm", "kernel.msg", "kernel.sem", "fs.mqueue."}) {
    if (name.starts_with(family)) return "IPC";
  }
  return "";
}

bool allowed_by(const std::string& written, std::string_view name) {
  const std::string pattern = dotted(written);
  if (pattern.ends_with('*')) {
    return name.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
  }
  return name == pattern;
}

// `std::nullopt` if it is not allowed.
std::optional<std::string_view> allowed_space(const NodeConfig& config, std::string_view kernel,
                                              std::string_view name) {
  for (const auto& safe : kSafe) {
    if (safe.name == name && kernel_at_least(kernel, safe.major, safe.minor)) return safe.space;
  }
  const auto& patterns = config.allowed_unsafe_sysctls;
  const bool allowed =
      std::any_of(patterns.begin(), patterns.end(),
                  [&](const std::string& pattern) { return allowed_by(pattern, name); });
  if (!allowed) return std::nullopt;
  return space_of(name);
}

}  // namespace

std::string sysctl_pattern_problem(const std::string& pattern) {
  if (!space_of(dotted(pattern)).empty()) return "";
  return fmt::format("the sysctls \"{}\" are not known to be namespaced", pattern);
}

std::string forbidden_sysctl(const NodeConfig& config, const api::Node& node, const api::Pod& pod) {
  if (!pod.spec.securityContext) return "";
  for (const auto& sysctl : pod.spec.securityContext->sysctls) {
    const std::string name = dotted(sysctl.name);
    const auto space = allowed_space(config, node.status.nodeInfo.kernelVersion, name);
    if (!space) return fmt::format("forbidden sysctl: \"{}\" not allowlisted", name);
    const bool shared =
        (*space == "Net" && pod.spec.hostNetwork) || (*space == "IPC" && pod.spec.hostIPC);
    if (shared) {
      return fmt::format("forbidden sysctl: \"{}\" not allowed with host {} enabled", name, *space);
    }
  }
  return "";
}

}  // namespace berth::node
