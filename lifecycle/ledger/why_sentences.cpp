#include "lifecycle/ledger/why_sentences.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/record_codec.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/ledger/why_words.hpp"

namespace berth::lifecycle {
namespace {

struct FactText {
  std::string_view action{};
  const char* of_container{};
  const char* of_pod{};
};

constexpr std::array kFacts = {
    FactText{kFactStarted, "{who} runs", "the pod runs"},
    FactText{kFactExited, "{who} ended with {text}", "{text}"},
    FactText{kFactStop, "{who} is told to stop: {text}", "the pod is told to stop: {text}"},
    FactText{kFactUpdate, "{who}: {text}", "{text}"},
    FactText{kFactStartFailed, "{who} could not be started: {text}",
             "the pod could not be started: {text}"},
    FactText{kFactPullFailed, "the image of {who} could not be pulled: {text}", "{text}"},
    FactText{kFactImageFailed, "the image of {who} cannot be used: {text}", "{text}"},
    FactText{kFactHold, "{who} is not run: {text}", "the pod is not run: {text}"},
    FactText{kFactReject, "{who} is refused: {text}", "the pod is refused: {text}"},
    FactText{kFactTakenOver, "{who} is taken over from a kubelet: {text}",
             "the pod is taken over from a kubelet: {text}"},
};

// What an incarnation comes to once.
constexpr std::array kOnceForAPod = {kFactState, kFactHold, kFactReject, kFactTakenOver};

// "syncing -> ending: the pod is to be removed", in words for people.
std::string state_text(const std::string& text) {
  const auto arrow = text.find("-> ");
  const auto colon = text.find(": ");
  if (arrow == std::string::npos || colon == std::string::npos || colon < arrow) return text;
  const std::string state = text.substr(arrow + 3, colon - arrow - 3);
  const std::string because = text.substr(colon + 2);
  if (state == "ending") return "the pod is brought to its end: " + because;
  if (state == "ended") return "the pod has ended: " + because;
  if (state == "removing") return "what is left of the pod is removed";
  if (state == "finished") return "the pod is gone: " + because;
  return text;
}

// "exit code 137 (Error)": the word says nothing, the signal does.
std::string exit_text(const std::string& text) {
  constexpr std::string_view kHead = "exit code ";
  if (!text.starts_with(kHead)) return text;
  std::int32_t code = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + kHead.size(), end, code);
  const std::string_view rest(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  const bool says_nothing = rest.empty() || rest == " (Error)" || rest == " (Completed)";
  if (parsed.ec != std::errc{} || !says_nothing) return text;
  return exit_code_text(code);
}

std::string fact_text(const Reason& reason, const api::Pod* pod) {
  if (reason.rule == kFactState) return state_text(reason.text);
  const bool of_pod = reason.subject == "pod" || reason.subject.empty();
  const std::string who = of_pod ? "the pod" : container_text(pod, reason.subject);
  const auto* fact = std::ranges::find(kFacts, reason.rule, &FactText::action);
  if (fact == kFacts.end()) return of_pod ? reason.text : fmt::format("{}: {}", who, reason.text);
  return fmt::format(
      fmt::runtime(of_pod ? fact->of_pod : fact->of_container), fmt::arg("who", who),
      fmt::arg("text", reason.rule == kFactExited ? exit_text(reason.text) : reason.text));
}

Sentence sentence_about(const LedgerRecord& record, const std::string& subject,
                        const std::string& rule, std::string text) {
  Sentence sentence;
  sentence.at = record.at;
  sentence.container = subject == "pod" || subject == "sandbox" ? "" : subject;
  sentence.key = fmt::format("{}|{}", subject, rule);
  sentence.text = std::move(text);
  return sentence;
}

class StopsTeller {
 public:
  StopsTeller(const LedgerRecord& record, const StopsValues& values, const TerminationStep& step,
              WallTime now)
      : record_(record), values_(values), step_(step), now_(now) {}

