// SPDX-License-Identifier: Apache-2.0

// Eviction: eviction_parse, eviction_thresholds, eviction_rank, eviction_cycle, eviction_admit.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/codec.hpp"
#include "eviction/cycle.hpp"
#include "eviction/pressure_admission.hpp"
#include "eviction/threshold_config.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/summary_input.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using eviction::Threshold;
using eviction::ThresholdValue;

template <class T>
T decoded(const json::value& value) {
  auto object = api::from_json<T>(value);
  if (!object) throw std::runtime_error(object.error().message);
  return std::move(*object);
}

// Absent means empty, or zero.
json::array array_in(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? json::array{} : value->as_array();
}

json::object object_in(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? json::object{} : value->as_object();
}

std::int64_t integer_in(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? 0 : value->to_number<std::int64_t>();
}

std::vector<api::Pod> read_pods(const json::object& input) {
  std::vector<api::Pod> pods;
  for (const auto& pod : array_in(input, "pods")) pods.push_back(decoded<api::Pod>(pod));
  return pods;
}

bool flag(const json::object& input, const char* key) {
  const auto* value = input.if_contains(key);
  return value != nullptr && value->as_bool();
}

// The recordings were made with the kubelet's rule.
constexpr eviction::EvictionRules kKubeletRules{.static_pods_are_critical = true};

// --- thresholds as JSON ---------------------------------------------------------------------

// The shortest number that is this float, as a double; a word for values that JSON has no number
// for.
json::object share_json(float share) {
  if (std::isnan(share)) return {{"percentageSpecial", "NaN"}};
  if (std::isinf(share)) return {{"percentageSpecial", "Inf"}};
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), share).ptr;
  double shortest = 0;
  std::from_chars(text.data(), end, shortest);
  return {{"percentage", shortest}};
}

json::object value_json(const ThresholdValue& value) {
  if (const auto* quantity = std::get_if<api::Quantity>(&value)) {
    return {{"quantity", quantity->to_string()}};
  }
  return share_json(std::get<eviction::Share>(value).of_capacity);
}

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

// As Go's Duration.Seconds() sums it, to the last bit.
double seconds_json(Nanoseconds duration) {
  const std::int64_t whole = duration.count() / kNanosecondsPerSecond;
  const std::int64_t rest = duration.count() % kNanosecondsPerSecond;
  return static_cast<double>(whole) +
         static_cast<double>(rest) / static_cast<double>(kNanosecondsPerSecond);
}

Nanoseconds read_seconds(const json::object& from, const char* key) {
  const auto* seconds = from.if_contains(key);
  if (seconds == nullptr) return Nanoseconds::zero();
  return Nanoseconds(std::llround(seconds->to_number<double>() * kNanosecondsPerSecond));
}

json::object threshold_json(const Threshold& threshold) {
  json::object out{{"signal", eviction::to_string(threshold.signal)},
                   {"value", value_json(threshold.value)},
                   {"gracePeriodSeconds", seconds_json(threshold.grace_period)}};
  if (threshold.min_reclaim) out["minReclaim"] = value_json(*threshold.min_reclaim);
  return out;
}

json::array thresholds_json(const std::vector<Threshold>& thresholds) {
  json::array out;
  for (const Threshold& threshold : thresholds) out.push_back(threshold_json(threshold));
  return out;
}

ThresholdValue read_value(const json::object& value) {
  if (const auto* quantity = value.if_contains("quantity")) {
    return api::Quantity::parse(std::string(quantity->as_string())).value();
  }
  if (const auto* special = value.if_contains("percentageSpecial")) {
    using Limits = std::numeric_limits<float>;
    return eviction::Share{*special == "NaN" ? Limits::quiet_NaN() : Limits::infinity()};
  }
  const auto* share = value.if_contains("percentage");
  return eviction::Share{share == nullptr ? 0 : static_cast<float>(share->to_number<double>())};
}

std::vector<Threshold> read_thresholds(const json::object& input) {
  std::vector<Threshold> out;
  for (const auto& item : array_in(input, "thresholds")) {
    const json::object& one = item.as_object();
    Threshold threshold{
        .signal = eviction::parse_signal(one.at("signal").as_string(), false).value(),
        .value = read_value(object_in(one, "value")),
        .grace_period = read_seconds(one, "gracePeriodSeconds")};
    if (const auto* reclaim = one.if_contains("minReclaim")) {
      threshold.min_reclaim = read_value(reclaim->as_object());
    }
    out.push_back(std::move(threshold));
  }
  return out;
}

