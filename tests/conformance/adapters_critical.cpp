// SPDX-License-Identifier: Apache-2.0

// The kubelet's preemption for critical pods: critical_preempt.
#include "node/critical_preemption.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/case_input.hpp"

namespace berth::conformance {
namespace {

using namespace case_input;

json::value run_critical_preempt(const json::object& input) {
  const auto incoming = decoded<api::Pod>(input, "preemptor");
  const auto pods = decoded_list<api::Pod>(input, "pods");
  std::vector<const api::Pod*> active;
  for (const api::Pod& pod : pods) active.push_back(&pod);
  std::vector<node::MissingAmount> missing;
  for (const json::value& item : list(input, "requirements")) {
    missing.push_back({.resource = text(item.as_object(), "resource"),
                       .amount = number(item.as_object(), "quantity")});
  }
  // The recordings were made with the kubelet's rule.
  const auto victims =
      node::choose_critical_victims({.static_pods_are_critical = true}, incoming, active, missing);
  json::object out{{"error", !victims}, {"preempt", json::array{}}};
  if (!victims) {
    out["message"] = victims.error().message;
    return out;
  }
  for (const node::CriticalVictim& victim : *victims) {
    out["preempt"].as_array().emplace_back(victim.pod->metadata.name);
  }
  return out;
}

}  // namespace

std::vector<Kind> critical_kinds() {
  return {{.name = "critical_preempt", .run = run_critical_preempt}};
}

}  // namespace berth::conformance
