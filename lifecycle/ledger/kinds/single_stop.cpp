// SPDX-License-Identifier: Apache-2.0

// When the stop signal is sent to a container that is stopped while its pod keeps running
// (single_stop.hpp).
#include <fmt/format.h>

#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/single_stop.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(SingleStopQuestion, (), (pod, kill, stop, now))

namespace {

// Once for each stop that waits, and for each call.
std::optional<News> news(const SingleStopQuestion& question, const TerminationStep& step) {
  return News{.subject = question.kill.name,
              .says = value_hash(question.kill.id, question.stop.begun_at, step.stop_now,
                                 step.give_up_hook, step.look_again_at),
              .quiet = step.stop_now.empty() && !step.look_again_at};
}

std::vector<Sentence> describe(const Decoded<SingleStopQuestion, TerminationStep>& decoded) {
  const SingleStopQuestion& question = decoded.question;
  const std::string& name = question.kill.name;
  const std::string who = container_text(decoded.context.so_far.spec(), name);
  std::vector<Sentence> sentences;
  if (decoded.decision.look_again_at) {
    const WallTime until = decoded.record.at + (*decoded.decision.look_again_at - question.now);
    sentences.push_back(sentence_about(decoded.record, name, "singleStop/wait",
                                       hook_text(who, clock_text(until, decoded.context.now))));
  }
  for (const StopNow& stop : decoded.decision.stop_now) {
    std::string rule(kStopRule);
    std::string text = stop_text(who, stop.timeout_seconds);
    if (!decoded.decision.reasons.empty()) {
      const Reason& reason = decoded.decision.reasons.front();
      rule = reason.rule;
      text += (rule == kStopRule ? ": " : ", because ") + reason.text;
    }
    Sentence sentence = sentence_about(decoded.record, name, "singleStop/" + rule, std::move(text));
    // If the sentence of the plan that asked for it is next to it, this one adds nothing.
    sentence.is_stop = rule == kStopRule;
    sentence.reports_stop = true;
    sentence.grace_seconds = stop.timeout_seconds;
    sentences.push_back(std::move(sentence));
  }
  for (Sentence& sentence : sentences)
    sentence.since = decoded.record.at + (question.stop.begun_at - question.now);
  return sentences;
}

}  // namespace

template <>
const KindOf<SingleStopQuestion, TerminationStep>& kind_of() {
  static const RecordedKind kKind(Kind<SingleStopQuestion, TerminationStep>{
      .name = "singleStop",
      .decide = decide_single_stop,
      .reasons = [](const auto& /*question*/, const auto& step) { return step.reasons; },
      .part = with_pod_part<SingleStopQuestion>,
      .next = [](const auto& question, const auto& step, WallTime at) -> std::optional<WallTime> {
        if (!step.look_again_at) return std::nullopt;
        return at + (*step.look_again_at - question.now);
      },
      .news = news,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
