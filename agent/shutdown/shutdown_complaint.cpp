// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_complaint.hpp"

#include <fmt/core.h>

#include "api/time.hpp"

namespace berth::agent {

ShutdownComplaint shutdown_complaint(const lifecycle::ShutdownGroups& groups,
                                     const systemd::LoginState& login) {
  if (groups.empty()) return {};
  const auto needed = lifecycle::longest_shutdown(groups);
  if (!login.error.empty())
    return {.problem = fmt::format(
                "pods are to be stopped in order before the machine goes off "
                "(shutdownGracePeriod), but nobody announces that ({}), and they would be stopped "
                "like everything else",
                login.error),
            .advice =
                "start systemd-logind, for which D-Bus is needed (systemctl start dbus "
                "systemd-logind), or take shutdownGracePeriod out of the configuration"};
  if (!login.longest_delay || *login.longest_delay >= needed) return {};
  return {
      .problem = fmt::format("pods are to be stopped within {} before the machine goes off "
                             "(shutdownGracePeriod), but systemd-logind waits for {} at most",
                             api::Duration{needed}.to_string(),
                             api::Duration{*login.longest_delay}.to_string()),
      .advice = fmt::format("write InhibitDelayMaxSec={} below [Login] into "
                            "/etc/systemd/logind.conf.d/99-berth.conf, then `systemctl kill -s HUP "
                            "--kill-whom=main systemd-logind`",
                            needed.count())};
}

}  // namespace berth::agent
