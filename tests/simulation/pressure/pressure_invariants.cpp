// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/pressure_invariants.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "api/pod_qos.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/pressure/eviction_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr const char* kEvicted = "Evicted";
constexpr const char* kRefusal = "Pod was rejected: The node had condition: [";
// How long the next eviction waits for the last one's end, once that is late.
constexpr seconds kWaitsForEnd{30};
// When an eviction is late at the earliest.
constexpr seconds kShortestTimeout{10};
// From then until the delay is reported.
constexpr seconds kUntilReported{1};
// The shortest time between an eviction and what follows it.
constexpr seconds kFirstWait{10};
// The time from admission to the first sandbox, if nothing is wrong.
constexpr seconds kOnTheWay{3};
// The time from a refusal until it is shown.
constexpr seconds kUntilShown{30};

bool is_refused_for_pressure(const api::PodStatus& status) {
  return status.phase == "Failed" && status.reason == kEvicted &&
         status.message.starts_with(kRefusal);
}

Nanoseconds timeout_of(const eviction::Eviction& eviction) {
  const Nanoseconds period = seconds(eviction.grace_period_override);
  return std::max<Nanoseconds>(kShortestTimeout, period + period / 2);
}

// The store only has the pod's eviction; its manifest waits for a successor.
bool is_collected_as_evicted(const lifecycle::PodMemory& memory) {
  if (memory.verdict != lifecycle::Verdict::kCollected) return false;
  const auto& status = memory.status;
  return (status.phase == "Failed" && status.reason == kEvicted) ||
         (memory.end && memory.end->ending.cause == lifecycle::EndCause::kEvicted);
}

std::string_view taint_of(eviction::PressureCondition condition) {
  switch (condition) {
    case eviction::PressureCondition::kMemoryPressure:
      return "node.kubernetes.io/memory-pressure";
    case eviction::PressureCondition::kDiskPressure:
      return "node.kubernetes.io/disk-pressure";
    case eviction::PressureCondition::kPidPressure:
      return "node.kubernetes.io/pid-pressure";
  }
  return "";
}

}  // namespace

void PressureInvariants::agent_restarted() {
  if (settings_ == nullptr) return;
  model_.emplace(settings_->config, duties_.layout());
  awaited_.emplace();
  look_ = {};
  duties_.berthd_ends();
  last_victim_.reset();
  shown_.clear();
  shown_since_.let_in.clear();
  shortness_begins();
  // A successor under a pinned uid that had been shown is not known if nothing of it was stored: it
  // follows once more.
  // A stored refusal is shown now, whether or not the node is still short of anything.
  for (const auto& [uid, memory] : store_->rows())
    if (is_collected_as_evicted(*memory) || (memory->verdict == lifecycle::Verdict::kRejected &&
                                             is_refused_for_pressure(memory->status)))
      final_since_.try_emplace(uid, clock_.steady_now());
}

void PressureInvariants::shortness_begins() {
  shown_since_.at = clock_.steady_now();
  shown_since_.let_in_before = shown_since_.let_in;
  for (const auto& [uid, history] : invariants_.pods())
    if (invariants_.is_known(uid)) shown_since_.let_in_before.insert(uid);
}

// A pod that is let in may have to wait, for its volumes for one, and begins when the node is
// short.
void PressureInvariants::answered_admission(const api::Pod& pod, bool may_enter) {
  if (may_enter && !keeps_out(pod))
    shown_since_.let_in.insert(pod.metadata.uid);
  else
    shown_since_.let_in.erase(pod.metadata.uid);
}

void PressureInvariants::node_measured(agent::Freshness freshness, SteadyTime asked,
                                       const eviction::NodeReadings& readings, bool layout_known) {
  look_ = {.freshness = freshness,
           .asked = asked,
           .busy = clock_.steady_now() - asked,
           .layout_known = layout_known,
           .node = readings};
  duties_.measures();
}

