// SPDX-License-Identifier: Apache-2.0

// Which containers of an ending pod get their stop signal now (termination_order.hpp).
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/termination_order.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(StopsQuestion, (), (pod, containers, now))

namespace {

using DecodedStops = Decoded<StopsQuestion, TerminationStep>;

std::optional<News> news(const StopsQuestion& /*question*/, const TerminationStep& step) {
  return News{.says = value_hash(step.stop_now, step.give_up_hook, step.look_again_at),
              .quiet = step.stop_now.empty() && step.give_up_hook.empty() && !step.look_again_at};
}

class StopsDescription {
 public:
  explicit StopsDescription(const DecodedStops& decoded)
      : record_(decoded.record),
        question_(decoded.question),
        step_(decoded.decision),
        now_(decoded.context.now) {}

  std::vector<Sentence> sentences() {
    for (const StopNow& stop : step_.stop_now) describe_stop(stop);
    std::vector<std::string> running;
    running.reserve(question_.containers->size());
    for (const StoppingContainer& container : *question_.containers)
      running.push_back(container.name);
    const TerminationOrder order = termination_order(question_.pod, running);
    for (const StoppingContainer& container : *question_.containers) {
      const auto waits = order.waits_for.find(container.name);
      if (waits != order.waits_for.end()) describe_wait(container, waits->second);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string who(const std::string& name) const {
    return container_text(&*question_.pod, name);
  }

  void describe_stop(const StopNow& stop) {
    const auto reason = std::ranges::find(step_.reasons, stop.name, &Reason::subject);
    const std::string rule = reason == step_.reasons.end() ? std::string(kStopRule) : reason->rule;
    std::string text = stop_text(who(stop.name), stop.timeout_seconds);
    if (rule != kStopRule) text += ", because " + reason->text;
    Sentence sentence = sentence_about(record_, stop.name, "stops/" + rule, std::move(text));
    sentence.reports_stop = true;
    sentence.grace_seconds = stop.timeout_seconds;
    sentence.since = begun(stop.name);
    out_.push_back(std::move(sentence));
  }

  void describe_wait(const StoppingContainer& container, const std::set<std::string>& others) {
    const bool stops_now = std::ranges::any_of(
        step_.stop_now, [&](const StopNow& stop) { return stop.name == container.name; });
    if (container.signalled || stops_now) return;
    const SteadyTime end = container.begun_at + std::chrono::seconds(container.grace_seconds);
    const std::string until = clock_text(record_.at + (end - question_.now), now_);
    std::string text;
    if (!container.hook_done_at) {
      text = hook_text(who(container.name), until);
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
    const auto& containers = *question_.containers;
    const auto found = std::ranges::find(containers, name, &StoppingContainer::name);
    if (found == containers.end()) return std::nullopt;
    return record_.at + (found->begun_at - question_.now);
  }

  const LedgerRecord& record_;
  const StopsQuestion& question_;
  const TerminationStep& step_;
  WallTime now_;
  std::vector<Sentence> out_{};
};

}  // namespace

template <>
const KindOf<StopsQuestion, TerminationStep>& kind_of() {
  static const RecordedKind kKind(Kind<StopsQuestion, TerminationStep>{
      .name = "stops",
      .decide = decide_stops,
      .reasons = [](const auto& /*question*/, const auto& step) { return step.reasons; },
      .next = [](const auto& question, const auto& step, WallTime at) -> std::optional<WallTime> {
        if (!step.look_again_at) return std::nullopt;
        return at + (*step.look_again_at - question.now);
      },
      .news = news,
      .describe =
          [](const DecodedStops& decoded) { return StopsDescription(decoded).sentences(); }});
  return kKind;
}

}  // namespace berth::lifecycle
