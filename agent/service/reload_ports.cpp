// SPDX-License-Identifier: Apache-2.0

#include "agent/service/reload_ports.hpp"

#include <utility>

#include "agent/journal_log.hpp"
#include "systemd/notify.hpp"

namespace berth::agent {

Reloading::Ports reload_ports(const Options& options, NodeEviction& eviction, Log& log) {
  return {.load = [options] { return read_settings(options); },
          .refusal = [&eviction](auto config) { return eviction.refusal(std::move(config)); },
          .take_eviction = [&eviction](const auto& config) { eviction.manager().take(config); },
          .set_log_level = [&log](LogLevel level) { set_log_level(log, level); }};
}

boost::asio::awaitable<void> reload_when_told(Reloading& reloading, Notification& told,
                                              const bool& known_as_ready, Clock& clock) {
  for (;;) {
    co_await told.wait();
    if (known_as_ready) systemd::notify_reloading(clock.steady_now());
    auto turn = reloading.reload();
    static_cast<void>(co_await std::move(turn));
    if (known_as_ready) systemd::notify_ready();
  }
}

}  // namespace berth::agent
