#include "lifecycle/ledger/why.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/ledger/record_codec.hpp"
#include "lifecycle/ledger/why_present.hpp"
#include "lifecycle/ledger/why_sentences.hpp"
#include "lifecycle/ledger/why_words.hpp"

namespace berth::lifecycle {
namespace {

// A fact and the decision about the same are at most this far apart: the runtime's answer lies
// between them.
constexpr Nanoseconds kTogether = std::chrono::seconds(2);
// As two berthds compute one instant, each by its own clock of the process.
constexpr Nanoseconds kSameInstant = std::chrono::seconds(1);

class Story {
 public:
  explicit Story(const WhyInput& input) : input_(input), now_(input.now) {}

  void read() {
    const std::string* uid = nullptr;
    for (const LedgerRecord& record : input_.records) {
      if (uid != nullptr && *uid != record.uid) begin_incarnation(record);
      uid = &record.uid;
      add(record);
    }
  }

  [[nodiscard]] std::vector<WhyLine> lines() {
    drop_told_twice();
    drop_taken_again();
    return folded();
  }

  // Of the incarnation that is there now.
  [[nodiscard]] const ToldPlan* newest_plan() const {
    if (input_.pod == nullptr || !plan_) return nullptr;
    return plan_->values.pod.metadata.uid == input_.pod->metadata.uid ? &*plan_ : nullptr;
  }

 private:
  [[nodiscard]] const api::Pod* spec() const { return plan_ ? &plan_->values.pod : input_.pod; }

  void begin_incarnation(const LedgerRecord& record) {
    phase_.clear();
    because_.clear();
    cause_.clear();
    Sentence sentence;
    sentence.at = record.at;
    sentence.key = "incarnation";
    sentence.text = "a new pod of this name begins";
    take({std::move(sentence)}, record.uid);
  }

  void add(const LedgerRecord& record) {
    if (record.kind == kLedgerFact) {
      add_fact(record);
    } else if (record.kind == kLedgerPlan) {
      add_plan(record);
    } else if (record.kind == kLedgerStops) {
      add_stops(record);
    } else if (record.kind == kLedgerAdmission) {
      add_admission(record);
    } else if (record.kind == kLedgerPhase) {
      add_phase(record);
    } else if (record.kind == kLedgerGrace) {
      add_grace(record);
    } else if (record.kind == kLedgerImage) {
      add_image(record);
    } else if (record.kind == kLedgerPreStop) {
      take(pre_stop_sentences(record, spec()), record.uid);
    } else if (record.kind == kLedgerDeletion) {
      take(deletion_sentences(record), record.uid);
    } else if (record.kind == kLedgerCollection) {
      return;  // the grace period that follows tells it
    } else {
      take(reason_sentences(record, spec()), record.uid);
    }
  }

  // A state that follows from a decision is not told again, and who ended the pod not once more
  // when it is removed.
  void add_fact(const LedgerRecord& record) {
    LedgerRecord fact = record;
    for (Reason& reason : fact.reasons) {
      if (reason.rule == kFactState && !because_.empty() && reason.text.ends_with(because_)) return;
      const auto again = reason.text.find(cause_);
      if (reason.rule == kFactRemoved && !cause_.empty() && again != std::string::npos)
        reason.text.erase(again, cause_.size());
    }
    take(fact_sentences(fact, spec()), fact.uid);
  }

  void add_phase(const LedgerRecord& record) {
    const auto values = phase_values(record.input);
    const auto decision = recorded_phase(record.output);
    if (!values || !decision) return take(reason_sentences(record, spec()), record.uid);
    phase_ = decision->phase;
    std::vector<Sentence> sentences = phase_sentences(record, *values, *decision);
    if (!sentences.empty() && is_terminal_phase(phase_)) because_ = ": the pod is " + phase_;
    take(std::move(sentences), record.uid);
  }

  void add_grace(const LedgerRecord& record) {
    const auto values = grace_values(record.input);
    if (!values) return take(reason_sentences(record, spec()), record.uid);
    because_ = fmt::format(": {}", kEndOrdered);
    cause_ = end_cause_text(values->cause, values->forced) + "; ";
    take(grace_sentences(record, *values, is_terminal_phase(phase_)), record.uid);
  }

  void add_image(const LedgerRecord& record) {
    const auto decision = recorded_image(record.output);
    take(decision ? image_sentences(record, *decision, spec()) : reason_sentences(record, spec()),
         record.uid);
  }

