// SPDX-License-Identifier: Apache-2.0

// What berthd does for its node beside running pods, in some runs: it removes unused images and
// rotates logs. One object per life of berthd; it is stopped before it is destroyed. Loop thread
// only.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "agent/events/event_recorder.hpp"
#include "agent/logs/log_rotator.hpp"
#include "agent/upkeep/image_collector.hpp"
#include "base/blocking_pool.hpp"
#include "base/task_group.hpp"
#include "lifecycle/pods/pod_set.hpp"
#include "tests/simulation/gated_world.hpp"

namespace berth::simulation {

class Housekeeping {
 public:
  struct Setup {
    boost::asio::any_io_executor loop{};
    Clock& clock;
    Log& log;
    GatedRuntime& runtime;
    lifecycle::PodSet& pods;
    lifecycle::Ledger* ledger = nullptr;  // may be null
    std::string logs_folder{};            // of the node's pods
    TaskGroup::FailureHandler on_failure{};
  };

  explicit Housekeeping(const Setup& setup);

  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  BlockingPool pool_;
  agent::EventRecorder events_;
  agent::ImageCollector images_;
  agent::LogRotator logs_;
  TaskGroup tasks_;
};

}  // namespace berth::simulation