eviction::FileSystemLayout read_layout(const json::object& input) {
  const bool dedicated = flag(input, "dedicatedImageFs");
  if (flag(input, "splitContainerFs")) {
    if (!dedicated) throw std::runtime_error("split, and images have no file system of their own");
    return eviction::FileSystemLayout::kSplitImageFs;
  }
  return dedicated ? eviction::FileSystemLayout::kDedicatedImageFs
                   : eviction::FileSystemLayout::kSingle;
}

// --- comparing lists whose order is that of some text ----------------------------------------

json::value with_doubles(const json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  if (value.is_array()) {
    json::array out;
    for (const auto& item : value.get_array()) out.push_back(with_doubles(item));
    return out;
  }
  if (!value.is_object()) return value;
  std::vector<std::string> keys;
  for (const auto& [key, item] : value.get_object()) keys.emplace_back(key);
  std::ranges::sort(keys);
  json::object out;
  for (const auto& key : keys) out[key] = with_doubles(value.get_object().at(key));
  return out;
}

void sort_list(json::value& value, const char* key) {
  json::value* list = value.is_object() ? value.get_object().if_contains(key) : nullptr;
  if (list == nullptr || !list->is_array()) return;
  json::array& items = list->get_array();
  std::vector<json::value> sorted;
  for (const auto& item : items) sorted.push_back(with_doubles(item));
  std::ranges::sort(sorted, {}, [](const json::value& item) { return json::serialize(item); });
  items = json::array(sorted.begin(), sorted.end());
}

std::optional<std::string> compare_parsed(const json::value& expected, const json::value& actual) {
  json::value sorted_expected = expected;
  json::value sorted_actual = actual;
  if (expected.as_object().contains("messages")) {
    sorted_expected.as_object().erase("messages");  // which one is found first is arbitrary
  }
  sort_list(sorted_expected, "thresholds");
  sort_list(sorted_actual, "thresholds");
  return compare_values(sorted_expected, sorted_actual);
}

// Ours must be one of the acceptable outcomes.
std::optional<std::string> compare_tick(json::value expected, json::value actual) {
  const json::array acceptable = array_in(expected.as_object(), "outcomes");
  const json::value ours = actual.at("outcome");
  expected.as_object().erase("outcomes");
  actual.as_object().erase("outcome");
  for (const char* list : {"thresholdsMet", "firstObserved"}) {
    sort_list(expected, list);
    sort_list(actual, list);
  }
  if (auto difference = compare_values(expected, actual)) return difference;
  std::optional<std::string> first;
  for (const auto& outcome : acceptable) {
    auto difference = compare_values(outcome, ours);
    if (!difference) return std::nullopt;
    if (!first) first = std::move(difference);
  }
  return "of " + std::to_string(acceptable.size()) + " outcomes, the first: " + first.value_or("");
}

std::optional<std::string> compare_ticks(const json::value& expected, const json::value& actual) {
  const json::array wanted = array_in(expected.as_object(), "ticks");
  const json::array got = array_in(actual.as_object(), "ticks");
  if (wanted.size() != got.size()) return "another number of ticks";
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (auto difference = compare_tick(wanted[i], got[i])) {
      return "ticks[" + std::to_string(i) + "]" + *difference;
    }
  }
  return std::nullopt;
}

// Ours must be one of those that may be evicted.
std::optional<std::string> compare_rank(const json::value& expected, const json::value& actual) {
  json::value rest = expected;
  json::value ours = actual;
  json::array any_of;
  if (const auto* list = expected.as_object().if_contains("evictAnyOf")) {
    if (list->is_array()) any_of = list->get_array();
  }
  const json::value& victim = actual.at("victim");
  rest.as_object().erase("evictAnyOf");
  ours.as_object().erase("victim");
  if (auto difference = compare_values(rest, ours)) return difference;
  const bool fits =
      victim.is_null() ? any_of.empty() : std::ranges::find(any_of, victim) != any_of.end();
  if (fits) return std::nullopt;
  return ".victim: expected one of " + json::serialize(any_of) + ", got " + json::serialize(victim);
}

