// SPDX-License-Identifier: Apache-2.0

// What a pod waits for on the machine: directories, cgroup, volumes (setup_decision.hpp).
#include "lifecycle/worker/setup_decision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_ENUM(SetupPart, kDirectories, kControlGroup, kVolumes)
BOOST_DESCRIBE_ENUM(SetupStanding, kReady, kWaits, kGoesOn)
BOOST_DESCRIBE_STRUCT(SetupQuestion, (), (pod, part, failures, written_again))
BOOST_DESCRIBE_STRUCT(SetupDecision, (), (standing))

namespace {

// The parts that are retried together.
std::string_view tried(const SetupQuestion& question) {
  return question.part == SetupPart::kVolumes ? "volumes" : "directories";
}

// Retried again and again: recorded once for each failure, and once when it succeeds.
std::optional<News> news(const SetupQuestion& question, const SetupDecision& decision) {
  const bool ready = decision.standing == SetupStanding::kReady;
  return News{.subject = std::string(tried(question)),
              .says = value_hash(question.failures, decision.standing),
              .quiet = ready,
              .waits = !ready};
}

std::string text(const SetupQuestion& question, const SetupDecision& decision) {
  const std::string failures = fmt::format("{}", fmt::join(question.failures, "; "));
  switch (decision.standing) {
    case SetupStanding::kReady:
      break;
    case SetupStanding::kWaits:
      return fmt::format(
          "the pod waits, because its {} cannot be {}: {}",
          question.part == SetupPart::kControlGroup ? "control group" : tried(question),
          question.part == SetupPart::kVolumes ? "set up" : "made", failures);
    case SetupStanding::kGoesOn:
      return fmt::format("the containers keep the present content of their volumes: {}", failures);
  }
  if (question.written_again) return "the pod's volumes are updated again";
  return fmt::format("the pod no longer waits: {}", setup_reasons(question).front().text);
}

std::vector<Sentence> describe(const Decoded<SetupQuestion, SetupDecision>& decoded) {
  const SetupQuestion& question = decoded.question;
  const std::string rule =
      fmt::format("setup/{}|{}", tried(question), fmt::join(question.failures, "|"));
  Sentence sentence = sentence_about(decoded.record, "pod", rule, text(question, decoded.decision));
  sentence.topic = fmt::format("setup of {}", tried(question));
  return {std::move(sentence)};
}

}  // namespace

template <>
const KindOf<SetupQuestion, SetupDecision>& kind_of() {
  static const RecordedKind kKind(Kind<SetupQuestion, SetupDecision>{
      .name = "setup",
      .decide = decide_setup,
      .reasons = [](const auto& question,
                    const auto& /*decision*/) { return setup_reasons(question); },
      .part = with_pod_part<SetupQuestion>,
      .news = news,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