void PressureInvariants::pods_measured(const agent::PodList& pods, agent::PodDetail detail,
                                       SteadyTime asked, const eviction::PodReadings& readings) {
  look_.busy += clock_.steady_now() - asked;
  if (detail == agent::PodDetail::kDisks) {
    for (const auto& pod : pods) {
      look_.on_disk.insert(pod->metadata.uid);
      look_.pods.erase(pod->metadata.uid);
    }
    for (const auto& [uid, reading] : readings) look_.pods[uid] = reading;
    return;
  }
  const bool in_detail = detail == agent::PodDetail::kContainers;
  // A detailed reading of some of the pods that were measured just now.
  if (in_detail && look_.pods_are_new) {
    for (const auto& pod : pods) look_.in_detail.insert(pod->metadata.uid);
    for (const auto& [uid, reading] : readings) look_.pods[uid].containers = reading.containers;
    return;
  }
  if (in_detail)
    for (const auto& pod : pods) look_.in_detail.insert(pod->metadata.uid);
  look_.pods_are_new = true;
  look_.pods = readings;
  look_.active = pods;
  for (const auto& pod : pods) {
    const auto known = invariants_.pods().find(pod->metadata.uid);
    if (known != invariants_.pods().end())
      look_.lives.insert_or_assign(pod->metadata.uid, known->second.life);
  }
}

// Dead containers are collected first, then images; by then the pressure may have cleared.
void PressureInvariants::reclaim_begins(eviction::NodeReclaim what) {
  duties_.reclaim_begins();
  if (what == eviction::NodeReclaim::kDeadContainers &&
      !shown_.contains(eviction::PressureCondition::kDiskPressure))
    invariants_.violated("the node reclaims, and does not show why");
}

// The conditions shown from now on follow from the last reading that was made for the look.
void PressureInvariants::looked() {
  if (look_.layout_known && look_.evictions == 0) model_->look(look_.node, look_.asked);
  look_.evictions = 0;
  if (look_.layout_known && !model_->is_a_disk_due()) duties_.disks_suffice();
  duties_.looked(owed());
  if (shown_ != model_->conditions()) invariants_.violated("conditions are not what they must be");
  for (const auto condition : shown_) seen_[condition] = clock_.steady_now();
}

void PressureInvariants::conditions_are(const std::set<eviction::PressureCondition>& present,
                                        const api::Node& node) {
  if (shown_ != present) shortness_begins();
  shown_ = present;
  for (const auto condition : shown_) seen_[condition] = clock_.steady_now();
  std::size_t expected = 0;
  for (const auto condition : present) {
    ++expected;
    const auto is = [&](const api::Taint& taint) {
      return taint.key == taint_of(condition) && taint.effect == "NoSchedule";
    };
    if (std::ranges::none_of(node.spec.taints, is))
      invariants_.violated(fmt::format("the node lacks the taint {}", taint_of(condition)));
  }
  if (node.spec.taints.size() != expected)
    invariants_.violated("the node has taints of conditions that it does not have");
}

void PressureInvariants::evicted(const agent::EvictionReport& report) {
  if (clock_.steady_now() - look_.asked > look_.busy + milliseconds(1))
    invariants_.violated("somebody is evicted by readings that are older than their measuring");
  look_.judged.clear();
  for (const auto& pod : report.pods) look_.judged.insert(pod->metadata.uid);
  for (const std::string& uid : report.evicted) {
    const auto eviction = std::ranges::find_if(report.decision.evictions,
                                               [&](const auto& one) { return one.pod.uid == uid; });
    const auto pod = std::ranges::find_if(
        look_.active, [&](const auto& one) { return one->metadata.uid == uid; });
    if (eviction == report.decision.evictions.end() || pod == look_.active.end())
      return invariants_.violated(uid + " is evicted and was not measured for it");
    check_readings(*eviction);
    check_victim(**pod);
    if (std::holds_alternative<eviction::ExceededLimit>(eviction->cause))
      check_limits(*eviction, **pod);
    else
      check_for_pressure(*eviction, **pod);
    order(*eviction, **pod);
  }
}

