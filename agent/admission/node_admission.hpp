// SPDX-License-Identifier: Apache-2.0

// Admission on a standalone node: first the kubelet's checks, which word the refusal, then those
// that only the scheduling core can make.
//
// The order, for each pod:
//   1. The kubelet's own checks. A pod that they refuse is Failed, unless an empty node would take
//      it: then the scheduling core says which pods of lower priority must be preempted first.
//   2. The core, with the profile that spec.schedulerName names. A pod that it refuses stays
//      Pending.
// A pod whose manifest sets spec.nodeName only meets the first. If it is critical and only lacks
// resources, the node terminates pods for it by the kubelet's rule (node/critical_preemption). No
// other pod is admitted until they have ended or their grace periods are over, because the kubelet
// handles no other pod meanwhile either.
//
// A value with memory: the time is passed in, and it publishes nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/admission/node_scheduler.hpp"
#include "lifecycle/admission/pod_admission.hpp"
#include "scheduling/configuration/read_configuration.hpp"
#include "scheduling/disruption/budget_book.hpp"
#include "scheduling/queue/scheduling_queue.hpp"

namespace berth::agent {

class NodeAdmission final : public lifecycle::PodAdmission {
 public:
  // `budgets` outlives this.
  NodeAdmission(scheduling::SchedulerSettings settings, const scheduling::BudgetBook& budgets,
                std::shared_ptr<const node::NodeView> view, std::shared_ptr<const api::Node> node);

  // The namespaces that the manifest folder defines.
  void set_namespaces(std::vector<api::Namespace> stated);

  void set_node(std::shared_ptr<const node::NodeView> view, std::shared_ptr<const api::Node> node,
                SteadyTime now) override;
  void want(lifecycle::PodPtr pod, lifecycle::WhenShort when_short, SteadyTime now) override;
  void withdraw(const std::string& uid, SteadyTime now) override;
  [[nodiscard]] bool any_wanted() const override { return !wanted_.empty(); }
  [[nodiscard]] std::optional<lifecycle::AdmissionAnswer> next(
      const lifecycle::Occupants& occupants, SteadyTime now, WallTime wall) override;
  [[nodiscard]] std::optional<SteadyTime> look_again() const override;
  [[nodiscard]] std::vector<std::string> newly_late_victims(SteadyTime now) override;
  [[nodiscard]] std::vector<lifecycle::RefusedToday> refused_today(
      const std::vector<lifecycle::PodPtr>& running) const override;

  // kubelet_preemptions, from the first one on.
  void write_metrics(std::string& out) const;

 private:
  struct Wanted {
    lifecycle::PodPtr pod{};  // as in the queue: with its nomination
    lifecycle::WhenShort when_short = lifecycle::WhenShort::kIsRefused;
    bool is_kept_away = false;  // by another pod; retried when a pod leaves
  };
  // What a critical pod waits for.
  struct RoomMade {
    std::vector<std::string> victims{};  // uids of those that have not ended
    SteadyTime until{};                  // no other pod is admitted before
    bool late = false;                   // until has passed, and the victims have been reported
  };
  [[nodiscard]] lifecycle::NodeCheck check(const lifecycle::PodPtr& pod,
                                           std::vector<lifecycle::PodPtr> active) const;
  [[nodiscard]] bool fits_empty_node(const api::Pod& pod) const;
  [[nodiscard]] std::optional<lifecycle::AdmissionAnswer> answer_at_once(
      const lifecycle::Occupants& occupants, SteadyTime now);
  [[nodiscard]] bool make_room(lifecycle::AdmissionAnswer& answer, SteadyTime now);
  void retry_kept_away();
  void notice_ended_victims(const lifecycle::Occupants& occupants);
  [[nodiscard]] std::optional<SteadyTime> held_back_until(SteadyTime now) const;
  lifecycle::AdmissionAnswer try_pod(const lifecycle::PodPtr& pod,
                                     const lifecycle::Occupants& occupants, SteadyTime now,
                                     WallTime wall);
  void settle(const std::string& uid);
  void keep_waiting(lifecycle::AdmissionAnswer& answer, const Placement& placement, SteadyTime now);
  void set_nomination(const std::string& uid, const std::string& node_name, SteadyTime now);
  void notify_queue(const NodeScheduler::Events& events, SteadyTime now);

  scheduling::SchedulerSettings settings_;
  const scheduling::BudgetBook& budgets_;
  std::shared_ptr<const node::NodeView> view_;
  std::shared_ptr<const api::Node> node_;
  std::vector<api::Namespace> namespaces_{};
  NodeScheduler scheduler_;
  scheduling::SchedulingQueue queue_;
  std::map<std::string, Wanted> wanted_{};         // by uid
  std::deque<std::string> at_once_{};              // uids of pods that skip the core
  std::map<std::string, RoomMade> making_room_{};  // by uid of the critical pod
  SteadyTime asked_at_{};                          // last call of `next`
  // The number of pods that made room, by the resource that was missing first.
  std::map<std::string, std::uint64_t> preemptions_{};
};

}  // namespace berth::agent
