// SPDX-License-Identifier: Apache-2.0

// Whether a desired pod is held back (hold_decision.hpp).
#include "lifecycle/pods/beginning/hold_decision.hpp"

#include <fmt/format.h>

#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_ENUM(HoldCause, kNone, kBerthdDied, kUnsupported, kOtherNode, kNoSandboxes,
                    kNoNetwork)
BOOST_DESCRIBE_STRUCT(HoldQuestion, (),
                      (pod, node_name, deadly, judged, no_sandboxes, network_error))
BOOST_DESCRIBE_STRUCT(HoldDecision, (), (cause, message))

namespace {

// If a pod begins, its plan states that. A network may be lost twice with the same error; it is
// asked about once for each time.
std::optional<News> news(const HoldQuestion& /*question*/, const HoldDecision& decision) {
  if (decision.cause == HoldCause::kNone) return std::nullopt;
  if (decision.cause == HoldCause::kNoNetwork) return News{};
  return News{.says = value_hash(decision.cause, decision.message)};
}

std::string network_text(const HoldQuestion& question) {
  return "until the network is ready, nothing more of it is started, and no further stop begins "
         "unless the pod ends: " +
         question.network_error;
}

Reasons reasons(const HoldQuestion& question, const HoldDecision& decision) {
  if (decision.cause == HoldCause::kNoNetwork)
    return {{.subject = "pod", .rule = "NetworkNotReady", .text = network_text(question)}};
  return {{.subject = "pod", .rule = "Hold", .text = decision.message}};
}

std::vector<Sentence> describe(const Decoded<HoldQuestion, HoldDecision>& decoded) {
  const std::string& message = decoded.decision.message;
  if (decoded.decision.cause == HoldCause::kNoNetwork)
    return {sentence_about(decoded.record, "pod", "NoNetwork|" + message,
                           network_text(decoded.question))};
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