// For memory, only memory has to be measured anew.
void PressureInvariants::check_readings(const eviction::Eviction& eviction) {
  const auto* met = std::get_if<eviction::JudgedThreshold>(&eviction.cause);
  const bool for_memory = met != nullptr && eviction::is_memory_signal(met->threshold.signal);
  const auto least = for_memory ? agent::Freshness::kFreshMemory : agent::Freshness::kFresh;
  if (look_.freshness < least || !look_.pods_are_new || !look_.in_detail.contains(eviction.pod.uid))
    invariants_.violated(eviction.pod.uid + " is evicted by readings that were not made for it");
  const bool for_disk = met == nullptr || eviction::traits(met->threshold.signal).condition ==
                                              eviction::PressureCondition::kDiskPressure;
  if (for_disk && !look_.on_disk.contains(eviction.pod.uid))
    invariants_.violated(eviction.pod.uid + " is evicted by what it had on disk a while ago");
}

void PressureInvariants::check_victim(const api::Pod& pod) {
  const auto& uid = pod.metadata.uid;
  if (is_exempt(pod, settings_->config.rules))
    invariants_.violated(uid + " is exempt, and is evicted");
  const auto known = invariants_.pods().find(uid);
  if (known != invariants_.pods().end() && !known->second.final_phase.empty())
    invariants_.violated(fmt::format("{} is {}, and is evicted", uid, known->second.final_phase));
}

// The readings just made must exceed a limit; also checks the grace period.
void PressureInvariants::check_limits(const eviction::Eviction& eviction, const api::Pod& pod) {
  const auto& uid = pod.metadata.uid;
  const auto reading = look_.pods.find(uid);
  const bool exceeds =
      reading != look_.pods.end() && exceeds_a_limit(pod, reading->second, duties_.layout());
  if (!exceeds || !settings_->config.local_storage_capacity_isolation)
    invariants_.violated(uid + " is evicted for a limit that it does not exceed");
  if (eviction.grace_period_override != 1)
    invariants_.violated(uid + " exceeds a limit and has more than a second");
}

