// SPDX-License-Identifier: Apache-2.0

// A reload: the configuration is read again, all or nothing. The journal lists every problem, or
// every field that changed.
//
// One at a time; a caller that arrives meanwhile waits for a turn of its own. Loop thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/settings/reload_decision.hpp"
#include "base/blocking_pool.hpp"
#include "base/broadcast.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

struct ReloadOutcome {
  std::vector<std::string> problems{};   // if any, the reload is refused and nothing changes
  std::vector<SettingChange> changes{};  // what is in force now, and what waits for a restart
};

class Reloading {
 public:
  struct Ports {
    std::function<LoadedSettings()> load{};  // blocking
    // Blocking: the machine, as a start with these settings finds it.
    std::function<Result<node::NodeFacts>(const Settings&)> machine{};
    // Measures the node: why these thresholds may not take effect; `std::nullopt` if they may.
    std::function<boost::asio::awaitable<Result<std::optional<std::string>>>(
        eviction::EvictionConfig)>
        refusal{};
    std::function<void(const eviction::EvictionConfig&)> apply_eviction{};
    std::function<void(LogLevel)> set_log_level{};
  };
  // `settings` are those in force; a reload updates them.
  Reloading(boost::asio::any_io_executor executor, Clock& clock, BlockingPool& pool, Log& log,
            Settings& settings, Ports ports);

  [[nodiscard]] boost::asio::awaitable<ReloadOutcome> reload();

  // The changes that the last reload found in the file and that need a restart of berthd.
  [[nodiscard]] const std::vector<SettingChange>& pending() const { return pending_; }

 private:
  class Turn;

  [[nodiscard]] boost::asio::awaitable<ReloadDecision> decide();
  void apply(const ReloadDecision& decision);
  void report_decision(const ReloadDecision& decision);

  Clock& clock_;
  BlockingPool& pool_;
  Log& log_;
  Settings& settings_;
  Ports ports_;
  std::vector<SettingChange> pending_{};
  bool under_way_ = false;
  Broadcast over_;
};

}  // namespace berth::agent
