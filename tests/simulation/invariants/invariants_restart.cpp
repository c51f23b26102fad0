// SPDX-License-Identifier: Apache-2.0

// What the next berthd may know: what is durable, and what the runtime shows.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using lifecycle::Verdict;
using std::chrono::milliseconds;
using std::chrono::seconds;

// A disk fault that ended longer ago than this no longer excuses anything: berthd may have been
// away for most of that time.
constexpr seconds kDiskForgivenAtStart{60};

// The grace period of a stop that a killed berthd had stored, if it is a failed probe's own.
std::optional<seconds> probes_period(const SimulatedRuntime& runtime,
                                     const lifecycle::PodMemory& memory, const std::string& id) {
  const auto& all = runtime.instances();
  const auto instance =
      std::ranges::find_if(all, [&id](const Instance& one) { return one.id.str() == id; });
  if (instance == all.end() || memory.end) return std::nullopt;
  const auto* container = find(memory.pod->spec.containers, instance->name);
  if (container == nullptr) container = find(memory.pod->spec.initContainers, instance->name);
  if (container == nullptr) return std::nullopt;
  const auto& stop = memory.stops.at(id);
  for (const auto* probe : {&container->livenessProbe, &container->startupProbe}) {
    if (!*probe || !(*probe)->terminationGracePeriodSeconds) continue;
    const seconds own(*(*probe)->terminationGracePeriodSeconds);
    if (stop.kill_at - stop.begun_at == own) return own;
  }
  return std::nullopt;
}

// Whether the store may lack what was shown while the disk stored nothing: for a finished pod too,
// if a container turned up after its last write had begun.
bool may_be_behind(const lifecycle::PodMemory* memory) {
  return memory == nullptr || memory->verdict == Verdict::kNone ||
         memory->verdict == Verdict::kCompleted;
}

}  // namespace

void Invariants::agent_restarted() {
  listing_.agent_restarted();
  agent_began_ = clock_.steady_now();
  const auto since = [this](WallTime at) { return agent_began_ + (at - clock_.wall_now()); };
  for (const auto& [uid, memory] : world_.store->rows()) {
    for (const auto& [id, stop] : memory->stops) {
      stops_at_start_.try_emplace(id, since(stop.begun_at));
      // That stop continues, though possibly no event has reported its reason.
      const auto probes = probes_period(*world_.runtime, *memory, id);
      if (probes) killed_alone_.try_emplace(id, probes);
    }
    const auto pod = pods_.find(uid);
    if (pod != pods_.end() && lifecycle::past_deadline(memory->end))
      pod->second.past_deadline_at_start = since(memory->end->ending.requested_at);
  }
  for (auto& [uid, pod] : pods_) pod.again.reset();
  for (auto& [uid, pod] : pods_) restarted(uid, pod);
}

// What runs keeps running; whatever was published about it may be forgotten.
void Invariants::state_lost() {
  successors_.clear();
  hooks_.forget_pre_stops();
  for (auto& [uid, pod] : pods_) {
    const bool runs = pod.desired && !pod.is_ending() && has_ready_sandbox(uid);
    if (runs && pod.collected == Collected::kNo) goes_on_.insert(uid);
    PodHistory known{.pod = pod.pod, .life = world_.runtime->instances().size()};
    if (has_sandboxes(uid)) {
      known.life = pod.life;
      known.desired = pod.desired;
      known.may_run = pod.may_run;
      known.admitted = pod.admitted;
      known.forgotten = std::move(pod.forgotten);
      std::ranges::move(pod.all_orders(), std::back_inserter(known.forgotten));
    }
    pod = std::move(known);
  }
}

bool Invariants::started_before_loss(const std::string& container_id) const {
  return disturbances_.lost_state() &&
         std::ranges::any_of(world_.runtime->instances(), [&](const Instance& instance) {
           return instance.id.str() == container_id && instance.start_called &&
                  *instance.start_called <= *disturbances_.lost_at();
         });
}

