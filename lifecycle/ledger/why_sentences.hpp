// One ledger record as sentences. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/decision_inputs.hpp"
#include "lifecycle/ledger/ledger.hpp"

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
  bool tells_exit = false;   // it says how the container ended
  bool is_exit = false;      // it says nothing else
  bool tells_start = false;  // it says that the container is started
  bool first_start = false;  // for the first time in its sandbox
  bool is_start = false;     // a fact that says that it runs
  bool tells_stop = false;   // it says that the container is stopped
  bool is_stop = false;      // a fact that says with which grace period
};

// A plan with what it was taken from, as a record has them.
struct ToldPlan {
  PlanValues values{};
  Plan plan{};
};

[[nodiscard]] std::vector<Sentence> plan_sentences(const LedgerRecord& record, const ToldPlan& told,
                                                   WallTime now);
[[nodiscard]] std::vector<Sentence> stops_sentences(const LedgerRecord& record,
                                                    const StopsValues& values,
                                                    const TerminationStep& step, WallTime now);
// None if nothing but the shown phase changed, or the plan's record says it.
[[nodiscard]] std::vector<Sentence> phase_sentences(const LedgerRecord& record,
                                                    const PhaseValues& values,
                                                    const PhaseDecision& decision);
// `ended`: it had ended before.
[[nodiscard]] std::vector<Sentence> grace_sentences(const LedgerRecord& record,
                                                    const GraceValues& values, bool ended);
// What is present is used without a word. `pod`: as of fact_sentences.
[[nodiscard]] std::vector<Sentence> image_sentences(const LedgerRecord& record,
                                                    const ImageDecision& decision,
                                                    const api::Pod* pod);
// That a hook is run, a fact tells.
[[nodiscard]] std::vector<Sentence> pre_stop_sentences(const LedgerRecord& record,
                                                       const api::Pod* pod);
// One that takes effect is told by the grace period that follows from it.
[[nodiscard]] std::vector<Sentence> deletion_sentences(const LedgerRecord& record);
// `pod` (may be null) tells init containers and sidecars from others.
[[nodiscard]] std::vector<Sentence> fact_sentences(const LedgerRecord& record, const api::Pod* pod);
// Of any record, by its reasons alone.
[[nodiscard]] std::vector<Sentence> reason_sentences(const LedgerRecord& record,
                                                     const api::Pod* pod);

}  // namespace berth::lifecycle
