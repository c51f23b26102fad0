#include "lifecycle/ledger/fact_sentences.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

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

}  // namespace

std::vector<Sentence> fact_sentences(const LedgerRecord& record, const StorySoFar& so_far) {
  const api::Pod* pod = so_far.spec();
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

}  // namespace berth::lifecycle
