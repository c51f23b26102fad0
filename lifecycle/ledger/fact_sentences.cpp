// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/fact_sentences.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/worker/pod_course.hpp"

namespace berth::lifecycle {
namespace {

struct FactText {
  std::string_view action{};
  const char* of_container{};
  const char* of_pod{};
};

// {who}: the container; {text}: the fact's own words.
constexpr std::array kFacts = {
    FactText{"Started", "{who} runs", "the pod runs"},
    FactText{"Exited", "{who} ended with {text}", "{text}"},
    FactText{"Stop", "berthd stops {who}: {text}", "berthd stops the pod: {text}"},
    FactText{"Update", "{who}: {text}", "{text}"},
    FactText{"StartFailed", "{who} could not be started: {text}",
             "the pod could not be started: {text}"},
    FactText{"PullFailed", "the image of {who} could not be pulled: {text}", "{text}"},
    FactText{"ImageFailed", "the image of {who} cannot be used: {text}", "{text}"},
    FactText{"Hold", "{who} is not run: {text}", "the pod is not run: {text}"},
    FactText{"Reject", "{who} is refused: {text}", "the pod is refused: {text}"},
    FactText{"TakenOver", "{who} is taken over from a kubelet: {text}",
             "the pod is taken over from a kubelet: {text}"},
};

// Facts that occur once per incarnation.
constexpr std::array<std::string_view, 4> kOnceForAPod = {"State", "Hold", "Reject", "TakenOver"};

bool enters(const StateEntered& fact, WorkerState state) {
  return fact.to == to_string(state);
}

// In words for people, instead of the worker's state names.
std::string state_text(const StateEntered& state) {
  if (enters(state, WorkerState::kEnding)) return "berthd terminates the pod: " + state.because;
  if (enters(state, WorkerState::kEnded)) return "the pod has ended: " + state.because;
  if (enters(state, WorkerState::kRemoving)) return "berthd removes what is left of the pod";
  if (enters(state, WorkerState::kFinished)) return "the pod is gone: " + state.because;
  return fact_text(state);
}

// Whether an earlier sentence states why the state is entered. What explains that a pod ends does
// not explain that it is removed: an evicted pod stays until another order removes it.
bool is_explained(const StateEntered& state, const StorySoFar& so_far) {
  if (enters(state, WorkerState::kEnding)) return so_far.end_explained;
  if (enters(state, WorkerState::kRemoving)) return so_far.end && !keeps_pod(so_far.end->cause);
  return false;
}

// The reasons Error and Completed add nothing to the exit code.
std::string exit_text(const ContainerExited& exit) {
  std::string text = exit_code_text(exit.exit_code);
  const bool says_more =
      !exit.reason.empty() && exit.reason != "Error" && exit.reason != "Completed";
  if (says_more) text += fmt::format(" ({})", exit.reason);
  return text;
}

class FactDescription {
 public:
  FactDescription(const LedgerRecord& record, const StorySoFar& so_far)
      : record_(record), reason_(record.reasons.front()), so_far_(so_far) {}

  std::vector<Sentence> operator()(const StateEntered& state) const {
    if (is_explained(state, so_far_)) return {};
    return {sentence(state_text(state))};
  }

  std::vector<Sentence> operator()(const PodRemoved& removed) const {
    const bool cause_stated = removed.cause && so_far_.end == StatedEnd{.cause = *removed.cause,
                                                                        .forced = removed.forced};
    if (cause_stated) return {sentence("the pod is removed: " + end_text(removed))};
    return {sentence(fact_text(removed))};
  }

  std::vector<Sentence> operator()(const ContainerExited& exit) const {
    Sentence said = sentence(worded(exit_text(exit)));
    said.is_exit = said.reports_exit = true;
    return {std::move(said)};
  }

  std::vector<Sentence> operator()(const StopSent& stop) const {
    Sentence said = sentence(worded(fact_text(stop)));
    said.is_stop = true;
    if (!stop.shortened) said.grace_seconds = stop.grace_seconds;
    return {std::move(said)};
  }

  std::vector<Sentence> operator()(const Remark& remark) const {
    if (remark.action == "Wait") return {};  // its plan's record states it
    Sentence said = sentence(worded(remark.text));
    said.is_exit = said.reports_exit = remark.action == "Exited";
    said.is_start = remark.action == "Started";
    said.is_stop = remark.action == "Stop";
    return {std::move(said)};
  }

  std::vector<Sentence> operator()(const auto& fact) const {
    return {sentence(worded(fact_text(fact)))};
  }

 private:
  [[nodiscard]] Sentence sentence(std::string text) const {
    Sentence sentence =
        sentence_about(record_, reason_.subject, "fact/" + reason_.rule, std::move(text));
    sentence.key += "|" + reason_.text;
    const bool once = std::ranges::find(kOnceForAPod, reason_.rule) != kOnceForAPod.end();
    if (once) sentence.occasion = "once";
    return sentence;
  }

  // The text within the sentence for such facts.
  [[nodiscard]] std::string worded(const std::string& text) const {
    const bool of_pod = reason_.subject == "pod" || reason_.subject.empty();
    const std::string who = of_pod ? "the pod" : container_text(so_far_.spec(), reason_.subject);
    const auto* fact = std::ranges::find(kFacts, reason_.rule, &FactText::action);
    if (fact == kFacts.end()) return of_pod ? text : fmt::format("{}: {}", who, text);
    return fmt::format(fmt::runtime(of_pod ? fact->of_pod : fact->of_container),
                       fmt::arg("who", who), fmt::arg("text", text));
  }

  const LedgerRecord& record_;
  const Reason& reason_;
  const StorySoFar& so_far_;
};

}  // namespace

std::vector<Sentence> fact_sentences(const LedgerRecord& record, const StorySoFar& so_far) {
  if (record.reasons.empty()) return {};
  return std::visit(FactDescription(record, so_far), recorded_fact(record));
}

}  // namespace berth::lifecycle
