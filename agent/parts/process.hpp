// SPDX-License-Identifier: Apache-2.0

// What everything in berthd runs on: its settings, its log, the loop, the clock, and threads for
// file work.
//
// Built first, destroyed last; never moved. Loop thread only.
#pragma once

#include <boost/asio/io_context.hpp>

#include "agent/serve/health.hpp"
#include "agent/settings/options.hpp"
#include "base/blocking_pool.hpp"
#include "base/grpc_queue.hpp"
#include "base/log.hpp"
#include "base/real_clock.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

struct Process {
  Process(Options given_options, Settings given_settings, Log& given_log);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() = default;

  [[nodiscard]] boost::asio::any_io_executor executor() { return loop.get_executor(); }

  Options options;
  Settings settings;
  Log& log;
  boost::asio::io_context loop{1};
  RealClock clock{};
  TaskGroup::FailureHandler on_failure;
  BlockingPool pool;
  GrpcQueue grpc_queue;
  WallTime started_at;
  LoopBeat beat;
};

}  // namespace berth::agent
