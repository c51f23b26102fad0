// SPDX-License-Identifier: Apache-2.0

#include "agent/service/reload_ports.hpp"

#include <utility>

#include "agent/journal_log.hpp"

namespace berth::agent {

Reloading::Ports reload_ports(const Options& options, NodeEviction& eviction, Log& log) {
  return {.load = [options] { return read_settings(options); },
          .refusal = [&eviction](auto config) { return eviction.refusal(std::move(config)); },
          .take_eviction = [&eviction](const auto& config) { eviction.manager().take(config); },
          .set_log_level = [&log](LogLevel level) { set_log_level(log, level); }};
}

}  // namespace berth::agent
