// SPDX-License-Identifier: Apache-2.0

// Who is ready: the containers by their probes, the pod by its sandbox, its containers and gates
// (readiness.hpp).
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/described_runtime.hpp"
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/status/readiness.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(ConditionWord, (), (status, reason, message))
BOOST_DESCRIBE_STRUCT(ReadinessQuestion, (), (pod, statuses, probes, phase, gates, sandboxes))
BOOST_DESCRIBE_STRUCT(ContainerReadiness, (), (started, ready))
BOOST_DESCRIBE_STRUCT(ReadinessDecision, (), (containers, conditions))

namespace {

using DecodedReadiness = Decoded<ReadinessQuestion, ReadinessDecision>;

// Before anything runs no container is ready, which is no news; nor is a mere change in the list
// of containers that are not ready. The sandbox's readiness is recorded with the first container's.
std::optional<News> news(const ReadinessQuestion& question, const ReadinessDecision& decision) {
  ValueHash says;
  for (const auto& [name, readiness] : decision.containers) says.add(name).add(readiness);
  for (const auto& [type, word] : decision.conditions) says.add(type).add(word.status);
  for (const auto& [type, word] : question.gates) says.add(type).add(word.status);
  bool begun = false;
  for (const api::ContainerStatus& status : question.statuses) {
    if (!decision.containers.contains(status.name)) continue;
    const bool runs = status.state.running.has_value();
    says.add(status.name).add(runs);
    begun = begun || runs;
  }
  return News{.says = says.value(), .quiet = !begun, .waits = begun};
}

// Why a pod is not ready, as far as it runs: the plan covers the sandbox and containers that do not
// run, and the phase covers a pod that is over.
std::vector<std::string> complaints(const DecodedReadiness& decoded, const ConditionWord& ready) {
  std::vector<std::string> clauses;
  if (ready.reason == "ReadinessGatesNotReady") clauses.push_back(ready.message);
  if (ready.reason != "ContainersNotReady") return clauses;
  bool any_runs = false;
  for (const Reason& reason : decoded.record.reasons) {
    if (reason.subject == "pod" || reason.subject == "sandbox") continue;
    any_runs = any_runs || reason.rule != "NotRunning";
    clauses.push_back(
        fmt::format("{}: {}", container_text(&*decoded.question.pod, reason.subject), reason.text));
  }
  if (!any_runs) clauses.clear();
  return clauses;
}

std::vector<Sentence> describe(const DecodedReadiness& decoded) {
  const auto found = decoded.decision.conditions.find("Ready");
  if (found == decoded.decision.conditions.end()) return {};
  std::string text = "the pod is ready";
  if (found->second.status != "True") {
    const auto clauses = complaints(decoded, found->second);
    if (clauses.empty()) return {};
    text = fmt::format("the pod is not ready: {}", fmt::join(clauses, "; "));
  }
  Sentence sentence = sentence_about(decoded.record, "pod", "readiness|" + text, text);
  sentence.topic = "readiness";
  return {std::move(sentence)};
}

}  // namespace

template <>
const KindOf<ReadinessQuestion, ReadinessDecision>& kind_of() {
  static const RecordedKind kKind(
      Kind<ReadinessQuestion, ReadinessDecision>{.name = "readiness",
                                                 .decide = decide_readiness,
                                                 .reasons = readiness_reasons,
                                                 .part = readiness_part,
                                                 .news = news,
                                                 .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
