// The agent's logic as one life of berthd would hold it, wired to the fake world.
//
// Making it starts it; `stop` must be awaited before it is destroyed. What it logs and tells goes
// into the trace.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "lifecycle/pod_set.hpp"
#include "tests/simulation/simulated_event_stream.hpp"
#include "tests/simulation/simulated_host.hpp"
#include "tests/simulation/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"
#include "tests/simulation/trace.hpp"

namespace berth::simulation {

class TraceLog final : public Log {
 public:
  TraceLog(Trace& trace, const Clock& clock) : trace_(trace), clock_(clock) {}
  void write(LogLevel level, std::string_view event, std::string_view message,
             const std::vector<LogField>& fields) override;

 private:
  Trace& trace_;
  const Clock& clock_;
};

class TraceEvents final : public lifecycle::PodEvents {
 public:
  TraceEvents(Trace& trace, const Clock& clock) : trace_(trace), clock_(clock) {}
  void record(const api::Pod& pod, const lifecycle::PodEvent& event) override;

 private:
  Trace& trace_;
  const Clock& clock_;
};

struct AgentSetup {
  boost::asio::any_io_executor loop{};
  Clock* clock = nullptr;
  SimulatedRuntime* runtime = nullptr;
  SimulatedHost* host = nullptr;
  SimulatedStore* store = nullptr;
  Trace* trace = nullptr;
  lifecycle::StatusSink* sink = nullptr;
  lifecycle::IncarnationSource* incarnations = nullptr;
  TaskGroup::FailureHandler on_failure{};
};

class AgentUnderTest {
 public:
  explicit AgentUnderTest(const AgentSetup& setup);

  [[nodiscard]] lifecycle::PodSet& pods() { return pods_; }

 private:
  SimulatedEventStream stream_;
  TraceLog log_;
  TraceEvents events_;
  lifecycle::PodSet pods_;
};

}  // namespace berth::simulation
