// SPDX-License-Identifier: Apache-2.0

// The kinds of recorded decisions, and what can be done with a decision of any kind.
//
// A kind is one file (kinds/): the question that a decision answers, the function that decides, its
// reasons, what counts as news, and its sentences for `berthctl why`; kind.hpp defines the form.
// Kinds are registered in the list below. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::node {
struct Admission;
}
namespace berth::probes {
struct Judgement;
}

// KIND(question, decision); types are in namespace lifecycle unless qualified.
#define BERTH_LEDGER_KINDS(KIND)               \
  KIND(PlanInput, Plan)                        \
  KIND(StopsQuestion, TerminationStep)         \
  KIND(SingleStopQuestion, TerminationStep)    \
  KIND(AdmissionQuestion, node::Admission)     \
  KIND(PhaseQuestion, PhaseDecision)           \
  KIND(GraceQuestion, GraceDecision)           \
  KIND(ImageQuestion, ImageDecision)           \
  KIND(SetupQuestion, SetupDecision)           \
  KIND(ProbeQuestion, probes::Judgement)       \
  KIND(ReadinessQuestion, ReadinessDecision)   \
  KIND(ContainersQuestion, ContainersDecision) \
  KIND(HoldQuestion, HoldDecision)             \
  KIND(StoreWaitQuestion, StoreWaitDecision)   \
  KIND(TrimQuestion, TrimDecision)             \
  KIND(PreStopQuestion, PreStopStep)           \
  KIND(DeletionQuestion, DeletionPeriod)       \
  KIND(CollectionQuestion, CollectionDecision) \
  KIND(LossQuestion, LossDecision)             \
  KIND(IncarnationQuestion, IncarnationChoice) \
  KIND(AdoptionQuestion, AdoptionDecision)     \
  KIND(EvictionQuestion, EvictionRecord)       \
  KIND(ImageCollectionQuestion, ImageCollection)

namespace berth::lifecycle {

struct Sentence;
struct StoryContext;

// The kind that no story states (shown_containers.hpp): whoever reads a pod's records for their
// sentences or reasons leaves it out.
inline constexpr std::string_view kLedgerContainers = "containers";

// What a decision states, to compare it with the previous decision of the same kind about the same
// subject: only what is new is recorded (pod_ledger.hpp).
struct News {
  std::string subject{};                // a container; empty for the pod
  std::optional<std::uint64_t> says{};  // value_hash.hpp; unset if it is always news
  bool quiet = false;  // nothing is to be done: news only if the previous one waited
  bool waits = false;
};

class AnyKind {
 public:
  AnyKind() = default;
  AnyKind(const AnyKind&) = delete;
  AnyKind& operator=(const AnyKind&) = delete;
  virtual ~AnyKind() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  // Takes the decision again from this record's inputs and returns the record that it yields. The
  // error is kInvalid and names the input that is missing or does not fit.
  [[nodiscard]] virtual Result<LedgerRecord> decide_again(const LedgerRecord& record) const = 0;
  // For a record that this version cannot read, the sentences are its reasons.
  [[nodiscard]] virtual std::vector<Sentence> sentences(const StoryContext& context) const = 0;
};

template <class Question, class Decision>
class KindOf : public AnyKind {
 public:
  [[nodiscard]] virtual LedgerRecord record(const Question& question, const Decision& decision,
                                            WallTime at) const = 0;
  // Unset if the decision is not worth a record.
  [[nodiscard]] virtual std::optional<News> news(const Question& question,
                                                 const Decision& decision) const = 0;
};

template <class Question, class Decision>
[[nodiscard]] const KindOf<Question, Decision>& kind_of();

#define BERTH_DECLARE_KIND(Question, Decision) \
  template <>                                  \
  const KindOf<struct Question, struct Decision>& kind_of<struct Question, struct Decision>();
BERTH_LEDGER_KINDS(BERTH_DECLARE_KIND)
#undef BERTH_DECLARE_KIND

// By the name used in records; null if unknown to this version.
[[nodiscard]] const AnyKind* find_kind(std::string_view name);

template <class Question, class Decision>
[[nodiscard]] LedgerRecord decision_record(const Question& question, const Decision& decision,
                                           WallTime at) {
  return kind_of<Question, Decision>().record(question, decision, at);
}

}  // namespace berth::lifecycle
