// SPDX-License-Identifier: Apache-2.0

// How an attempt changes a probe's result (probes/probe_state.hpp).
#include "lifecycle/worker/probes/probe_question.hpp"

#include <fmt/format.h>

#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/why_words.hpp"

namespace berth::probes {

BOOST_DESCRIBE_ENUM(ProbeType, kStartup, kReadiness, kLiveness)
BOOST_DESCRIBE_ENUM(ProbeResult, kUnknown, kSuccess, kFailure)
BOOST_DESCRIBE_ENUM(Weight, kFull, kMayHelp)
BOOST_DESCRIBE_ENUM(Standing, kCounted, kErrored, kTooEarly)
BOOST_DESCRIBE_ENUM(Outcome, kSuccess, kWarning, kFailure, kUnknown)
BOOST_DESCRIBE_ENUM(Phase, kTarget, kConnect, kTls, kResponse, kBody, kCommand, kDone)
BOOST_DESCRIBE_ENUM(Cause, kNone, kAnswer, kTimeout, kRefused, kUnreachable, kClosed, kProtocol,
                    kOurs, kOther)
BOOST_DESCRIBE_STRUCT(ProbeRules, (),
                      (type, initial_delay_seconds, success_threshold, failure_threshold,
                       never_restarted, pod_was_deleted))
BOOST_DESCRIBE_STRUCT(ProbeState, (), (container, held, last, run, on_hold))
BOOST_DESCRIBE_STRUCT(ProbeUpdate, (), (container, result))
// Leaves out the container's output: only its first line is recorded, in the question's words, as
// in the event.
BOOST_DESCRIBE_STRUCT(Attempt, (), (outcome, errored, phase, cause, took, code))
BOOST_DESCRIBE_STRUCT(Judgement, (), (state, update, standing))

}  // namespace berth::probes

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(ProbeQuestion, (), (pod, container, rules, state, answer, weight, runs))

template <>
consteval bool strict_json::describes_all<probes::Attempt>() {
  return true;
}
// Leaves out the notice, which is that event.
template <>
consteval bool strict_json::describes_all<probes::Judgement>() {
  return true;
}

namespace {

std::string_view word_of(probes::ProbeType type) {
  if (type == probes::ProbeType::kStartup) return "startup";
  return type == probes::ProbeType::kReadiness ? "readiness" : "liveness";
}

// Most attempts confirm the published result.
std::optional<News> news(const ProbeQuestion& question, const probes::Judgement& judgement) {
  if (!judgement.update) return std::nullopt;
  return News{.subject = question.container};
}

Reasons reasons(const ProbeQuestion& question, const probes::Judgement& /*judgement*/) {
  return {{.subject = question.container,
           .rule = "Probe",
           .text = fmt::format("its {} probe {}", word_of(question.rules.type), question.runs)}};
}

std::vector<Sentence> describe(const Decoded<ProbeQuestion, probes::Judgement>& decoded) {
  const ProbeQuestion& question = decoded.question;
  const Reason reason = reasons(question, decoded.decision).front();
  return {sentence_about(
      decoded.record, reason.subject, reason.rule + "|" + reason.text,
      fmt::format("{}: {}", container_text(decoded.context.so_far.spec(), question.container),
                  reason.text))};
}

}  // namespace

template <>
const KindOf<ProbeQuestion, probes::Judgement>& kind_of() {
  static const RecordedKind kKind(Kind<ProbeQuestion, probes::Judgement>{
      .name = "probe",
      .decide =
          [](const auto& question) {
            return probes::judge(question.rules, question.state, question.answer, question.weight);
          },
      .reasons = reasons,
      .part = with_pod_part<ProbeQuestion>,
      .news = news,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
