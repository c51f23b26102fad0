// SPDX-License-Identifier: Apache-2.0

// What must hold of the shutdown of the node: pods are stopped only while it is announced, the
// lower groups first, each within the shorter of its own grace period and its group's; no new pod
// is admitted meanwhile; once it is over, or cancelled, every pod that was stopped or refused comes
// back, except pods that are never to be restarted.
//
// Also notifies `Invariants` of the ends that the shutdown orders. The groups are computed here
// independently.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/clock.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/shutdown/shutdown_plan.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

enum class MachineEnd : std::uint8_t {
  kNone,
  kAnnounced,    // by the login manager
  kUnannounced,  // berthd may be stopped without knowing why
};

class ShutdownInvariants final : public Check {
 public:
  ShutdownInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime) { runtime_ = &runtime; }
  void set_groups(lifecycle::ShutdownGroups groups) { groups_ = std::move(groups); }
  [[nodiscard]] const lifecycle::ShutdownGroups& groups() const { return groups_; }

  // What the world does.
  void ends(MachineEnd end);
  void desired(const std::string& uid) { desired_.try_emplace(uid, clock_.steady_now()); }
  // What berthd does, and publishes.
  void berthd_heard(bool shutting_down);
  void is_ready(bool ready);
  void ordered(const api::Pod& pod, const lifecycle::Ending& ending);
  void all_stopped();
  void comes_back(const api::Pod& pod);

  void published(const lifecycle::PodPtr& pod) override;
  void removed(const lifecycle::PodPtr& pod) override;
  void sandbox_called(const cri::PodSandboxConfig& config) override;
  void agent_restarted() override;

  // What is wrong with a pod's status at the end of a run.
  [[nodiscard]] std::optional<std::string> unsettled(const api::Pod& shown) const;

 private:
  struct Ordered {
    SteadyTime at{};
    std::size_t group = 0;
  };
  [[nodiscard]] std::size_t group_of(const api::Pod& pod) const;
  // Finds running pods of earlier groups that had neither their turn nor their whole grace period.
  void check_groups_before(std::size_t group, const std::string& who);

  const Clock& clock_;
  Invariants& invariants_;
  const SimulatedRuntime* runtime_ = nullptr;
  lifecycle::ShutdownGroups groups_{};
  MachineEnd end_ = MachineEnd::kNone;
  bool ever_announced_ = false;
  std::optional<SteadyTime> heard_{};                 // when this berthd was notified
  std::map<std::string, SteadyTime> desired_{};       // by uid: first
  std::map<std::string, Ordered> ordered_{};          // by uid, since it heard
  std::map<std::string, lifecycle::PodPtr> shown_{};  // by uid
  std::set<std::string> begun_{};                     // uids with a requested sandbox
};

}  // namespace berth::simulation