  void add_plan(const LedgerRecord& record) {
    auto values = plan_values(record.input);
    auto plan = recorded_plan(record.output);
    if (!values || !plan) return take(reason_sentences(record, spec()), record.uid);
    plan_ = ToldPlan{.values = std::move(*values), .plan = std::move(*plan)};
    take(plan_sentences(record, *plan_, now_), record.uid);
  }

  void add_stops(const LedgerRecord& record) {
    const auto values = stops_values(record.input);
    const auto step = recorded_stops(record.output);
    take(values && step ? stops_sentences(record, *values, *step, now_)
                        : reason_sentences(record, spec()),
         record.uid);
  }

  void add_admission(const LedgerRecord& record) {
    const auto admission = recorded_admission(record.output);
    if (!admission) return take(reason_sentences(record, spec()), record.uid);
    Sentence sentence;
    sentence.at = record.at;
    sentence.key = "admission|" + admission->reason;
    sentence.occasion = "once";
    sentence.text = admission->admitted ? "the node admits the pod"
                                        : fmt::format("the node refuses the pod: {}: {}",
                                                      admission->reason, admission->message);
    take({std::move(sentence)}, record.uid);
  }

  void take(std::vector<Sentence> sentences, const std::string& uid) {
    for (Sentence& sentence : sentences) {
      sentence.key = uid + "|" + sentence.key;
      sentences_.push_back(std::move(sentence));
    }
  }

  // Whether the sentence at `j` may be about the same happening as the one at `i`.
  [[nodiscard]] bool together(std::size_t i, std::size_t j) const {
    const Nanoseconds apart = sentences_[j].at - sentences_[i].at;
    return std::max(apart, -apart) <= kTogether &&
           sentences_[i].container == sentences_[j].container;
  }

  // A first start that another plan decided once more, because it had not been made yet: containers
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

  // A fact that a decision beside it tells is not told again, whichever came first; but a stop's
  // grace period is.
  [[nodiscard]] bool told_twice(std::size_t i) {
    const Sentence& one = sentences_[i];
    if (decided_again(i)) return true;
    if (!one.is_exit && !one.is_start && !one.is_stop) return false;
    for (std::size_t j = 0; j < sentences_.size(); ++j) {
      Sentence& other = sentences_[j];
      if (j == i || !together(i, j)) continue;
      if (one.is_exit && !other.is_exit && other.tells_exit) return true;
      if (j > i) continue;  // what follows from a decision comes after it
      if (one.is_start && other.tells_start) return true;
      if (!one.is_stop || !other.tells_stop) continue;
      add_period(one, other);
      return true;
    }
    return false;
  }

  void drop_told_twice() {
    std::vector<bool> drop(sentences_.size(), false);
    for (std::size_t i = 0; i < sentences_.size(); ++i) drop[i] = told_twice(i);
    std::size_t index = 0;
    std::erase_if(sentences_, [&](const Sentence&) { return drop[index++]; });
  }

  // A berthd that was started again takes the decision again that the one before it took: that is
  // no second happening.
  void drop_taken_again() {
    std::set<std::string> occasions;
    std::map<std::string, WallTime> since;      // by key
    std::map<std::string, std::string> topics;  // what is told of each
    std::erase_if(sentences_, [&](const Sentence& one) {
      bool again = !one.occasion.empty() && !occasions.insert(one.key + "|" + one.occasion).second;
      if (one.since) {
        const auto [before, first] = since.try_emplace(one.key, *one.since);
        const Nanoseconds apart = *one.since - before->second;
        again = again || (!first && std::max(apart, -apart) <= kSameInstant);
        before->second = *one.since;
      }
      if (!one.topic.empty()) {
        std::string& told = topics[one.topic];
        again = again || told == one.key;
        told = one.key;
      }
      return again;
    });
  }

  // "… (30 s to end by itself)"
  static void add_period(const Sentence& fact, Sentence& decision) {
    const auto begin = fact.text.rfind(" (");
    const bool known = decision.text.find("to end by itself") != std::string::npos;
    if (known || begin == std::string::npos || !fact.text.ends_with("to end by itself)")) return;
    decision.text += fact.text.substr(begin);
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
  std::optional<ToldPlan> plan_{};
  // Of the incarnation that is being told:
  std::string phase_{};    // decided last
  std::string because_{};  // how the text of a state ends that needs no word of its own
  std::string cause_{};    // who ended the pod, as told already
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
        " It would not be admitted today ({}), and goes on, because what runs is not asked again.",
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
  if (!input.held.empty()) std::erase(next, kNothingDue);
  std::ranges::move(next, std::back_inserter(out.coming));
  return out;
}

}  // namespace berth::lifecycle
