// SPDX-License-Identifier: Apache-2.0

// Whether a pod may run on this node: the pod set's questions and their answers.
//
// A new pod is wanted (`want`) until it gets a final answer or is withdrawn; `next` returns the
// answers one by one, in the order in which pods are tried. A pod that cannot be placed now stays
// wanted, and is tried again when a change could help. Each call of `next` passes the pods on the
// node; the admission derives the changes.
//
// An interface; implementations hold no timer, log nothing and call nobody back. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/pod_events.hpp"
#include "node/admission.hpp"
#include "node/node_config.hpp"

namespace berth::lifecycle {

// A pod that occupies room on the node.
struct Occupant {
  PodPtr pod{};
  PodPtr shown{};       // with its status; null if nothing of it is shown yet
  bool ending = false;  // somebody ordered its end
};
using Occupants = std::vector<Occupant>;

// What a pod does while the node lacks room for it.
enum class WhenShort : std::uint8_t {
  kIsRefused,  // as by the kubelet
  kWaits,      // until there is room: it was preempted by a pod of higher priority
};

// The input of the kubelet's own checks, and their result. Owns all of it.
struct NodeCheck {
  std::shared_ptr<const node::NodeView> view{};
  std::shared_ptr<const api::Node> node{};
  std::vector<PodPtr> active{};  // without the pod itself
  node::Admission admission{};
};

enum class AdmissionOutcome : std::uint8_t {
  kAdmitted,
  kRefused,        // by the node's own checks; Failed, for good
  kUnschedulable,  // Pending; tried again when something changed that could help
  kMakesRoom,      // critical, and placed here: Pending until its victims have ended
};

struct AdmissionAnswer {
  PodPtr pod{};  // the pod in question
  AdmissionOutcome outcome = AdmissionOutcome::kAdmitted;
  NodeCheck check{};
  bool scheduled = false;  // the scheduling core has placed it as well
  // For an unschedulable pod: Unschedulable or SchedulerError, with the scheduling core's message.
  // For a pod that is refused because the choice of victims failed: the kubelet's reason and
  // message, which replace those of `check`.
  std::string reason{};
  std::string message{};
  std::string event_message{};  // the same, truncated to the length that an event allows
  // Uids of the pods that have to make room for it, in the order in which they end: deleted if the
  // pod is unschedulable, ordered to end as preempted by the node if the outcome is kMakesRoom.
  std::vector<std::string> victims{};
  std::string nominated_node{};  // where it waits for their end; empty if nowhere
  // The message of each victim's condition DisruptionTarget.
  std::string victim_message{};
};

// A pod that the node admitted once and would no longer admit.
struct RefusedToday {
  std::string uid{};
  std::string reason{};  // NodeAffinity, OutOfcpu, Unschedulable …
  std::string message{};
};

class PodAdmission {
 public:
  PodAdmission() = default;
  PodAdmission(const PodAdmission&) = delete;
  PodAdmission& operator=(const PodAdmission&) = delete;
  virtual ~PodAdmission() = default;

  // Sets the node as it is from now on, for new pods.
  virtual void set_node(std::shared_ptr<const node::NodeView> view,
                        std::shared_ptr<const api::Node> node, SteadyTime now) = 0;

  virtual void want(PodPtr pod, WhenShort when_short, SteadyTime now) = 0;
  // The pod was deleted, or is no longer desired. Unknown uids are ignored.
  virtual void withdraw(const std::string& uid, SteadyTime now) = 0;
  [[nodiscard]] virtual bool any_wanted() const = 0;

  // Tries the next pod that is worth a try and returns its answer; unset if there is none for now.
  // `wall` is the same instant as `now`.
  [[nodiscard]] virtual std::optional<AdmissionAnswer> next(const Occupants& occupants,
                                                            SteadyTime now, WallTime wall) = 0;
  // When to call `next` again even if nothing has changed; unset if only a change can help.
  [[nodiscard]] virtual std::optional<SteadyTime> look_again() const = 0;

  // The victims of the node's own (kMakesRoom) that had not ended at the last call of `next`,
  // though the time that they had for it is over; each is returned once.
  [[nodiscard]] virtual std::vector<std::string> newly_late_victims(SteadyTime now) = 0;

  // Which of the running pods would be refused if each had to share the node with those before it,
  // in the order in which they would be tried.
  [[nodiscard]] virtual std::vector<RefusedToday> refused_today(
      const std::vector<PodPtr>& running) const = 0;
};

}  // namespace berth::lifecycle
