// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/why.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/ledger/eviction_record.hpp"
#include "lifecycle/ledger/fact_sentences.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/story.hpp"
#include "lifecycle/ledger/why_present.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/shutdown/stopped_pods.hpp"

namespace berth::lifecycle {
namespace {

// The longest time between a decision and the fact that follows from it: the runtime's answer lies
// between them.
constexpr Nanoseconds kTogether = std::chrono::seconds(2);
// The tolerance for one instant computed by two berthds, each with its own process clock.
constexpr Nanoseconds kSameInstant = std::chrono::seconds(1);

class Story {
 public:
  explicit Story(const WhyInput& input)
      : input_(input), now_(input.now), so_far_{.shown = input.pod} {}

  void read() {
    const std::string* uid = nullptr;
    for (const LedgerRecord& record : input_.records) {
      if (uid != nullptr && *uid != record.uid) begin_incarnation(record);
      uid = &record.uid;
      add(record);
    }
  }

  [[nodiscard]] std::vector<WhyLine> lines() {
    drop_covered_by_decisions();
    drop_taken_again();
    return folded();
  }

  // The newest plan of the current incarnation.
  [[nodiscard]] const RecordedPlan* newest_plan() const {
    if (input_.pod == nullptr || !so_far_.plan) return nullptr;
    const std::string& uid = so_far_.plan->question.pod->metadata.uid;
    return uid == input_.pod->metadata.uid ? &*so_far_.plan : nullptr;
  }

 private:
  void begin_incarnation(const LedgerRecord& record) {
    so_far_.phase.clear();
    so_far_.end_explained = false;
    so_far_.end.reset();
    Sentence sentence;
    sentence.at = record.at;
    sentence.key = "incarnation";
    sentence.text = "a new incarnation of the pod begins";
    if (std::exchange(evicted_, false))
      sentence.text += fmt::format(", uid {}: the successor of the evicted one", record.uid);
    take({std::move(sentence)}, record.uid);
  }

  void add(const LedgerRecord& record) {
    evicted_ = evicted_ || record.kind == kLedgerEviction;
    if (record.kind == kLedgerFact) return take(fact_sentences(record, so_far_), record.uid);
    const StoryContext context{.record = record, .now = now_, .so_far = so_far_};
    const AnyKind* kind = find_kind(record.kind);
    take(kind != nullptr ? kind->sentences(context) : reason_sentences(context), record.uid);
  }

  void take(std::vector<Sentence> sentences, const std::string& uid) {
    for (Sentence& sentence : sentences) {
      sentence.key = uid + "|" + sentence.key;
      sentences_.push_back(std::move(sentence));
    }
  }

  // Whether the sentence at `j` may be about the same event as the one at `i`.
  [[nodiscard]] bool together(std::size_t i, std::size_t j) const {
    const Nanoseconds apart = sentences_[j].at - sentences_[i].at;
    return std::max(apart, -apart) <= kTogether &&
           sentences_[i].container == sentences_[j].container;
  }

  // Whether a later plan decided this first start again because it had not happened yet: containers
  // are started one after another, each by a plan of its own.
  [[nodiscard]] bool decided_again(std::size_t i) const {
    const Sentence& one = sentences_[i];
    if (!one.first_start) return false;
    for (std::size_t j = i + 1; j < sentences_.size(); ++j) {
      const Sentence& other = sentences_[j];
      if (other.key == one.key) return true;
      if (other.container == one.container || other.container.empty()) return false;
    }
    return false;
  }

  // Whether a fact is already covered by a decision close to it, whichever came first; a stop's
  // grace period is then added to the decision's sentence.
  [[nodiscard]] bool merge_into_decision(std::size_t i) {
    const Sentence& one = sentences_[i];
    if (decided_again(i)) return true;
    if (!one.is_exit && !one.is_start && !one.is_stop) return false;
    for (std::size_t j = 0; j < sentences_.size(); ++j) {
      Sentence& other = sentences_[j];
      if (j == i || !together(i, j)) continue;
      if (one.is_exit && !other.is_exit && other.reports_exit) return true;
      if (j > i) continue;  // facts that follow from a decision come after it
      if (one.is_start && other.reports_start) return true;
      if (!one.is_stop || !other.reports_stop) continue;
      add_period(one, other);
      return true;
    }
    return false;
  }

