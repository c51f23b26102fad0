// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/shutdown/shutdown_invariants.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {

using std::chrono::seconds;

namespace {

constexpr const char* kStopped = "Terminated";
constexpr const char* kMessage = "Pod was terminated in response to imminent node shutdown.";
constexpr const char* kRefused = "NodeShutdown";
constexpr const char* kShutdownRefusal =
    "Pod was rejected: Pod was rejected as the node is shutting down.";

// Whether the shutdown alone ended it, however its containers exited.
bool was_stopped(const api::PodStatus& status) {
  const auto disruption =
      std::ranges::find(status.conditions, "DisruptionTarget", &api::PodCondition::type);
  if (disruption == status.conditions.end() || disruption->message != kMessage) return false;
  return status.phase == "Succeeded" || (status.phase == "Failed" && status.reason == kStopped);
}

bool was_refused(const api::PodStatus& status) {
  return status.phase == "Failed" && status.reason == kRefused;
}

bool has_to_return(const api::Pod& pod) {
  return was_refused(pod.status) || (was_stopped(pod.status) && pod.spec.restartPolicy != "Never");
}

}  // namespace

std::size_t ShutdownInvariants::group_of(const api::Pod& pod) const {
  std::size_t group = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i].priority <= pod.spec.priority.value_or(0)) group = i;
  return group;
}

void ShutdownInvariants::ends(MachineEnd end) {
  end_ = end;
  if (end != MachineEnd::kNone) ever_announced_ = true;
}

void ShutdownInvariants::berthd_heard(bool shutting_down) {
  if (shutting_down != (end_ != MachineEnd::kNone))
    invariants_.violated(shutting_down ? "a shutdown begins that nobody announced"
                                       : "a shutdown is called off that is not");
  heard_.reset();
  ordered_.clear();
  if (shutting_down) heard_ = clock_.steady_now();
}

void ShutdownInvariants::is_ready(bool ready) {
  if (ready == (end_ != MachineEnd::kNone))
    invariants_.violated("the node's condition Ready is wrong about the shutdown");
}

void ShutdownInvariants::agent_restarted() {
  heard_.reset();
  ordered_.clear();
  shown_.clear();
}

void ShutdownInvariants::ordered(const api::Pod& pod, const lifecycle::Ending& ending) {
  const auto& uid = pod.metadata.uid;
  if (end_ == MachineEnd::kNone)
    return invariants_.violated(uid + " is stopped for a shutdown that nobody announced");
  const std::size_t group = group_of(pod);
  const seconds period = groups_.at(group).period;
  const seconds grace = std::min(period, own_grace(pod));
  if (ending.grace != grace)
    invariants_.violated(fmt::format("{} is stopped within {} s, not {}", uid,
                                     ending.grace.value_or(seconds(-1)).count(), grace.count()));
  check_groups_before(group, uid + " is ordered to stop");
  ordered_.insert_or_assign(uid, Ordered{.at = clock_.steady_now(), .group = group});
  invariants_.ordered_to_end_and_stay(
      uid, {.orders = {{.at = clock_.steady_now(), .grace = std::max(grace, seconds(1))}},
            .reason = kStopped,
            .message = kMessage,
            .disruption = kMessage});
}

void ShutdownInvariants::all_stopped() {
  check_groups_before(groups_.size(), "the machine may go off");
}

void ShutdownInvariants::check_groups_before(std::size_t group, const std::string& who) {
  for (const auto& [uid, pod] : shown_) {
    const std::size_t own = group_of(*pod);
    const auto history = invariants_.pods().find(uid);
    if (own >= group || is_terminal(pod->status.phase) || history == invariants_.pods().end() ||
        history->second.hidden || history->second.spec_lost)
      continue;
    const bool runs = std::ranges::any_of(runtime_->instances(), [&uid](const Instance& one) {
      return one.pod_uid == uid && one.live() && !one.sight_lost;
    });
    if (!runs) continue;
    const auto order = ordered_.find(uid);
    if (order == ordered_.end())
      return invariants_.violated(fmt::format("{}, and {} of a lower group was not", who, uid));
    if (clock_.steady_now() - order->second.at < groups_.at(own).period)
      return invariants_.violated(
          fmt::format("{}, and {} of a lower group still runs within its period", who, uid));
  }
}

void ShutdownInvariants::comes_back(const api::Pod& pod) {
  const auto& uid = pod.metadata.uid;
  if (heard_ || end_ == MachineEnd::kAnnounced)
    invariants_.violated(uid + " comes back while the node shuts down");
  if (!has_to_return(pod))
    invariants_.violated(uid + " comes back, and no shutdown stopped or refused it");
  invariants_.ordered_to_end(uid, std::nullopt);
}

void ShutdownInvariants::published(const lifecycle::PodPtr& pod) {
  shown_.insert_or_assign(pod->metadata.uid, pod);
  if (!was_refused(pod->status)) return;
  if (!ever_announced_)
    invariants_.violated(pod->metadata.uid + " is refused for a shutdown that never was");
  if (pod->status.message != kShutdownRefusal)
    invariants_.violated(pod->metadata.uid + " is refused in other words: " + pod->status.message);
}

void ShutdownInvariants::removed(const lifecycle::PodPtr& pod) {
  shown_.erase(pod->metadata.uid);
  begun_.erase(pod->metadata.uid);
  desired_.erase(pod->metadata.uid);
}

void ShutdownInvariants::sandbox_called(const cri::PodSandboxConfig& config) {
  const auto& uid = config.metadata.uid;
  if (!begun_.insert(uid).second || !heard_ || invariants_.disturbances().lost_state()) return;
  const auto desired = desired_.find(uid);
  if (desired != desired_.end() && desired->second > *heard_)
    invariants_.violated(uid + " is let in while the node shuts down");
}

std::optional<std::string> ShutdownInvariants::unsettled(const api::Pod& shown) const {
  if (groups_.empty() || !has_to_return(shown)) return std::nullopt;
  return fmt::format("{} was {} by a shutdown, and has not come back", shown.metadata.uid,
                     was_refused(shown.status) ? "refused" : "stopped");
}

}  // namespace berth::simulation
