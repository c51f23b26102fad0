// SPDX-License-Identifier: Apache-2.0

// What must hold of the shutdown of the node: pods are stopped only while it is announced, the
// lower groups first, each within the shorter of its own period and its group's; nobody new is let
// in meanwhile; once it is over, or called off, everybody comes back who was stopped or refused,
// but for pods that are never to be restarted.
//
// Also tells `Invariants` of the ends that it orders. The groups are worked out here anew.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/clock.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/shutdown/shutdown_plan.hpp"
#include "tests/simulation/check.hpp"
#include "tests/simulation/invariants.hpp"

namespace berth::simulation {

class ShutdownInvariants final : public Check {
 public:
  ShutdownInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime) { runtime_ = &runtime; }
  void set_groups(lifecycle::ShutdownGroups groups) { groups_ = std::move(groups); }
  [[nodiscard]] const lifecycle::ShutdownGroups& groups() const { return groups_; }

  // What the world does.
  void is_announced(bool shutting_down);
  void wished(const std::string& uid) { wished_.try_emplace(uid, clock_.steady_now()); }
  // What berthd does, and tells.
  void berthd_heard(bool shutting_down);
  void is_ready(bool ready);
  void ordered(const api::Pod& pod, const lifecycle::Ending& ending);
  void all_stopped();
  void comes_back(const api::Pod& pod);

  void published(const lifecycle::PodPtr& pod) override;
  void removed(const lifecycle::PodPtr& pod) override;
  void sandbox_called(const cri::PodSandboxConfig& config) override;
  void agent_restarted() override;

  // Of a pod as it is shown at the end of a run.
  [[nodiscard]] std::optional<std::string> unsettled(const api::Pod& shown) const;

 private:
  struct Ordered {
    SteadyTime at{};
    std::size_t group = 0;
  };
  [[nodiscard]] std::size_t group_of(const api::Pod& pod) const;
  // Pods of groups before that one that run and had neither their turn nor their whole period.
  void check_groups_before(std::size_t group, const std::string& who);

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  lifecycle::ShutdownGroups groups_{};
  std::optional<SteadyTime> announced_{};
  bool ever_announced_ = false;
  std::optional<SteadyTime> heard_{};                 // by this berthd
  std::map<std::string, SteadyTime> wished_{};        // by uid: first
  std::map<std::string, Ordered> ordered_{};          // by uid, since it heard
  std::map<std::string, lifecycle::PodPtr> shown_{};  // by uid
  std::set<std::string> begun_{};                     // uids that have asked for a sandbox
};

}  // namespace berth::simulation
