// SPDX-License-Identifier: Apache-2.0

#include "agent/parts/process.hpp"

#include <utility>

#include "agent/abort_on_failure.hpp"

namespace berth::agent {
namespace {

constexpr unsigned kPoolThreads = 3;

}  // namespace

Process::Process(Options given_options, Settings given_settings, Log& given_log)
    : options(std::move(given_options)),
      settings(std::move(given_settings)),
      log(given_log),
      on_failure(abort_on_failure(log)),
      pool(loop.get_executor(), clock,
           {.threads = kPoolThreads,
            .on_stuck =
                [this](const auto& work) {
                  log.warn("FileWorkStuck", BlockingPool::text(work, clock.steady_now()));
                }}),
      grpc_queue(loop.get_executor()),
      started_at(clock.wall_now()),
      beat(clock.steady_now()) {}

}  // namespace berth::agent
