// SPDX-License-Identifier: Apache-2.0

// What kinds of records make of a pod's story: sentences, and what they need to know of the records
// before. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/plan.hpp"

namespace berth::lifecycle {

struct Sentence {
  WallTime at{};
  std::string container{};  // empty: the pod as a whole
  std::string text{};
  std::string key{};  // sentences with the same key say the same of another time
  // Sentences with the same key and the same occasion tell of one decision: a berthd that was
  // started again has taken it again. Empty: each is another happening.
  std::string occasion{};
  // The same, with an instant that every berthd computes for itself and none to the nanosecond.
  std::optional<WallTime> since{};
  // It holds until another sentence about the same is told: what this names.
  std::string topic{};
  bool tells_exit = false;                      // it says how the container ended
  bool is_exit = false;                         // it says nothing else
  bool tells_start = false;                     // it says that the container is started
  bool first_start = false;                     // for the first time in its sandbox
  bool is_start = false;                        // a fact that says that it runs
  bool tells_stop = false;                      // it says that the container is stopped
  bool is_stop = false;                         // a fact that says so
  std::optional<std::int64_t> grace_seconds{};  // with which a container is stopped
};

// A plan with what it was taken from, as a record has them.
struct ToldPlan {
  PlanInput question{};
  Plan plan{};
};

// What was told of the incarnation so far.
struct StorySoFar {
  const api::Pod* shown = nullptr;  // as it is now; null: it is gone
  std::optional<ToldPlan> plan{};   // the newest
  std::string phase{};              // decided last
  std::string because{};            // why a state is entered that needs no word of its own
  std::string cause{};              // who ended the pod; a clause

  // Tells init containers and sidecars from others; null: nothing is known of it.
  [[nodiscard]] const api::Pod* spec() const { return plan ? &*plan->question.pod : shown; }
};

// One record that is told.
struct Telling {
  const LedgerRecord& record;
  WallTime now{};
  StorySoFar& so_far;
};

[[nodiscard]] Sentence sentence_about(const LedgerRecord& record, const std::string& subject,
                                      const std::string& rule, std::string text);
// Of any record, by its reasons alone.
[[nodiscard]] std::vector<Sentence> reason_sentences(const Telling& telling);

}  // namespace berth::lifecycle
