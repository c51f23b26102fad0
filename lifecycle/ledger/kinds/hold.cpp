// SPDX-License-Identifier: Apache-2.0

// Whether a desired pod is held back (hold_decision.hpp).
#include "lifecycle/pods/beginning/hold_decision.hpp"

#include <fmt/format.h>

#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_ENUM(HoldCause, kNone, kBerthdDied, kUnsupported, kOtherNode, kNoSandboxes)
BOOST_DESCRIBE_STRUCT(HoldQuestion, (), (pod, node_name, deadly, judged, no_sandboxes))
BOOST_DESCRIBE_STRUCT(HoldDecision, (), (cause, message))

namespace {

// If a pod begins, its plan states that.
std::optional<News> news(const HoldQuestion& /*question*/, const HoldDecision& decision) {
  if (decision.cause == HoldCause::kNone) return std::nullopt;
  return News{.says = value_hash(decision.cause, decision.message)};
}

Reasons reasons(const HoldQuestion& /*question*/, const HoldDecision& decision) {
  return {{.subject = "pod", .rule = "Hold", .text = decision.message}};
}

std::vector<Sentence> describe(const Decoded<HoldQuestion, HoldDecision>& decoded) {
  const std::string& message = decoded.decision.message;
  Sentence sentence = sentence_about(decoded.record, "pod", "Hold|" + message,
                                     fmt::format("the pod is not run: {}", message));
  sentence.occasion = "once";
  return {std::move(sentence)};
}

}  // namespace

template <>
const KindOf<HoldQuestion, HoldDecision>& kind_of() {
  static const RecordedKind kKind(
      Kind<HoldQuestion, HoldDecision>{.name = "hold",
                                       .decide = decide_hold,
                                       .reasons = reasons,
                                       .part = with_pod_part<HoldQuestion, hold_part>,
                                       .news = news,
                                       .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
