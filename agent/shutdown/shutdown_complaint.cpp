// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_complaint.hpp"

#include <fmt/core.h>

#include "api/time.hpp"

namespace berth::agent {

std::string shutdown_complaint(const lifecycle::ShutdownGroups& groups,
                               const systemd::LoginState& login) {
  if (groups.empty()) return {};
  const auto needed = lifecycle::longest_shutdown(groups);
  if (!login.error.empty())
    return fmt::format(
        "pods are to be stopped in order before the machine goes off (shutdownGracePeriod), but "
        "nobody announces that: {}; they would be stopped like everything else",
        login.error);
  if (!login.longest_delay || *login.longest_delay >= needed) return {};
  return fmt::format(
      "pods are to be stopped within {} before the machine goes off (shutdownGracePeriod), but "
      "systemd-logind waits for {} at most: write InhibitDelayMaxSec={} below [Login] into "
      "/etc/systemd/logind.conf.d/99-berth.conf, then `systemctl kill -s HUP --kill-whom=main "
      "systemd-logind`",
      api::Duration{needed}.to_string(), api::Duration{*login.longest_delay}.to_string(),
      needed.count());
}

}  // namespace berth::agent
