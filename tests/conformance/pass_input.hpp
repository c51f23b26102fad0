// SPDX-License-Identifier: Apache-2.0

// The input of a recorded pass in our own types: for the scripted runtime, and for the prediction
// of passes.
#pragma once

#include <map>
#include <set>
#include <string>

#include <boost/json.hpp>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::conformance {

// When the recorded passes ran.
inline constexpr WallTime kPassAt{std::chrono::seconds{1'756'718'600}};

// Calls that fail, by their object.
struct ScriptedFailures {
  std::set<std::string> create{};  // containers
  std::set<std::string> start{};
  std::set<std::string> stop{};
  std::set<std::string> post_start{};
  std::set<std::string> pull{};  // images
  bool sandbox = false;
};

struct PassInput {
  api::Pod pod{};
  lifecycle::RuntimePod runtime{};  // in the case's order: newest first
  lifecycle::ProbeResults probes{};
  std::set<std::string> present_images{};
  std::set<std::string> in_backoff{};  // their first window has just started
  ScriptedFailures fails{};
  // Container ids. The kubelet walks an unordered map, so any others may come before a stop that
  // fails.
  std::set<std::string> stopped_by_kubelet{};
};

[[nodiscard]] PassInput pass_input(const boost::json::object& input);

inline constexpr std::int32_t kKilled = 137;  // 128 + SIGKILL

// Some handle TERM and exit with 0; those started within a pass are for the next pass to judge.
[[nodiscard]] inline bool takes_term_well(const std::string& id) {
  return !id.starts_with("new-") && !id.empty() && id.back() % 2 == 0;
}

// The generated cases sometimes contain an older instance with a higher restart count than a newer
// one, which is impossible: gives each instance at least the previous one's count plus one. True if
// there was one.
bool renumber(lifecycle::RuntimePod& runtime);

}  // namespace berth::conformance
