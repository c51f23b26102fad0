// SPDX-License-Identifier: Apache-2.0

// A pod's story: the sentences that kinds of records yield, and what those need to know of earlier
// records. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/plan.hpp"

namespace berth::lifecycle {

struct Sentence {
  WallTime at{};
  std::string container{};  // empty for the pod as a whole
  std::string text{};
  std::string key{};  // sentences with the same key state the same for different times
  // Sentences with the same key and the same occasion are about one decision, which a restarted
  // berthd has taken again. If empty, each is a separate event.
  std::string occasion{};
  // Like `occasion`, but an instant, compared to within a second, because each berthd recomputes
  // it.
  std::optional<WallTime> since{};
  // What the sentence is about, if it holds only until another sentence with the same topic
  // follows.
  std::string topic{};
  bool reports_exit = false;                    // it includes how the container ended
  bool is_exit = false;                         // it states nothing else
  bool reports_start = false;                   // it includes that the container is started
  bool first_start = false;                     // for the first time in its sandbox
  bool is_start = false;                        // a fact that states that it runs
  bool reports_stop = false;                    // it includes that the container is stopped
  bool is_stop = false;                         // a fact that states just that
  std::optional<std::int64_t> grace_seconds{};  // with which a container is stopped
};

// A plan with its input, as recorded.
struct RecordedPlan {
  PlanInput question{};
  Plan plan{};
};

// Who ends the pod, as a sentence states it.
struct StatedEnd {
  EndCause cause{};
  bool forced = false;

  bool operator==(const StatedEnd&) const = default;
};

// What the story has covered of the incarnation so far.
struct StorySoFar {
  const api::Pod* shown = nullptr;     // as it is now; null if it no longer exists
  std::optional<RecordedPlan> plan{};  // the newest
  std::string phase{};                 // the last decision
  bool end_explained = false;          // a sentence states why the pod ends
  std::optional<StatedEnd> end{};      // the last one stated

  // The spec that distinguishes init containers and sidecars from others; null if unknown.
  [[nodiscard]] const api::Pod* spec() const { return plan ? &*plan->question.pod : shown; }
};

// One record to be turned into sentences.
struct StoryContext {
  const LedgerRecord& record;
  WallTime now{};
  StorySoFar& so_far;
};

[[nodiscard]] Sentence sentence_about(const LedgerRecord& record, const std::string& subject,
                                      const std::string& rule, std::string text);
// The sentences of any record, from its reasons alone.
[[nodiscard]] std::vector<Sentence> reason_sentences(const StoryContext& context);

}  // namespace berth::lifecycle