// --- the kinds --------------------------------------------------------------------------------

eviction::SignalValues read_map(const json::object& input, const char* key) {
  eviction::SignalValues out;
  for (const auto& [signal, text] : object_in(input, key)) {
    out[std::string(signal)] = json::value_to<std::string>(text);
  }
  return out;
}

json::value run_eviction_parse(const json::object& input) {
  eviction::ThresholdSettings settings{
      .evictionHard = read_map(input, "evictionHard"),
      .evictionSoft = read_map(input, "evictionSoft"),
      .evictionSoftGracePeriod = read_map(input, "evictionSoftGracePeriod"),
      .evictionMinimumReclaim = read_map(input, "evictionMinimumReclaim")};
  const json::array enforced = array_in(input, "enforceNodeAllocatable");
  settings.enforce_pods_allocatable = std::ranges::find(enforced, "pods") != enforced.end();
  const auto thresholds = eviction::parse_thresholds(settings);
  if (!thresholds) {
    return json::object{{"error", true}, {"message", thresholds.error().front().message}};
  }
  return json::object{{"error", false}, {"thresholds", thresholds_json(*thresholds)}};
}

json::object evicted_json(const eviction::Eviction& evicted) {
  json::object out{{"pod", evicted.pod.name},
                   {"gracePeriodOverride", evicted.grace_period_override},
                   {"phase", evicted.phase},
                   {"reason", evicted.reason},
                   {"message", evicted.message}};
  if (!evicted.annotations.empty()) out["annotations"] = json::value_from(evicted.annotations);
  if (evicted.condition) out["condition"] = api::to_json(*evicted.condition);
  return out;
}

json::object outcome_json(const eviction::CycleDecision& decision) {
  const auto times = [&](eviction::NodeReclaim reclaim) {
    return std::ranges::count(decision.reclaims, reclaim);
  };
  json::array evicted;
  for (const auto& one : decision.evictions) evicted.push_back(evicted_json(one));
  return {{"attemptedResource",
           decision.attempted ? eviction::to_string(*decision.attempted) : std::string_view{}},
          {"imageGC", times(eviction::NodeReclaim::kUnusedImages)},
          {"containerGC", times(eviction::NodeReclaim::kDeadContainers)},
          {"evicted", std::move(evicted)}};
}

json::object tick_json(const eviction::CycleDecision& decision) {
  std::vector<std::string_view> conditions;
  conditions.reserve(decision.state.pressure.conditions.size());
  for (const auto condition : decision.state.pressure.conditions) {
    conditions.push_back(eviction::to_string(condition));
  }
  std::ranges::sort(conditions);
  json::array first_observed;
  for (const auto& entry : decision.state.pressure.first_observed) {
    const auto at = std::chrono::duration<double>(entry.at.time_since_epoch()).count();
    first_observed.push_back(
        json::object{{"atSeconds", at}, {"threshold", threshold_json(entry.threshold)}});
  }
  return {{"error", decision.verdict == eviction::CycleVerdict::kNoLayout},
          {"nodeConditions", json::value_from(conditions)},
          {"thresholdsMet", thresholds_json(decision.state.pressure.due)},
          {"firstObserved", std::move(first_observed)},
          {"outcome", outcome_json(decision)}};
}

std::vector<const api::Pod*> active_pods(const json::object& tick,
                                         const std::vector<api::Pod>& pods) {
  std::vector<const api::Pod*> out;
  for (const auto& name : array_in(tick, "activePods")) {
    const auto found = std::ranges::find_if(
        pods, [&](const api::Pod& pod) { return pod.metadata.name == name.as_string(); });
    if (found == pods.end()) throw std::runtime_error("no such pod");
    out.push_back(&*found);
  }
  return out;
}

