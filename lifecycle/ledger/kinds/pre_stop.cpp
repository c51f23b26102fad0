// SPDX-License-Identifier: Apache-2.0

// Whether a container's preStop hook runs before the container is stopped (pre_stop_step.hpp).
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/pre_stop_step.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(PreStop, (), (done_at))
BOOST_DESCRIBE_STRUCT(PreStopSituation, (),
                      (has_hook, leaves_time, container_runs, begun_before, known, stop_began))
BOOST_DESCRIBE_STRUCT(PreStopQuestion, (), (pod, container, situation, now))
BOOST_DESCRIBE_STRUCT(PreStopStep, (), (begin, done_at, settle))

namespace {

// Once for each step of a stop, if there is a hook; the outcome of a hook that has begun is a fact.
std::optional<News> news(const PreStopQuestion& question, const PreStopStep& step) {
  const PreStopSituation& situation = question.situation;
  if (!situation.has_hook || situation.known) return std::nullopt;
  return News{.subject = question.container, .says = value_hash(situation.stop_began, step)};
}

// A fact states that a hook runs.
std::vector<Sentence> describe(const Decoded<PreStopQuestion, PreStopStep>& decoded) {
  if (decoded.decision.begin) return {};
  auto sentences = reason_sentences(decoded.context);
  const PreStopQuestion& question = decoded.question;
  for (Sentence& sentence : sentences)
    sentence.since = decoded.record.at + (question.situation.stop_began - question.now);
  return sentences;
}

}  // namespace

template <>
const KindOf<PreStopQuestion, PreStopStep>& kind_of() {
  static const RecordedKind kKind(Kind<PreStopQuestion, PreStopStep>{
      .name = "preStop",
      .decide =
          [](const auto& question) { return pre_stop_step(question.situation, question.now); },
      .reasons = [](const auto& question,
                    const auto& step) { return Reasons{pre_stop_reason(question, step)}; },
      .part = with_pod_part<PreStopQuestion>,
      .news = news,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
