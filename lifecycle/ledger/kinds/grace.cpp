// SPDX-License-Identifier: Apache-2.0

// The grace period of a pod that is ordered to end (grace_period.hpp).
#include <fmt/format.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/why.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(GraceQuestion, (),
                      (pod, previous, override_seconds, cause, forced, requested_at))
BOOST_DESCRIBE_STRUCT(GraceDecision, (), (seconds, shortened, ends_at))

namespace {

// An order that changes nothing is no news.
std::optional<News> news(const GraceQuestion& question, const GraceDecision& decision) {
  if (decision.seconds == question.previous) return std::nullopt;
  return News{};
}

std::vector<Sentence> describe(const Decoded<GraceQuestion, GraceDecision>& decoded) {
  StorySoFar& so_far = decoded.context.so_far;
  if (decoded.record.reasons.size() != 2) return {};
  so_far.end_explained = true;
  so_far.end = StatedEnd{.cause = decoded.question.cause, .forced = decoded.question.forced};
  const std::string& cause = decoded.record.reasons[0].text;
  const std::string& period = decoded.record.reasons[1].text;
  std::string text;
  if (is_terminal_phase(so_far.phase)) {
    text = fmt::format("{}: {}", kEndOrdered, cause);
  } else if (decoded.question.previous == 0) {
    text = fmt::format("berthd terminates the pod: {}; grace period {}", cause, period);
  } else {
    text = fmt::format("the pod's grace period of {} s is shortened to {}: {}",
                       decoded.question.previous, period, cause);
  }
  return {sentence_about(decoded.record, "pod", "grace/" + period, std::move(text))};
}

}  // namespace

template <>
const KindOf<GraceQuestion, GraceDecision>& kind_of() {
  static const RecordedKind kKind(
      Kind<GraceQuestion, GraceDecision>{.name = "grace",
                                         .decide = decide_grace,
                                         .reasons = grace_reasons,
                                         .part = with_pod_part<GraceQuestion, grace_part>,
                                         .news = news,
                                         .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
