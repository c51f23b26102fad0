// SPDX-License-Identifier: Apache-2.0

#include "ctl/evictions/eviction_json.hpp"

#include <boost/json.hpp>

#include "ctl/object_text.hpp"

namespace berth::ctl {
namespace {

namespace json = boost::json;
namespace wire = control::v1;

json::object report(const char* kind) {
  return {{"apiVersion", kReportVersion}, {"kind", kind}};
}

json::object threshold_json(const wire::EvictionThreshold& threshold) {
  json::object out{{"threshold", threshold.threshold()},
                   {"limit", threshold.limit()},
                   {"minimumReclaim", threshold.min_reclaim()},
                   {"graceMilliseconds", threshold.grace_ms()},
                   {"standing", threshold.standing()},
                   {"headroom", threshold.headroom()},
                   {"origin", threshold.origin()}};
  if (threshold.has_until_met_ms()) out["untilMetMilliseconds"] = threshold.until_met_ms();
  if (threshold.has_until_action_ms()) out["untilActionMilliseconds"] = threshold.until_action_ms();
  if (!threshold.waits_for().empty()) out["waitsFor"] = threshold.waits_for();
  return out;
}

json::object signal_json(const wire::EvictionSignal& signal) {
  json::array thresholds;
  for (const auto& threshold : signal.thresholds()) thresholds.push_back(threshold_json(threshold));
  return {{"name", signal.name()},
          {"own", signal.own()},
          {"value", signal.value()},
          {"capacity", signal.capacity()},
          {"time", signal.time()},
          {"perSecond", signal.slope()},
          {"thresholds", std::move(thresholds)}};
}

json::object ranked_json(const wire::RankedPod& pod) {
  return {{"namespace", pod.namespace_()},
          {"name", pod.name()},
          {"uid", pod.uid()},
          {"usage", pod.usage()},
          {"request", pod.request()},
          {"priority", pod.priority()},
          {"aheadBy", pod.ahead_by()},
          {"exempt", pod.exempt()},
          {"withinRequest", pod.within_request()}};
}

json::object ranking_json(const wire::EvictionRanking& ranking) {
  json::array pods;
  for (const auto& pod : ranking.pods()) pods.push_back(ranked_json(pod));
  json::object out{{"signal", ranking.signal()}, {"pods", std::move(pods)}};
  if (ranking.has_next_victim()) out["nextVictim"] = ranking.next_victim();
  return out;
}

json::object decided_json(const wire::DecidedEviction& eviction) {
  return {{"namespace", eviction.namespace_()},
          {"name", eviction.name()},
          {"uid", eviction.uid()},
          {"cause", eviction.cause()},
          {"gracePeriodSeconds", eviction.grace_seconds()},
          {"message", eviction.message()}};
}

template <class Strings>
json::array strings(const Strings& list) {
  json::array out;
  for (const auto& text : list) out.push_back(json::string(text));
  return out;
}

}  // namespace

json::value explain_json(const wire::ExplainEvictionsReply& reply) {
  json::object out = report("EvictionExplanation");
  out["verdict"] = reply.verdict();
  out["fileSystems"] = reply.layout();
  if (reply.has_until_action_ms()) out["untilActionMilliseconds"] = reply.until_action_ms();
  if (!reply.waits_for().empty()) out["waitsFor"] = reply.waits_for();
  json::array conditions;
  for (const auto& condition : reply.conditions()) {
    json::object one{{"type", condition.type()}, {"present", condition.present()}};
    if (condition.has_until_cleared_ms())
      one["untilClearedMilliseconds"] = condition.until_cleared_ms();
    conditions.push_back(std::move(one));
  }
  out["conditions"] = std::move(conditions);
  json::array signals;
  for (const auto& signal : reply.signals()) signals.push_back(signal_json(signal));
  out["signals"] = std::move(signals);
  json::array rankings;
  for (const auto& ranking : reply.rankings()) rankings.push_back(ranking_json(ranking));
  out["rankings"] = std::move(rankings);
  json::array evictions;
  for (const auto& one : reply.evictions()) evictions.push_back(decided_json(one));
  out["evictions"] = std::move(evictions);
  return out;
}

json::value log_json(const std::vector<wire::EvictionEntry>& entries) {
  json::array items;
  for (const auto& entry : entries) {
    boost::system::error_code failure;
    json::value record = json::parse(entry.record_json(), failure);
    items.push_back({{"time", entry.time()},
                     {"namespace", entry.namespace_()},
                     {"name", entry.name()},
                     {"uid", entry.uid()},
                     {"sentence", entry.sentence()},
                     {"decision", entry.decision()},
                     {"record", failure ? json::value(nullptr) : std::move(record)}});
  }
  json::object out = report("EvictionLog");
  out["items"] = std::move(items);
  return out;
}

json::value simulation_json(const wire::SimulateEvictionsReply& reply) {
  json::array events;
  for (const auto& event : reply.events())
    events.push_back({{"time", event.time()},
                      {"kind", event.kind()},
                      {"certainty", event.certainty()},
                      {"text", event.text()},
                      {"namespace", event.namespace_()},
                      {"name", event.name()}});
  json::object out = report("EvictionSimulation");
  out["thresholds"] = strings(reply.thresholds());
  out["warnings"] = strings(reply.warnings());
  out["samples"] = reply.samples();
  out["from"] = reply.from();
  out["until"] = reply.until();
  out["events"] = std::move(events);
  return out;
}

json::value top_json(const std::vector<wire::PodUsage>& pods) {
  json::array items;
  for (const auto& pod : pods) {
    json::object one{{"namespace", pod.namespace_()},
                     {"name", pod.name()},
                     {"memoryRequestBytes", pod.memory_request_bytes()},
                     {"ephemeralStorageRequestBytes", pod.ephemeral_request_bytes()},
                     {"exempt", pod.exempt()}};
    if (pod.has_memory_bytes()) one["memoryBytes"] = pod.memory_bytes();
    if (pod.has_ephemeral_bytes()) one["ephemeralStorageBytes"] = pod.ephemeral_bytes();
    if (pod.has_processes()) one["processes"] = pod.processes();
    json::object places;
    for (int i = 0; i < pod.signals_size() && i < pod.places_size(); ++i)
      places[pod.signals(i)] = pod.places(i);
    one["places"] = std::move(places);
    one["exemptSignals"] = strings(pod.exempt_signals());
    items.push_back(std::move(one));
  }
  json::object out = report("PodUsageList");
  out["items"] = std::move(items);
  return out;
}

}  // namespace berth::ctl
