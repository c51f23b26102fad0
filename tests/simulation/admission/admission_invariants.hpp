// SPDX-License-Identifier: Apache-2.0

// What must be true of admission: no pod is preempted for a pod of no higher priority, the node
// preempts pods only for a critical one that has to run on it and lacks room, no pod is refused for
// a reason that does not hold, no pod is admitted beside a pod that its anti-affinity excludes, or
// to a node whose taint it does not tolerate.
//
// The rules are derived here from manifests and the running pods, never by asking the code under
// test.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/clock.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class AdmissionInvariants final : public Check {
 public:
  AdmissionInvariants(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void look_at(const SimulatedRuntime& runtime) { runtime_ = &runtime; }
  // `events` receives the events as well.
  void hand_on_to(lifecycle::PodEvents& events) { events_ = &events; }
  void set_node(bool tainted, std::int64_t most_pods) {
    tainted_ = tainted;
    most_pods_ = most_pods;
  }
  // The pod already runs, without having been admitted.
  void left_by_kubelet(const std::string& uid) { unasked_.insert(uid); }

  void published(const lifecycle::PodPtr& pod) override { shown_.insert(pod->metadata.uid); }
  void removed(const lifecycle::PodPtr& pod) override { shown_.erase(pod->metadata.uid); }
  void agent_restarted() override;
  void record(const api::Pod& pod, const lifecycle::PodEvent& event) override;
  void sandbox_called(const cri::PodSandboxConfig& config) override;

  // For a pod that waits at the end of a run: why, according to its status, it need not. Unset if
  // it has to.
  [[nodiscard]] std::optional<std::string> needs_not_wait(const api::Pod& pod) const;

 private:
  // During the run, a pod that has ended may still occupy its room.
  enum class When : std::uint8_t { kNow, kAtTheEnd };
  [[nodiscard]] bool has_room(const std::string& uid, const PodHistory& history, When when) const;
  [[nodiscard]] bool finds_no_room(const api::Pod& pod, When when) const;
  [[nodiscard]] bool is_kept_out(const api::Pod& pod, When when) const;
  void preempted(const api::Pod& victim, const std::string& message);
  void preempted_by_node(const api::Pod& victim, const std::string& message);

  const Clock& clock_;
  Invariants& invariants_;
  lifecycle::PodEvents* events_ = nullptr;
  const SimulatedRuntime* runtime_ = nullptr;
  bool tainted_ = false;
  std::int64_t most_pods_ = 0;
  std::set<std::string> unasked_{};
  std::set<std::string> begun_{};  // uids with a requested sandbox
  // Uids shown in this life of berthd.
  std::set<std::string> shown_{};
  std::set<std::string> resumed_{};  // admitted before this life began
};

}  // namespace berth::simulation
