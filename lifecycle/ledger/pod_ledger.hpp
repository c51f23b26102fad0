// One pod's side of the ledger: remembers what was decided last, and writes what is new.
//
// Owned by whoever decides for the pod; told every decision it takes, in order, and every fact.
// Without a ledger it does nothing. Loop thread only; the ledger outlives it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/decision_inputs.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/termination_order.hpp"
#include "node/admission.hpp"

namespace berth::lifecycle {

class PodLedger {
 public:
  explicit PodLedger(Ledger* ledger) : ledger_(ledger) {}  // null: nothing is written

  void planned(const PlanInput& input, const Plan& plan);
  // `at`: the wall time of `input.now`.
  void stopping(const StopsInput& input, const TerminationStep& step, WallTime at);
  // Always written: it is asked once for a pod.
  void judged(const AdmissionInput& input, const node::Admission& admission, WallTime at);
  // Always written: told when the phase changes, or the one that is shown.
  void phase_decided(const PhaseQuestion& question, const PhaseDecision& decision, WallTime at);
  // Written if it is another period than before.
  void grace_decided(const GraceQuestion& question, const GraceDecision& decision, WallTime at);
  // Written if the container's last one had another image or policy, or came out otherwise.
  void image_decided(const ImageQuestion& question, const ImageDecision& decision, WallTime at);
  // Written once for each step of a stop, where there is a hook. `at`: as of stopping().
  void pre_stop_decided(const PreStopQuestion& question, const PreStopStep& step, WallTime at);
  // Always written: each is taken once for what brought it about.
  void deletion_decided(const DeletionQuestion& question, const DeletionPeriod& period,
                        WallTime at);
  void collection_decided(const CollectionQuestion& question, const CollectionDecision& decision,
                          WallTime at);
  void loss_decided(const LossQuestion& question, const LossDecision& decision, WallTime at);
  // `container` is empty for the pod as a whole.
  void happened(const api::Pod& pod, WallTime at, std::string action, std::string container,
                std::string text);

 private:
  Ledger* ledger_;
  std::optional<Plan> plan_{};
  std::optional<TerminationStep> step_{};
  struct Image {
    std::string image{};
    std::string policy{};
    ImageDecision decision{};
    bool operator==(const Image&) const = default;
  };
  std::map<std::string, Image> images_{};  // by container name
  struct Hook {
    SteadyTime stop_began{};
    PreStopStep step{};
    bool operator==(const Hook&) const = default;
  };
  std::map<std::string, Hook> pre_stops_{};  // likewise
};

}  // namespace berth::lifecycle
