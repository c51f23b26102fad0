// SPDX-License-Identifier: Apache-2.0

// What all parts of the simulated runtime have in common: time, chance, faults, the trace and the
// witness.
//
// Loop thread only. `shutdown` must be awaited before it is destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/task_group.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/runtime/runtime_faults.hpp"
#include "tests/simulation/runtime/runtime_record.hpp"
#include "tests/simulation/trace.hpp"

namespace berth::simulation {

struct RuntimeSetup {
  Random random{1};
  RuntimeFaults faults{};
  RuntimeLatencies latencies{};
  Trace* trace = nullptr;      // outlives the runtime, if given
  Witness* witness = nullptr;  // likewise
  bool events_have_exit_code = true;
  std::string name = "containerd";  // as Version reports it
};

class RuntimeWorld {
 public:
  RuntimeWorld(boost::asio::any_io_executor loop, Clock& clock, const RuntimeSetup& setup);

  void after(Nanoseconds delay, std::function<void()> work);
  [[nodiscard]] boost::asio::awaitable<void> shutdown();

  [[nodiscard]] boost::asio::any_io_executor executor() const { return loop_; }
  [[nodiscard]] SteadyTime now() const { return clock_.steady_now(); }
  [[nodiscard]] std::int64_t unix_now() const { return cri::unix_nanoseconds(clock_.wall_now()); }
  [[nodiscard]] Random& random() { return random_; }
  [[nodiscard]] Nanoseconds draw(Span span) { return random_.between(span.low, span.high); }
  [[nodiscard]] const RuntimeFaults& faults() const { return faults_; }
  void set_faults(const RuntimeFaults& faults) { faults_ = faults; }
  [[nodiscard]] const RuntimeLatencies& latencies() const { return latencies_; }
  [[nodiscard]] Witness& witness() { return witness_; }
  void say(const std::string& what);

 private:
  boost::asio::awaitable<void> run_at(SteadyTime at, std::function<void()> work);

  boost::asio::any_io_executor loop_;
  Clock& clock_;
  Random random_;
  RuntimeFaults faults_;
  RuntimeLatencies latencies_;
  Trace* trace_;
  Witness silent_{};
  Witness& witness_;
  TaskGroup tasks_;
};

}  // namespace berth::simulation