  std::vector<Sentence> tell() {
    for (const StopNow& stop : step_.stop_now) tell_stop(stop);
    std::vector<std::string> running;
    running.reserve(values_.containers.size());
    for (const StoppingContainer& container : values_.containers) running.push_back(container.name);
    const TerminationOrder order = termination_order(values_.pod, running);
    for (const StoppingContainer& container : values_.containers) {
      const auto waits = order.waits_for.find(container.name);
      if (waits != order.waits_for.end()) tell_wait(container, waits->second);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string who(const std::string& name) const {
    return container_text(&values_.pod, name);
  }

  void tell_stop(const StopNow& stop) {
    const auto reason = std::ranges::find(step_.reasons, stop.name, &Reason::subject);
    const std::string rule = reason == step_.reasons.end() ? "Stop" : reason->rule;
    std::string text = fmt::format("{} is told to stop, with {} s to end by itself", who(stop.name),
                                   stop.timeout_seconds);
    if (rule != "Stop") text += ", because " + reason->text;
    Sentence sentence = sentence_about(record_, stop.name, "stops/" + rule, std::move(text));
    sentence.tells_stop = true;
    sentence.since = begun(stop.name);
    out_.push_back(std::move(sentence));
  }

  void tell_wait(const StoppingContainer& container, const std::set<std::string>& others) {
    const bool stops_now = std::ranges::any_of(
        step_.stop_now, [&](const StopNow& stop) { return stop.name == container.name; });
    if (container.signalled || stops_now) return;
    const SteadyTime end = container.begun_at + std::chrono::seconds(container.grace_seconds);
    const std::string until = clock_text(record_.at + (end - values_.now), now_);
    std::string text;
    if (!container.hook_done_at) {
      text = fmt::format("the preStop hook of {} runs, until {} at the latest", who(container.name),
                         until);
    } else if (!others.empty()) {
      text = fmt::format("{} is stopped after {}, at {} at the latest", who(container.name),
                         fmt::join(others, ", "), until);
    } else {
      return;
    }
    Sentence sentence = sentence_about(record_, container.name, "stops/wait", std::move(text));
    sentence.since = begun(container.name);
    out_.push_back(std::move(sentence));
  }

  // When the container's stop began.
  [[nodiscard]] std::optional<WallTime> begun(const std::string& name) const {
    const auto found = std::ranges::find(values_.containers, name, &StoppingContainer::name);
    if (found == values_.containers.end()) return std::nullopt;
    return record_.at + (found->begun_at - values_.now);
  }

  const LedgerRecord& record_;
  const StopsValues& values_;
  const TerminationStep& step_;
  WallTime now_;
  std::vector<Sentence> out_{};
};

}  // namespace

std::vector<Sentence> stops_sentences(const LedgerRecord& record, const StopsValues& values,
                                      const TerminationStep& step, WallTime now) {
  return StopsTeller(record, values, step, now).tell();
}

std::vector<Sentence> phase_sentences(const LedgerRecord& record, const PhaseValues& values,
                                      const PhaseDecision& decision) {
  const bool first = values.previous.empty() && decision.phase == kPending;
  if (first || decision.phase == values.previous || record.reasons.empty()) return {};
  const Reason& reason = record.reasons.front();
  if (reason.rule == kDeadlineExceeded) return {};
  return {sentence_about(record, "pod", "phase/" + decision.phase + "/" + reason.rule,
                         fmt::format("the pod is {}: {}", decision.phase, reason.text))};
}

std::vector<Sentence> grace_sentences(const LedgerRecord& record, const GraceValues& values,
                                      bool ended) {
  if (record.reasons.size() != 2) return {};
  const std::string& cause = record.reasons[0].text;
  const std::string& period = record.reasons[1].text;
  std::string text;
  if (ended) {
    text = fmt::format("{}: {}", kEndOrdered, cause);
  } else if (values.previous == 0) {
    text = fmt::format("the pod is brought to its end: {}; it has {}", cause, period);
  } else {
    text = fmt::format("the pod's {} s to end are shortened to {}: {}", values.previous, period,
                       cause);
  }
  return {sentence_about(record, "pod", "grace/" + period, std::move(text))};
}

std::vector<Sentence> image_sentences(const LedgerRecord& record, const ImageDecision& decision,
                                      const api::Pod* pod) {
  if (decision.pull == PullDecision::kUsePresent || record.reasons.empty()) return {};
  Reason reason = record.reasons.front();
  // In the words of an image that cannot be used for another reason.
  if (decision.pull == PullDecision::kRefuse) reason.rule = kFactImageFailed;
  Sentence sentence = sentence_about(record, reason.subject, reason.rule + "|" + reason.text,
                                     fact_text(reason, pod));
  sentence.topic = "image of " + reason.subject;
  return {std::move(sentence)};
}

std::vector<Sentence> pre_stop_sentences(const LedgerRecord& record, const api::Pod* pod) {
  const bool runs = !record.reasons.empty() && record.reasons.front().rule == kPreStopDue;
  if (runs) return {};
  auto sentences = reason_sentences(record, pod);
  const auto values = pre_stop_values(record.input);
  if (values)
    for (Sentence& sentence : sentences)
      sentence.since = record.at + (values->situation.stop_began - values->now);
  return sentences;
}

std::vector<Sentence> deletion_sentences(const LedgerRecord& record) {
  const bool changes = record.reasons.empty() || record.reasons.front().rule != kDeletionNoSooner;
  return changes ? std::vector<Sentence>{} : reason_sentences(record, nullptr);
}

std::vector<Sentence> fact_sentences(const LedgerRecord& record, const api::Pod* pod) {
  std::vector<Sentence> out;
  for (const Reason& reason : record.reasons) {
    if (reason.rule == kFactWait) continue;
    Sentence sentence =
        sentence_about(record, reason.subject, "fact/" + reason.rule, fact_text(reason, pod));
    sentence.key += "|" + reason.text;
    const bool once = std::ranges::find(kOnceForAPod, reason.rule) != kOnceForAPod.end();
    if (once) sentence.occasion = "once";
    sentence.is_exit = sentence.tells_exit = reason.rule == kFactExited;
    sentence.is_start = reason.rule == kFactStarted;
    sentence.is_stop = reason.rule == kFactStop;
    out.push_back(std::move(sentence));
  }
  return out;
}

std::vector<Sentence> reason_sentences(const LedgerRecord& record, const api::Pod* pod) {
  std::vector<Sentence> out;
  for (const Reason& reason : record.reasons) {
    const bool of_pod = reason.subject == "pod" || reason.subject == "sandbox";
    out.push_back(sentence_about(
        record, reason.subject, reason.rule,
        of_pod ? reason.text
               : fmt::format("{}: {}", container_text(pod, reason.subject), reason.text)));
  }
  return out;
}

}  // namespace berth::lifecycle
