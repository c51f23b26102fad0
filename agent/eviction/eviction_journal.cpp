#include "agent/eviction/eviction_journal.hpp"

#include <utility>

#include "agent/eviction/eviction_record.hpp"
#include "eviction/node_conditions.hpp"
#include "eviction/node_reclaim.hpp"

namespace berth::agent {

void EvictionJournal::conditions(const std::set<eviction::PressureCondition>& present) {
  for (const std::string& reason : services_.show(present)) {
    services_.events.record_node(false, reason,
                                 eviction::status_event_message(services_.node_name, reason));
  }
}

// Each time as the kubelet does: repeats of an event are counted, not listed.
void EvictionJournal::attempting(const eviction::CycleDecision& decision) {
  services_.events.record_node(true, eviction::kReasonThresholdMet,
                               eviction::attempt_message(*decision.attempted));
}

void EvictionJournal::evicted(const EvictionReport& report) {
  const api::Pod& pod = *report.pod;
  const EvictionRecord record = eviction_record(report);
  const std::string sentence = eviction_sentence(report);
  ++counts_[record.signal];
  services_.events.record(pod, {.level = lifecycle::EventLevel::kWarning,
                                .reason = std::string(report.eviction.reason),
                                .message = report.eviction.message});
  services_.log.warn("Evicted", pod.metadata.namespace_ + "/" + pod.metadata.name + " " + sentence,
                     {{"NAMESPACE", pod.metadata.namespace_},
                      {"POD", pod.metadata.name},
                      {"POD_UID", pod.metadata.uid},
                      {"SIGNAL", record.signal}});
  if (services_.ledger == nullptr) return;
  services_.ledger->write({.at = report.at,
                           .uid = pod.metadata.uid,
                           .namespace_ = pod.metadata.namespace_,
                           .pod = pod.metadata.name,
                           .kind = std::string(kLedgerEviction),
                           .reasons = {{.subject = "pod", .rule = "Evicted", .text = sentence}},
                           .input = to_json_text(record),
                           .output = {}});
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

void EvictionJournal::blind(eviction::CycleVerdict why) {
  const bool no_layout = why == eviction::CycleVerdict::kNoLayout;
  services_.log.warn("EvictionBlind",
                     no_layout ? "nothing is evicted before the runtime says where images are kept"
                               : "nothing is evicted: the node could not be measured");
}

void EvictionJournal::sees_again() {
  services_.log.info("EvictionSees", "the node is looked after again");
}

}  // namespace berth::agent
