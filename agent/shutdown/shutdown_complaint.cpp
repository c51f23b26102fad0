// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_complaint.hpp"

#include <fmt/core.h>

#include "api/time.hpp"

namespace berth::agent {

// A lock that is refused while the machine is already shutting down is no problem: the pods are
// being stopped.
ShutdownComplaint shutdown_complaint(const ConfiguredShutdown& configured,
                                     const systemd::LoginState& login) {
  if (configured.groups.empty()) return {};
  const auto needed = lifecycle::longest_shutdown(configured.groups);
  const std::string asked = "before the machine shuts down (" + configured.field + ")";
  if (!login.error.empty())
    return {.problem = fmt::format(
                "pods are to be stopped in order {}, but no service announces a shutdown ({}), "
                "and they would be stopped only when berthd is, beside other services",
                asked, login.error),
            .advice =
                "start systemd-logind, for which D-Bus is needed (systemctl start dbus "
                "systemd-logind), or take " +
                configured.field + " out of the configuration"};
  if (login.lock.state == systemd::DelayLock::State::kRefused && !login.shutting_down)
    return {.problem = fmt::format(
                "pods are to be stopped in order {}, but it would not wait for them ({}), and they "
                "would be stopped only when berthd is, beside other services",
                asked, login.lock.refusal),
            .advice =
                "`systemd-inhibit --list` shows who holds locks, InhibitorsMax= in "
                "logind.conf(5) how many there may be; berthd asks again by itself"};
  if (!login.longest_delay || *login.longest_delay >= needed) return {};
  return {
      .problem = fmt::format("pods are to be stopped within {} {}, but systemd-logind waits for "
                             "{} at most",
                             api::Duration{needed}.to_string(), asked,
                             api::Duration{*login.longest_delay}.to_string()),
      .advice = fmt::format("write InhibitDelayMaxSec={} below [Login] into "
                            "/etc/systemd/logind.conf.d/99-berth.conf, then `systemctl kill -s "
                            "HUP --kill-whom=main systemd-logind`",
                            needed.count())};
}

}  // namespace berth::agent
