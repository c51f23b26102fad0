// The input of a recorded pass in our own types: what the scripted runtime plays, and what the
// passes are predicted from.
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

// Calls that fail, by what they are about.
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
  std::set<std::string> in_backoff{};  // their first window was opened right now
  ScriptedFailures fails{};
  // Container ids. It walks an unordered map, so any others may come before a stop that fails.
  std::set<std::string> stopped_by_kubelet{};
};

[[nodiscard]] PassInput pass_input(const boost::json::object& input);

inline constexpr std::int32_t kKilled = 137;  // 128 + SIGKILL

// Some take TERM well and exit with 0; of those begun in a pass the next one would judge.
[[nodiscard]] inline bool takes_term_well(const std::string& id) {
  return !id.starts_with("new-") && !id.empty() && id.back() % 2 == 0;
}

// An older instance with a higher restart count than a newer one, which the generated cases have
// here and there, cannot be: each instance gets at least the count of the one before it, and one
// more. True: there was one.
bool renumber(lifecycle::RuntimePod& runtime);

}  // namespace berth::conformance
