// SPDX-License-Identifier: Apache-2.0

// What must hold of eviction: nobody who is exempt goes; one pod at most per pressure cycle; only
// what is due sends anybody, by a reading that was made for it; who went is never started again and
// comes back when the node is well; what the node reclaims itself delays no look, and nobody goes
// for that disk meanwhile; who has not been stopped in time is reported, once; conditions and
// taints stay for the transition period, and keep new pods out meanwhile. And somebody goes at all
// (eviction_duties.hpp).
//
// Also tells `Invariants` of the ends that eviction orders.
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
#include "tests/simulation/check.hpp"
#include "tests/simulation/invariants.hpp"
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
  // This node's pods are evicted by these settings, which outlive this.
  void set_settings(const agent::EvictionSettings& settings, eviction::FileSystemLayout layout) {
    settings_ = &settings;
    duties_.set_layout(layout);
  }

  // What berthd asked of the machine, and what it was given; each is answered now.
  void node_measured(agent::Freshness freshness, SteadyTime asked,
                     const eviction::NodeReadings& readings, bool layout_known);
  void pods_measured(const agent::PodList& pods, agent::PodDetail detail, SteadyTime asked,
                     const eviction::PodReadings& readings);
  void reclaim_begins();
  void reclaim_ends() { duties_.reclaim_ends(); }
  // A look is over.
  void looked();
  // What it tells.
  void conditions_are(const std::set<eviction::PressureCondition>& present, const api::Node& node);
  void evicted(const agent::EvictionReport& report);
  void exceeded_grace_period(const api::Pod& pod);
  void comes_back(const std::string& uid);

  void published(const lifecycle::PodPtr& pod) override;
  void sandbox_called(const cri::PodSandboxConfig& config) override;
  void start_called(const Instance& instance) override;
  // Nobody looks any more, however long the rest of berthd takes to end.
  void stops_looking() { duties_.berthd_ends(); }
  void agent_ends() override {
    awaited_.reset();
    duties_.berthd_ends();
  }
  void agent_restarted() override;
  void time_passes() override;

  // Of a pod as it is shown at the end of a run, when the node has been well for long.
  [[nodiscard]] std::optional<std::string> unsettled(const api::Pod& shown) const;

 private:
  // One look, from its first reading on.
  struct Look {
    agent::Freshness freshness{};
    SteadyTime asked{};
    Nanoseconds busy{};  // how long it waited for answers since
    bool layout_known = false;
    bool pods_are_new = false;
    std::set<std::string> in_detail{};  // uids of which each container was measured
    std::set<std::string> on_disk{};    // … and what they have on disk
    int evictions = 0;                  // for pressure
    eviction::NodeReadings node{};
    eviction::PodReadings pods{};
    agent::PodList active{};         // as they were measured
    std::set<std::string> judged{};  // uids of those that an eviction was decided among
  };
  struct Gone {
    std::string uid{};
    std::size_t life = 0;     // as in PodHistory: a pinned uid has several
    SteadyTime waited_for{};  // until then nobody follows it
  };
  // Of what is shown now.
  struct ShownSince {
    SteadyTime at{};
    std::set<std::string> let_in_before{};  // uids
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
  const agent::EvictionSettings* settings_ = nullptr;  // null: nobody is evicted
  std::optional<PressureModel> model_{};               // of this life of berthd
  Look look_{};
  EvictionDuties duties_;
  std::optional<Gone> last_victim_{};              // of this life, for pressure
  std::set<eviction::PressureCondition> shown_{};  // conditions
  ShownSince shown_since_{};
  std::set<std::string> ordered_{};                           // uids that eviction ordered to end
  std::map<eviction::PressureCondition, SteadyTime> seen_{};  // each condition: when last
  std::map<std::string, SteadyTime> final_since_{};           // evicted pods, by uid
  // By uid; unset: berthd ends, and the next one says who is late.
  std::optional<std::map<std::string, Awaited>> awaited_{};
  std::set<std::string> begun_{};  // uids that have asked for a sandbox
};

}  // namespace berth::simulation
