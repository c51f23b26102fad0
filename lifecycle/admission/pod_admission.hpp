// SPDX-License-Identifier: Apache-2.0

// Whether a pod may run on this node: what the pod set asks, and what it is answered.
//
// A pod that has come is `wanted` until it is answered for good or withdrawn; `next` gives the
// answers, one by one, in the order in which pods are to be tried. A pod that cannot be placed now
// stays wanted, and is tried again when something changed that could help. Before each question the
// admission is handed the pods on the node; it takes over what changed.
//
// Interface; whoever implements it holds no timer, logs nothing and calls nobody back. Loop thread
// only.
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

// A pod that has room on the node.
struct Occupant {
  PodPtr pod{};
  PodPtr shown{};       // with its status; null: nothing of it is shown yet
  bool ending = false;  // somebody ordered its end
};
using Occupants = std::vector<Occupant>;

// What a pod does while the node lacks room for it.
enum class WhenShort : std::uint8_t {
  kIsRefused,  // as by the kubelet
  kWaits,      // for another: it had to go for a pod of higher priority
};

// What the kubelet's own checks were made on, and what they found. Owns all of it.
struct NodeCheck {
  std::shared_ptr<const node::NodeView> view{};
  std::shared_ptr<const api::Node> node{};
  std::vector<PodPtr> active{};  // without the pod itself
  node::Admission admission{};
};

enum class AdmissionOutcome : std::uint8_t {
  kAdmitted,
  kRefused,        // by the node's own checks: Failed, for good
  kUnschedulable,  // Pending: asked again when something changed that could help
  kMakesRoom,      // critical, and the node's: Pending until its victims have ended
};

struct AdmissionAnswer {
  PodPtr pod{};  // which was asked about
  AdmissionOutcome outcome = AdmissionOutcome::kAdmitted;
  NodeCheck check{};
  bool scheduled = false;  // the scheduling core has placed it, too
  // Why it is unschedulable: Unschedulable or SchedulerError, and the scheduling core's words. Of
  // one that is refused although victims were looked for: the kubelet's words instead of the
  // check's.
  std::string reason{};
  std::string message{};
  std::string event_message{};  // the same, as long as an event's may be
  // Uids of pods that have to go so that it gets room, in the order in which they go: deleted for
  // one that is unschedulable, ordered to end as preempted by the node for one that makes room.
  std::vector<std::string> victims{};
  std::string nominated_node{};  // where it waits for their end; empty: nowhere
  // What is said of each victim, in its condition DisruptionTarget.
  std::string victim_message{};
};

// A pod that the node admitted once, and would not admit any more.
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

  // The node as it is from now on, for the pods that come.
  virtual void set_node(std::shared_ptr<const node::NodeView> view,
                        std::shared_ptr<const api::Node> node, SteadyTime now) = 0;

  virtual void want(PodPtr pod, WhenShort when_short, SteadyTime now) = 0;
  // It is deleted, or nobody wishes it any more. Unknown uids do no harm.
  virtual void withdraw(const std::string& uid, SteadyTime now) = 0;
  [[nodiscard]] virtual bool any_wanted() const = 0;

  // The next pod that is worth a try, tried. None: no pod is, for now. `wall` is the same instant.
  [[nodiscard]] virtual std::optional<AdmissionAnswer> next(const Occupants& occupants,
                                                            SteadyTime now, WallTime wall) = 0;
  // When `next` is to be asked again though nothing has changed. None: not before something does.
  [[nodiscard]] virtual std::optional<SteadyTime> look_again() const = 0;

  // Of pods that run, in the order in which they would ask: those that would be refused beside the
  // ones before them.
  [[nodiscard]] virtual std::vector<RefusedToday> refused_today(
      const std::vector<PodPtr>& running) const = 0;
};

}  // namespace berth::lifecycle
