// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/eviction_journal.hpp"

#include <algorithm>
#include <utility>

#include "eviction/node_conditions.hpp"
#include "lifecycle/ledger/eviction_question.hpp"
#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::agent {
namespace {

constexpr auto kKubeletsPeriod = std::chrono::seconds(10);

}  // namespace

void EvictionJournal::conditions(const std::set<eviction::PressureCondition>& present) {
  for (const std::string& reason : services_.show(present)) {
    services_.events.record_node(false, reason,
                                 eviction::status_event_message(services_.node_name, reason));
  }
}

// As often as the kubelet does, which looks every ten seconds.
void EvictionJournal::attempting(const eviction::CycleDecision& decision) {
  std::string message = eviction::attempt_message(*decision.attempted);
  const SteadyTime now = services_.clock.steady_now();
  if (message == attempt_.message && now - attempt_.at < kKubeletsPeriod) return;
  services_.events.record_node(true, eviction::kReasonThresholdMet, message);
  attempt_ = {.message = std::move(message), .at = now};
}

// While no pod may go, as often as the kubelet does.
void EvictionJournal::choosing(const eviction::CycleDecision& decision) {
  const SteadyTime now = services_.clock.steady_now();
  if (decision.evictions.empty() && chose_at_ && now - *chose_at_ < kKubeletsPeriod) return;
  chose_at_ = now;
  metrics_.decided(decision.due, services_.clock.wall_now());
}

void EvictionJournal::evicted(const EvictionReport& report) {
  for (const eviction::Eviction& eviction : report.decision.evictions) {
    const auto pod = std::ranges::find_if(report.pods, [&](const auto& candidate) {
      return candidate->metadata.uid == eviction.pod.uid;
    });
    const bool went = std::ranges::find(report.evicted, eviction.pod.uid) != report.evicted.end();
    if (went && pod != report.pods.end()) record(report, eviction, **pod);
  }
}

void EvictionJournal::record(const EvictionReport& report, const eviction::Eviction& eviction,
                             const api::Pod& pod) {
  const auto record = lifecycle::eviction_record(report.decision, eviction, report.at);
  metrics_.evicted(record.signal);
  services_.events.record_annotated(pod,
                                    {.level = lifecycle::EventLevel::kWarning,
                                     .reason = std::string(eviction.reason),
                                     .message = eviction.message},
                                    eviction.annotations);
  lifecycle::EvictionQuestion question{.pod = pod,
                                       .at = report.at,
                                       .now = report.now,
                                       .config = report.config,
                                       .before = report.before,
                                       .readings = report.readings,
                                       .layout = report.layout,
                                       .after_reclaim = report.after_reclaim};
  for (const auto& one : report.pods) question.pods.push_back(*one);
  auto fields = lifecycle::pod_fields(
      pod, lifecycle::PodLedger(services_.ledger).decided(question, record, report.at));
  fields.push_back({"REASON", std::string(eviction.reason)});
  fields.push_back({"SIGNAL", record.signal});
  services_.log.warn(
      "Evicted", pod.metadata.namespace_ + "/" + pod.metadata.name + " " + record.sentence, fields);
}

void EvictionJournal::exceeded_grace_period(const api::Pod& pod) {
  const std::string reason(lifecycle::kExceededGracePeriod);
  const std::string message(lifecycle::kExceededGracePeriodMessage);
  services_.events.record(
      pod, {.level = lifecycle::EventLevel::kWarning, .reason = reason, .message = message});
  services_.log.warn(reason,
                     pod.metadata.namespace_ + "/" + pod.metadata.name +
                         " was evicted and still runs; berthd keeps trying to stop it. " + message,
                     lifecycle::pod_fields(pod));
}

void EvictionJournal::comes_back(const std::string& uid) {
  services_.log.info("EvictedPodReturns",
                     "the node has no pressure condition any more: an evicted pod gets a new "
                     "incarnation",
                     {{"POD_UID", uid}});
}

void EvictionJournal::nobody_evictable(const eviction::CycleDecision& decision) {
  std::string who = "there is no pod";
  if (!decision.ranking.empty()) {
    who.clear();
    for (const auto& ranked : decision.ranking)
      who += (who.empty() ? "" : ", ") + ranked.pod.namespace_ + "/" + ranked.pod.name + " (" +
             std::string(ranked.exempt ? to_string(*ranked.exempt) : "") + ")";
    who = "every pod is exempt: " + who;
  }
  services_.log.warn("NobodyEvictable", to_string(decision.due.front().threshold) + ", and " + who);
}

void EvictionJournal::unmeasured(const std::vector<eviction::Threshold>& skipped) {
  if (skipped.empty())
    return services_.log.info("EvictionSees",
                              "the signals of all eviction thresholds are measured");
  std::string thresholds;
  for (const eviction::Threshold& one : skipped)
    thresholds += (thresholds.empty() ? "" : ", ") + to_string(one);
  services_.log.warn("EvictionBlind",
                     "berthd cannot measure these thresholds, and skips them: " + thresholds);
}

void EvictionJournal::blind(eviction::CycleVerdict why) {
  const bool no_layout = why == eviction::CycleVerdict::kNoLayout;
  services_.log.warn("EvictionBlind",
                     no_layout ? "berthd evicts no pod before the runtime reports where images are"
                               : "berthd evicts no pod: it could not measure the node");
}

void EvictionJournal::sees_again() {
  services_.log.info("EvictionSees", "eviction thresholds are checked again");
}

}  // namespace berth::agent