  void drop_covered_by_decisions() {
    std::vector<bool> drop(sentences_.size(), false);
    for (std::size_t i = 0; i < sentences_.size(); ++i) drop[i] = merge_into_decision(i);
    std::size_t index = 0;
    std::erase_if(sentences_, [&](const Sentence&) { return drop[index++]; });
  }

  // A restarted berthd takes the previous berthd's decisions again: those are no separate events.
  void drop_taken_again() {
    std::set<std::string> occasions;
    std::map<std::string, WallTime> since;      // by key
    std::map<std::string, std::string> topics;  // the last key of each
    std::erase_if(sentences_, [&](const Sentence& one) {
      bool again = !one.occasion.empty() && !occasions.insert(one.key + "|" + one.occasion).second;
      if (one.since) {
        const auto [before, first] = since.try_emplace(one.key, *one.since);
        const Nanoseconds apart = *one.since - before->second;
        again = again || (!first && std::max(apart, -apart) <= kSameInstant);
        before->second = *one.since;
      }
      if (!one.topic.empty()) {
        std::string& last_key = topics[one.topic];
        again = again || last_key == one.key;
        last_key = one.key;
      }
      return again;
    });
  }

  static void add_period(const Sentence& fact, Sentence& decision) {
    if (decision.grace_seconds || !fact.grace_seconds) return;
    decision.grace_seconds = fact.grace_seconds;
    decision.text += fmt::format(" ({} s to exit)", *fact.grace_seconds);
  }

  [[nodiscard]] std::vector<WhyLine> folded() const {
    std::vector<WhyLine> lines;  // newest first
    std::map<std::string, std::size_t> by_key;
    for (auto sentence = sentences_.rbegin(); sentence != sentences_.rend(); ++sentence) {
      const auto [place, fresh] = by_key.try_emplace(sentence->key, lines.size());
      if (fresh) {
        lines.push_back({.at = sentence->at,
                         .container = sentence->container,
                         .text = sentence->text,
                         .first_at = sentence->at});
        continue;
      }
      WhyLine& line = lines[place->second];
      ++line.times;
      line.first_at = sentence->at;
    }
    std::ranges::reverse(lines);
    return lines;
  }

  const WhyInput& input_;
  WallTime now_;
  std::vector<Sentence> sentences_{};
  StorySoFar so_far_;
  bool evicted_ = false;  // the current incarnation's
};

}  // namespace

Why why(const WhyInput& input) {
  Story story(input);
  story.read();
  const LedgerRecord* last = input.records.empty() ? nullptr : &input.records.back();
  Why out;
  out.present = present_sentence(input.pod, last, input.now);
  if (!input.refused_today.empty())
    out.present += fmt::format(
        " It would not be admitted today ({}), but keeps running: a running pod is not rechecked.",
        input.refused_today);
  out.happened = story.lines();
  for (WhyLine& line : out.happened) {
    if (line.times > 1)
      line.text +=
          fmt::format(" ({} times since {})", line.times, clock_text(line.first_at, input.now));
  }
  for (const HeldPod& held : input.held)
    out.coming.push_back(held_sentence(held, input.socket, input.now));
  auto next = coming_sentences(input.pod, story.newest_plan(), input.now);
  if (input.recreates_evicted && input.pod != nullptr && stays_evicted(*input.pod))
    next = {evicted_sentence(*input.pod)};
  if (input.pod != nullptr && !input.pod->metadata.deletionTimestamp &&
      returns_after_shutdown(*input.pod))
    next = {shut_down_sentence(*input.pod)};
  if (!input.held.empty()) std::erase(next, kNothingDue);
  std::ranges::move(next, std::back_inserter(out.coming));
  return out;
}

}  // namespace berth::lifecycle
