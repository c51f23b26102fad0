// SPDX-License-Identifier: Apache-2.0

// What must be true of probes, derived from the answers that berthd got and from the statuses and
// events it publishes.
//
// No container is killed for its liveness or startup before failureThreshold consecutive failing
// answers, nor before failureThreshold periods since it started and its initial delay; no other
// probe runs before startup has passed; no container is shown ready or started without a passed
// probe, where a stored result counts, and so does having been running when taken over; a container
// that the store has as ready stays ready across a restart of berthd until an answer contradicts
// it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/invariants_cadence.hpp"
#include "tests/simulation/invariants/invariants_duties.hpp"
#include "tests/simulation/simulated_handlers.hpp"

namespace berth::simulation {

class ProbeInvariants final : public ProbeListener,
                              public lifecycle::StatusSink,
                              public lifecycle::PodEvents {
 public:
  ProbeInvariants(Clock& clock, Invariants& invariants) : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime, const SimulatedStore& store) {
    runtime_ = &runtime;
    store_ = &store;
  }

  // `duties` is notified when a probe reaches its failureThreshold, `cadence` when one runs and is
  // answered.
  void report_to(DutyInvariants& duties, CadenceInvariants& cadence) {
    duties_ = &duties;
    cadence_ = &cadence;
  }

  // Counting begins anew, from what the store has.
  void agent_restarted();

  // ProbeListener
  bool probe_asked(const AskedProbe& asked) override;
  void probe_answered(const AskedProbe& asked, const probes::Attempt& attempt) override;

  // StatusSink
  void published(const PodPtr& pod) override;
  void removed(const PodPtr& /*pod*/) override {}

  // PodEvents
  void record(const api::Pod& pod, const lifecycle::PodEvent& event) override;

  // In the end readiness is shown as the answers require. Returns the first container for which it
  // is not; unset if there is none.
  [[nodiscard]] std::optional<std::string> unsettled(const api::Pod& shown) const;

 private:
  // The answers to one probe in this life of berthd; the numbers are those of one container.
  struct Answers {
    std::string of{};  // the container's id
    int failing = 0;
    int passing = 0;
    std::set<std::string> passed{};  // ids of containers
    std::optional<bool> decided{};
    bool has_failed = false;  // for this berthd
    SteadyTime decided_at{};
    std::string id{};  // of the container that these are about
    int counted = 0;   // failures, since they count for it
    SteadyTime passed_at{};
  };
  struct Target {
    std::string uid{};
    const api::Container* container = nullptr;
    const Instance* instance = nullptr;  // null if none is meant
  };
  enum class Kept { kNothing, kUnknown, kSuccess, kFailure };

  [[nodiscard]] Target target_of(const AskedProbe& asked) const;
  [[nodiscard]] Answers& answers(const std::string& uid, const std::string& container,
                                 const std::string& type) {
    return answers_[uid + "|" + container + "|" + type];
  }
  [[nodiscard]] Kept kept(const std::string& uid, const std::string& type,
                          const std::string& id) const;
  [[nodiscard]] bool has_passed(const std::string& uid, const std::string& container,
                                const std::string& type, const std::string& id);
  void count_answer(const Target& target, const AskedProbe& asked, const api::Probe& probe,
                    const probes::Attempt& attempt);
  void count_failure(const Target& target, const AskedProbe& asked, const api::Probe& probe,
                     bool passed, Nanoseconds took);
  void check_shown(const api::Pod& pod, const api::Container& spec,
                   const api::ContainerStatus& status);
  void check_periods(const api::Pod& pod, const api::Container& container, const std::string& type);
  [[nodiscard]] const Instance* newest_started(const api::Pod& pod,
                                               const std::string& container) const;
  void kill_alone(const api::Pod& pod, const lifecycle::PodEvent& event,
                  std::optional<std::chrono::seconds> grace);
  void check_flap(const api::Pod& pod, const api::Container& spec, const std::string& id);

  Clock& clock_;
  Invariants& invariants_;
  DutyInvariants* duties_ = nullptr;
  CadenceInvariants* cadence_ = nullptr;
  const SimulatedRuntime* runtime_ = nullptr;
  const SimulatedStore* store_ = nullptr;
  std::map<std::string, Answers> answers_{};
  // As this life of berthd found them.
  std::map<std::string, lifecycle::ProbeResults> stored_{};  // by uid
  std::set<std::string> running_{};                          // ids of containers
};

}  // namespace berth::simulation
