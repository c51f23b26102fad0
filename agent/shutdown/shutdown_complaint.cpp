// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_complaint.hpp"

#include <fmt/core.h>

#include "api/time.hpp"

namespace berth::agent {

// A lock that is refused while the machine goes off already is no news: the pods are being stopped.
std::string shutdown_complaint(const ConfiguredShutdown& configured,
                               const systemd::LoginState& login) {
  if (configured.groups.empty()) return {};
  const auto needed = lifecycle::longest_shutdown(configured.groups);
  const bool refused = login.lock.state == systemd::DelayLock::State::kRefused;
  if (!login.error.empty() || (refused && !login.shutting_down))
    return fmt::format(
        "pods are to be stopped in order before the machine goes off ({}), but {}; they would be "
        "stopped like everything else",
        configured.field,
        login.error.empty() ? "it would not wait for them: " + login.lock.refusal
                            : "nobody announces that: " + login.error);
  if (!login.longest_delay || *login.longest_delay >= needed) return {};
  return fmt::format(
      "pods are to be stopped within {} before the machine goes off ({}), but systemd-logind waits "
      "for {} at most: write InhibitDelayMaxSec={} below [Login] into "
      "/etc/systemd/logind.conf.d/99-berth.conf, then `systemctl kill -s HUP --kill-whom=main "
      "systemd-logind`",
      api::Duration{needed}.to_string(), configured.field,
      api::Duration{*login.longest_delay}.to_string(), needed.count());
}

}  // namespace berth::agent
