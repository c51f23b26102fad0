// SPDX-License-Identifier: Apache-2.0

// What must hold of eviction: no exempt pod is evicted; at most one pod per pressure cycle is; only
// a threshold that is due evicts a pod, by a reading that was made for it; an evicted pod is never
// started again and comes back as a new incarnation when the node is well; the node's own
// reclaiming delays no look, and no pod is evicted for that disk meanwhile; a pod that was not
// stopped in time is reported, once; conditions and taints stay for the transition period, and keep
// new pods out meanwhile. And pods are evicted at all (eviction_duties.hpp).
//
// Also notifies `Invariants` of the ends that eviction orders.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/eviction/eviction_report.hpp"
#include "agent/eviction/reading_source.hpp"
#include "api/node.hpp"
#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/pressure/eviction_duties.hpp"
#include "tests/simulation/pressure/pressure_model.hpp"

namespace berth::simulation {

class PressureInvariants final : public Check {
 public:
  PressureInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants), duties_(clock, invariants) {}
  void look_at(const SimulatedRuntime& runtime, const SimulatedStore& store) {
    runtime_ = &runtime;
    store_ = &store;
  }
  // This node's pods are evicted by these settings, which outlive this object.
  void set_settings(const agent::EvictionSettings& settings, eviction::FileSystemLayout layout) {
    settings_ = &settings;
    duties_.set_layout(layout);
  }

  // What berthd asked the machine to measure, and the answer; called at the time of the answer.
  void node_measured(agent::Freshness freshness, SteadyTime asked,
                     const eviction::NodeReadings& readings, bool layout_known);
  void pods_measured(const agent::PodList& pods, agent::PodDetail detail, SteadyTime asked,
                     const eviction::PodReadings& readings);
  void reclaim_begins(eviction::NodeReclaim what);
  void reclaim_ends() { duties_.reclaim_ends(); }
  // A look is over.
  void looked();
  // What berthd publishes.
  void conditions_are(const std::set<eviction::PressureCondition>& present, const api::Node& node);
  void evicted(const agent::EvictionReport& report);
  void exceeded_grace_period(const api::Pod& pod);
  // The answer to whether the pod may be admitted as far as pressure is concerned.
  void answered_admission(const api::Pod& pod, bool may_enter);
  void comes_back(const std::string& uid);

  void published(const lifecycle::PodPtr& pod) override;
  void sandbox_called(const cri::PodSandboxConfig& config) override;
  void start_called(const Instance& instance) override;
  // Eviction looks no more, however long the rest of berthd takes to end.
  void stops_looking() { duties_.berthd_ends(); }
  void agent_ends() override { awaited_.reset(); }
  void agent_restarted() override;
  void time_passes() override;

  // What is wrong with a pod's status at the end of a run, when the node has been well for long.
  [[nodiscard]] std::optional<std::string> unsettled(const api::Pod& shown) const;

 private:
  // One look of eviction, from its first reading on.
  struct Look {
    agent::Freshness freshness{};
    SteadyTime asked{};
    Nanoseconds busy{};  // how long it has waited for answers since
    bool layout_known = false;
    bool pods_are_new = false;
    std::set<std::string> in_detail{};  // uids of pods with every container measured
    std::set<std::string> on_disk{};    // … and with their disk use measured
    int evictions = 0;                  // for pressure
    eviction::NodeReadings node{};
    eviction::PodReadings pods{};
    agent::PodList active{};                     // as they were measured
    std::map<std::string, std::size_t> lives{};  // theirs then, as in PodHistory, by uid
    std::set<std::string> judged{};              // uids of the candidates of an eviction
  };
  struct Gone {
    std::string uid{};
    std::size_t life = 0;     // as in PodHistory: a pinned uid has several
    SteadyTime waited_for{};  // until then no other pod is evicted
  };
  // Since when the current conditions are shown, and uids of pods.
  struct ShownSince {
    SteadyTime at{};
    std::set<std::string> let_in_before{};
    std::set<std::string> let_in{};  // by this berthd, when no condition kept them out
  };
  // An order of this life.
  struct Awaited {
    SteadyTime ordered{};
    SteadyTime late{};  // from then on
    bool reported = false;
  };

  void forget_finished_victim();
  void check_readings(const eviction::Eviction& eviction);
  void check_victim(const api::Pod& pod);
  void check_for_pressure(const eviction::Eviction& eviction, const api::Pod& pod);
  void check_rank(const api::Pod& victim, eviction::Signal signal);
  [[nodiscard]] EvictionDuties::Owed owed() const;
  [[nodiscard]] bool can_go(const std::string& uid, const PodHistory& pod,
                            eviction::Signal signal) const;
  [[nodiscard]] const eviction::PodReading* reading_of(const std::string& uid) const;
  [[nodiscard]] bool has_gone(const std::string& uid) const;
  [[nodiscard]] bool is_over(const api::Pod& listed) const;
  void check_limits(const eviction::Eviction& eviction, const api::Pod& pod);
  void order(const eviction::Eviction& eviction, const api::Pod& pod);
  [[nodiscard]] bool runs_late(const std::string& uid, const Awaited& awaited) const;
  [[nodiscard]] bool was_evicted(const std::string& uid) const;
  void shortness_begins();
  [[nodiscard]] bool keeps_out(const api::Pod& pod) const;

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  const SimulatedStore* store_ = nullptr;
  const agent::EvictionSettings* settings_ = nullptr;  // if null, no pod is evicted
  std::optional<PressureModel> model_{};               // of this life of berthd
  Look look_{};
  EvictionDuties duties_;
  std::optional<Gone> last_victim_{};              // of this life, for pressure
  std::set<eviction::PressureCondition> shown_{};  // conditions
  ShownSince shown_since_{};
  std::map<std::string, std::size_t> ordered_{};  // by uid: the life eviction ordered to end
  std::map<eviction::PressureCondition, SteadyTime> seen_{};  // each condition: when last
  std::map<std::string, SteadyTime> final_since_{};           // evicted pods, by uid
  // By uid; unset while berthd ends, as the next one reports which are late.
  std::optional<std::map<std::string, Awaited>> awaited_{};
  std::set<std::string> begun_{};  // uids with a requested sandbox
};

}  // namespace berth::simulation