// The next life can only know what is durable.
void Invariants::restarted(const std::string& uid, PodHistory& pod) {
  const auto* memory = row(uid);
  if (may_be_behind(memory) && !world_.store->calm(kDiskForgivenAtStart)) pod.restarts.clear();
  // Nor does the runtime know of the restart that a lost container was shown to wait for.
  std::erase_if(pod.restarts, [&](const auto& shown) {
    return std::ranges::any_of(instances(uid, shown.first), &Instance::sight_lost);
  });
  if (memory == nullptr || memory->verdict != Verdict::kCompleted) pod.ends.clear();
  // A killed berthd's call removed what the lost state file had known: it begins anew.
  if (memory == nullptr && !has_sandboxes(uid)) pod.admitted = false;
  // A full disk may still have it as refused: a pod that has begun under that uid since is not
  // stored.
  if (memory != nullptr && memory->verdict == Verdict::kRejected &&
      !world_.store->calm(kDiskForgivenAtStart))
    pod.admitted = false;
  // A pod is refused at its beginning: this one, made by an edit under the uid, was not shown
  // before berthd was killed.
  if (memory != nullptr && memory->verdict == Verdict::kRejected && is_pinned(*pod.pod) &&
      pod.final_reason != memory->status.reason)
    pod.final_phase.clear();
  const bool ends = memory != nullptr && removes(memory->end);
  if (pod.kept_end && pod.orders.empty() && memory != nullptr && !memory->end &&
      memory->verdict == Verdict::kNone && world_.store->calm(kDiskForgivenAtStart) &&
      !world_.store->fell_back(uid) && stop_was_begun(uid, pod, pod.kept_end->orders.front().at))
    violated(fmt::format("{} was being stopped as {}, and the store does not know", uid,
                         pod.kept_end->reason));
  restarted_kept(memory, pod);
  pod.grace_shown.reset();
  pod.hidden = ends && by_force(memory->end->ending);
  // A full disk may still have it as collected, though its manifest was removed and written again
  // since; or its successor, for which it was to make room, is not stored.
  const bool again = memory != nullptr && memory->verdict == Verdict::kCollected &&
                     (!pod.desired || !world_.store->calm(kDiskForgivenAtStart));
  if ((pod.collected != Collected::kNo || again) && !still_collected(uid, pod)) return;
  if (ends && memory->end->ending.cause == lifecycle::EndCause::kCollected) {
    pod.collected = Collected::kGoing;
    pod.orders.clear();  // these followed the collection, and are not stored
    return;
  }
  if (ends) {
    const seconds grace(memory->end->grace_seconds);
    // Orders with a shorter period, which the store did not take.
    const auto unknown = std::ranges::partition(
        pod.orders, [grace](const EndOrder& order) { return order.grace >= grace; });
    pod.forgotten.insert(pod.forgotten.end(), unknown.begin(), unknown.end());
    pod.orders.erase(unknown.begin(), unknown.end());
    if (pod.orders.empty()) pod.orders.push_back({.at = clock_.steady_now(), .grace = grace});
    return;
  }
  if (!pod.orders.empty() && memory != nullptr && world_.store->calm(kDiskForgivenAtStart)) {
    const bool begun = stop_was_begun(uid, pod, pod.orders.front().at);
    if (begun && memory->verdict == Verdict::kNone)
      violated(fmt::format("{} was being stopped, and the store does not know why", uid));
  }
  pod.forgotten.insert(pod.forgotten.end(), pod.orders.begin(), pod.orders.end());
  pod.orders.clear();
  pod.spec_lost = false;  // until its manifest is looked for again
  const bool settled = memory != nullptr && memory->verdict != Verdict::kNone;
  if (!settled) pod.final_phase.clear();
}

// False if it is collected: the next life knows nothing of what was shown of it.
bool Invariants::still_collected(const std::string& uid, PodHistory& pod) {
  const auto* memory = row(uid);
  if (memory == nullptr && pod.desired && world_.store->calm(kDiskForgivenAtStart))
    violated(fmt::format("{} was collected, which is forgotten", uid));
  const bool over = memory != nullptr && memory->verdict == Verdict::kCollected;
  if (over) {
    pod.collected = has_sandboxes(uid) ? Collected::kGoing : Collected::kGone;
    pod.orders.clear();
    return false;
  }
  pod.collected = Collected::kNo;
  return true;
}

// While its successor is wanted, a deleted incarnation must not be. If the deletion is not stored,
// the next berthd goes on with the pod, and what is left of the successor proves nothing any more.
void Invariants::check_stays_deleted(const std::string& uid) {
  const auto successor = successors_.find(uid);
  if (successor == successors_.end()) return;
  const auto next = pods_.find(successor->second);
  const bool wanted =
      next != pods_.end() && (next->second.desired || row(successor->second) != nullptr);
  if (wanted && world_.store->calm(kDiskForgivenAtStart))
    violated(fmt::format("{} was deleted and comes again", uid));
  const auto* memory = row(uid);
  if (memory == nullptr || memory->verdict != Verdict::kEnded) successors_.erase(successor);
}

}  // namespace berth::simulation
