// SPDX-License-Identifier: Apache-2.0

// berthd's own state, for /healthz and for the journal at SIGUSR1.
//
// Gathering it makes no external calls and changes nothing, so that it works for a hanging agent as
// well; rendering it is pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/serve/control_sources.hpp"
#include "agent/serve/health.hpp"
#include "agent/sources/manifest_report.hpp"
#include "agent/store/sqlite_store.hpp"
#include "base/log.hpp"
#include "lifecycle/worker/pod_activity.hpp"
#include "probes/probe_view.hpp"

namespace berth::agent {

struct AgentState {
  SteadyTime now{};
  Nanoseconds up{0};
  std::string node_name{};
  std::vector<std::string> waits_for{};  // what it waits for until it is ready
  std::vector<HealthCheck> health{};
  Nanoseconds loop_late{0};
  std::string runtime_endpoint{};
  std::string runtime_version{};  // "containerd 1.6.20"
  std::string runtime_error{};    // empty if it answers
  bool events_connected = false;
  std::string events_error{};
  std::uint64_t missed_events = 0;
  std::optional<StoreHealth> store{};
  ManifestReport manifests{};
  probes::ProberCounts probes{};
  std::size_t events_kept = 0;
  std::vector<std::string> tasks{};
  std::vector<lifecycle::PodActivity> pods{};
};

[[nodiscard]] HealthInput health_input(const ControlSources& sources, const LoopBeat& loop);

// `tasks`: the agent's own; the pod set's are added.
[[nodiscard]] AgentState agent_state(const ControlSources& sources, const LoopBeat& loop,
                                     std::vector<std::string> tasks);

struct StateLine {
  std::string message{};
  std::vector<LogField> fields{};  // PART is the subject of the line
};
// First the agent, part by part, then each pod; the last line says that it is the last.
[[nodiscard]] std::vector<StateLine> state_lines(const AgentState& state);

}  // namespace berth::agent