void PressureInvariants::check_for_pressure(const eviction::Eviction& eviction,
                                            const api::Pod& pod) {
  const auto& uid = pod.metadata.uid;
  if (++look_.evictions > 1) return invariants_.violated("two pods go in one cycle");
  model_->look(look_.node, look_.asked);
  const auto& threshold = std::get<eviction::JudgedThreshold>(eviction.cause).threshold;
  if (!model_->is_due(threshold.signal, threshold.grace_period))
    invariants_.violated(
        fmt::format("{} is evicted for {}, which is not due", uid, to_string(threshold)));
  if (model_->is_stale(threshold.signal))
    invariants_.violated(fmt::format("{} is evicted for {} by a sample of the look before", uid,
                                     to_string(threshold)));
  if (model_->contains_victim(threshold.signal))
    invariants_.violated(fmt::format("{} is evicted for {}, which still shows the last victim", uid,
                                     to_string(threshold)));
  model_->evicted(threshold.signal);
  if (duties_.reclaims_for(threshold.signal))
    invariants_.violated(uid + " is evicted for a disk that the node still reclaims");
  check_rank(pod, threshold.signal);
  const std::int64_t grace = threshold.grace_period == Nanoseconds::zero()
                                 ? 1
                                 : std::min(settings_->config.max_pod_grace_period,
                                            pod.spec.terminationGracePeriodSeconds.value_or(1'000));
  if (eviction.grace_period_override != grace)
    invariants_.violated(
        fmt::format("{} is evicted with {} s, not {}", uid, eviction.grace_period_override, grace));
  // A victim that is deleted by force is not waited for. Its successor under a pinned uid is
  // another pod: once that one's life has begun, the victim's is over.
  const auto runs = [&](const Instance& one) {
    const auto known = invariants_.pods().find(one.pod_uid);
    return one.pod_uid == last_victim_->uid && one.live() && !one.sight_lost &&
           known != invariants_.pods().end() && known->second.orders.empty() &&
           known->second.life == last_victim_->life;
  };
  if (last_victim_ && last_victim_->uid != uid && clock_.steady_now() < last_victim_->waited_for &&
      std::ranges::any_of(runtime_->instances(), runs))
    invariants_.violated(
        fmt::format("{} goes while {} is still on its way", uid, last_victim_->uid));
  const auto victim = invariants_.pods().find(uid);
  last_victim_ = Gone{.uid = uid,
                      .life = victim == invariants_.pods().end() ? 0 : victim->second.life,
                      .waited_for = clock_.steady_now() + timeout_of(eviction) + kWaitsForEnd};
}

void PressureInvariants::order(const eviction::Eviction& eviction, const api::Pod& pod) {
  const auto known = invariants_.pods().find(pod.metadata.uid);
  // A finished pod whose containers are still being stopped does not end by this order.
  if (known != invariants_.pods().end() && known->second.final_phase.empty())
    ordered_.insert_or_assign(pod.metadata.uid, known->second.life);
  if (awaited_)
    awaited_->insert_or_assign(pod.metadata.uid,
                               Awaited{.ordered = clock_.steady_now(),
                                       .late = clock_.steady_now() + timeout_of(eviction)});
  duties_.somebody_goes(timeout_of(eviction) + kWaitsForEnd);
  const bool for_limit = std::holds_alternative<eviction::ExceededLimit>(eviction.cause);
  std::optional<std::string> disruption;
  if (!for_limit) disruption = eviction.message;
  invariants_.ordered_to_end_and_stay(
      pod.metadata.uid,
      {.orders = {{.at = clock_.steady_now(),
                   .grace = seconds(std::max<std::int64_t>(eviction.grace_period_override, 1))}},
       .reason = kEvicted,
       .message = eviction.message,
       .disruption = disruption});
}

void PressureInvariants::exceeded_grace_period(const api::Pod& pod) {
  const auto& uid = pod.metadata.uid;
  const auto known = invariants_.pods().find(uid);
  if (known != invariants_.pods().end() && !known->second.final_phase.empty())
    invariants_.violated(
        fmt::format("{} is {}, and is reported as late", uid, known->second.final_phase));
  if (!awaited_) return;
  const auto awaited = awaited_->find(uid);
  if (awaited == awaited_->end()) {
    // An earlier berthd may have ordered it, and each reports it once.
    if (!was_evicted(uid)) invariants_.violated(uid + " is late, and was not evicted");
    awaited_->insert_or_assign(uid, Awaited{.reported = true});
    return;
  }
  if (awaited->second.reported) invariants_.violated(uid + " is reported as late again");
  if (clock_.steady_now() < awaited->second.late)
    invariants_.violated(uid + " is reported as late, and still has time");
  awaited->second.reported = true;
}

// Whether one of its containers has been running since before the order.
bool PressureInvariants::runs_late(const std::string& uid, const Awaited& awaited) const {
  const auto known = invariants_.pods().find(uid);
  if (known == invariants_.pods().end() || known->second.hidden ||
      !known->second.final_phase.empty() || known->second.collected != Collected::kNo)
    return false;
  return std::ranges::any_of(runtime_->instances(), [&](const Instance& one) {
    return one.pod_uid == uid && one.live() && !one.sight_lost && *one.started < awaited.ordered;
  });
}

// A victim that is shown as final is over. A pod with its uid from then on is another one, even if
// neither has had a container by which their lives could be distinguished.
void PressureInvariants::forget_finished_victim() {
  if (!last_victim_) return;
  const auto known = invariants_.pods().find(last_victim_->uid);
  if (known != invariants_.pods().end() && known->second.life == last_victim_->life &&
      !known->second.final_phase.empty())
    last_victim_.reset();
}

void PressureInvariants::time_passes() {
  duties_.time_passes();
  forget_finished_victim();
  if (!awaited_) return;
  for (const auto& [uid, awaited] : *awaited_)
    if (!awaited.reported && clock_.steady_now() > awaited.late + kUntilReported &&
        runs_late(uid, awaited))
      invariants_.violated(uid + " was evicted, still runs, and that is not reported");
}

bool PressureInvariants::was_evicted(const std::string& uid) const {
  // If the store could not remove it yet, it has the pod as evicted still.
  if (invariants_.is_stored_as(uid, lifecycle::EndCause::kEvicted)) return true;
  const auto found = invariants_.pods().find(uid);
  if (found == invariants_.pods().end() || !found->second.kept_end) return false;
  const KeptEnd& end = *found->second.kept_end;
  return end.reason == kEvicted || end.earlier.contains(kEvicted);
}

void PressureInvariants::comes_back(const std::string& uid) {
  const auto since = final_since_.find(uid);
  if (settings_->recreate == agent::RecreateEvicted::kNever)
    invariants_.violated(uid + " comes back, and evicted pods are not to");
  if (!shown_.empty()) invariants_.violated(uid + " comes back while the node is short");
  if (since == final_since_.end())
    invariants_.violated(uid + " comes back, and was not evicted");
  else if (clock_.steady_now() - since->second < kFirstWait)
    invariants_.violated(uid + " comes back right after its end");
  invariants_.ordered_to_end(uid, std::nullopt);
}

// Whether it has to be refused as long as those conditions hold.
bool PressureInvariants::keeps_out(const api::Pod& pod) const {
  if (shown_.empty() || is_exempt(pod, settings_->config.rules)) return false;
  const bool only_memory =
      shown_.size() == 1 && shown_.contains(eviction::PressureCondition::kMemoryPressure);
  return !only_memory || api::qos_class(pod) == api::QosClass::kBestEffort;
}

void PressureInvariants::sandbox_called(const cri::PodSandboxConfig& config) {
  const auto& uid = config.metadata.uid;
  if (settings_ == nullptr || !begun_.insert(uid).second || invariants_.disturbances().lost_state())
    return;
  const auto found = invariants_.pods().find(uid);
  if (found == invariants_.pods().end() || found->second.spec_lost) return;
  // The objects it refers to may have appeared only now.
  if (shown_since_.let_in_before.contains(uid)) return;
  const SteadyTime early = clock_.steady_now() - kOnTheWay;
  if (shown_since_.at < early && keeps_out(*found->second.pod) &&
      invariants_.undisturbed_since(early))
    invariants_.violated(uid + " is let in while the node is short");
}

void PressureInvariants::start_called(const Instance& instance) {
  const auto known = invariants_.pods().find(instance.pod_uid);
  if (settings_ == nullptr || known == invariants_.pods().end()) return;
  // Another pod may have begun under the same uid.
  if (final_since_.contains(instance.pod_uid) && !known->second.final_phase.empty())
    invariants_.violated(called(instance) + " is started although its pod was evicted");
}

void PressureInvariants::published(const lifecycle::PodPtr& pod) {
  if (settings_ == nullptr) return;
  const auto& status = pod->status;
  const auto& uid = pod->metadata.uid;
  if (!is_terminal(status.phase)) {
    final_since_.erase(uid);  // another pod under the same uid
    return;
  }
  if ((status.phase == "Failed" && status.reason == kEvicted) || was_evicted(uid)) {
    const bool first = final_since_.emplace(uid, clock_.steady_now()).second;
    if (!first || !is_refused_for_pressure(status) || !store_->calm(kUntilShown)) return;
    // The result of the last look holds while the end of an eviction is awaited.
    const bool was_short = !shown_.empty() || std::ranges::any_of(seen_, [this](const auto& seen) {
      return clock_.steady_now() - seen.second < kUntilShown;
    });
    if (!was_short) invariants_.violated(uid + " is refused for pressure, and there is none");
    if (is_exempt(*pod, settings_->config.rules))
      invariants_.violated(uid + " is exempt, and is refused for pressure");
  }
}

std::optional<std::string> PressureInvariants::unsettled(const api::Pod& shown) const {
  if (settings_ == nullptr || settings_->recreate == agent::RecreateEvicted::kNever)
    return std::nullopt;
  const auto& status = shown.status;
  const auto found = invariants_.pods().find(shown.metadata.uid);
  // The pod ended by the last order. If the simulation itself gave an eviction order, berthd's
  // eviction knows only the status.
  const auto order = ordered_.find(shown.metadata.uid);
  const bool ended_by_it = order != ordered_.end() && found != invariants_.pods().end() &&
                           order->second == found->second.life && found->second.kept_end &&
                           found->second.kept_end->reason == kEvicted;
  const bool evicted = (status.phase == "Failed" && status.reason == kEvicted) ||
                       (status.phase == "Succeeded" && ended_by_it);
  if (!evicted) return std::nullopt;
  return shown.metadata.uid + " was evicted, and has not come back";
}

}  // namespace berth::simulation