json::value run_eviction_cycle(const json::object& input) {
  const auto pods = read_pods(input);
  const eviction::EvictionConfig config{
      .thresholds = read_thresholds(input),
      .pressure_transition_period =
          std::chrono::seconds(integer_in(input, "pressureTransitionSeconds")),
      .max_pod_grace_period = integer_in(input, "maxPodGracePeriodSeconds"),
      .local_storage_capacity_isolation = flag(input, "localStorageCapacityIsolation"),
      .rules = kKubeletRules};
  eviction::EvictionState state;
  json::array ticks;
  for (const auto& item : array_in(input, "ticks")) {
    const json::object& tick = item.as_object();
    const eviction::Readings readings = read_summary(object_in(tick, "summary"));
    const eviction::CycleInput now{
        .readings = flag(tick, "summaryError") ? nullptr : &readings,
        .layout = read_layout(input),
        .pods = active_pods(tick, pods),
        .now = SteadyTime(std::chrono::seconds(integer_in(tick, "nowSeconds")))};
    auto decision = eviction::decide_cycle(config, state, now);
    if (decision.verdict == eviction::CycleVerdict::kReclaimOnNode) {
      const auto* later = tick.if_contains("summaryAfterReclaim");
      const auto after = later == nullptr ? readings : read_summary(later->as_object());
      decision = eviction::decide_after_reclaim(config, std::move(decision), now, &after.node);
    }
    state = decision.state;
    ticks.push_back(tick_json(decision));
  }
  return json::object{{"ticks", std::move(ticks)}};
}

json::value run_eviction_rank(const json::object& input) {
  const auto pods = read_pods(input);
  const auto readings = read_summary(object_in(input, "summary"));
  const auto signal = eviction::parse_signal(input.at("signal").as_string(), false).value();
  const auto resource = eviction::traits(signal).resource;
  const auto quoted = eviction::judge({}, read_thresholds(input), eviction::observe(readings.node),
                                      std::chrono::minutes(5), SteadyTime{})
                          .thresholds;
  std::vector<const api::Pod*> candidates;
  candidates.reserve(pods.size());
  for (const auto& pod : pods) candidates.push_back(&pod);
  const auto ranking =
      eviction::rank_pods(candidates, readings.pods, signal, read_layout(input), kKubeletRules);

  json::array groups;
  std::vector<std::string> group;
  json::object texts;
  for (const auto& ranked : ranking) {
    group.push_back(ranked.pod.name);
    if (ranked.ahead_by != eviction::RankingKey::kGivenOrder) {
      std::ranges::sort(group);
      groups.push_back(json::value_from(group));
      group.clear();
    }
  }
  for (const auto& pod : pods) {
    const auto text =
        eviction::eviction_text(pod, eviction::reading_of(readings.pods, pod), resource, quoted);
    texts[pod.metadata.name] =
        json::object{{"critical", eviction::critical_exemption(pod, kKubeletRules).has_value()},
                     {"message", text.message},
                     {"annotations", json::value_from(text.annotations)}};
  }
  const auto* victim = eviction::first_victim(ranking);
  return json::object{
      {"resource", eviction::to_string(resource)},
      {"rank", std::move(groups)},
      {"pods", std::move(texts)},
      {"victim", victim == nullptr ? json::value() : json::value(victim->pod.name)}};
}

eviction::PressureCondition read_condition(std::string_view name) {
  using enum eviction::PressureCondition;
  for (const auto condition : {kMemoryPressure, kDiskPressure, kPidPressure}) {
    if (eviction::to_string(condition) == name) return condition;
  }
  throw std::runtime_error("no condition of that name");
}

json::value run_eviction_admit(const json::object& input) {
  std::vector<eviction::PressureCondition> conditions;
  const json::array names = array_in(input, "nodeConditions");
  conditions.reserve(names.size());
  for (const auto& name : names) {
    conditions.push_back(read_condition(name.as_string()));
  }
  const auto admission = eviction::admit_under_pressure(
      conditions, decoded<api::Pod>(object_in(input, "pod")), kKubeletRules);
  return json::object{
      {"admit", admission.admitted}, {"reason", admission.reason}, {"message", admission.message}};
}

}  // namespace

std::vector<Kind> eviction_kinds() {
  return {{.name = "eviction_parse", .run = run_eviction_parse, .compare = compare_parsed},
          {.name = "eviction_thresholds", .run = run_eviction_cycle, .compare = compare_ticks},
          {.name = "eviction_rank", .run = run_eviction_rank, .compare = compare_rank},
          {.name = "eviction_cycle", .run = run_eviction_cycle, .compare = compare_ticks},
          {.name = "eviction_admit", .run = run_eviction_admit}};
}

}  // namespace berth::conformance
