// SPDX-License-Identifier: Apache-2.0

#include "eviction/ranking.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace berth::eviction {
namespace {

struct Verdict {
  std::weak_ordering order = std::weak_ordering::equivalent;  // less: a is ranked first
  RankingKey key = RankingKey::kGivenOrder;
};

// true is ranked first.
std::weak_ordering true_first(bool a, bool b) {
  return b <=> a;
}

// Later keys are compared only if the earlier ones are equal: a ranking makes ten thousand
// comparisons.
template <class... Keys>
Verdict first_difference(const Keys&... keys) {
  Verdict found;
  const bool differ = (... || ((found = keys()).order != 0));
  return differ ? found : Verdict{};
}

Verdict compare(const PodUse& a, const PodUse& b, StarvedResource resource) {
  const auto no_reading = [&] {
    return Verdict{true_first(!a.has_reading, !b.has_reading), RankingKey::kNoReading};
  };
  const auto exceeds = [&] {
    return Verdict{true_first(a.exceeds_request, b.exceeds_request), RankingKey::kExceedsRequest};
  };
  const auto priority = [&] { return Verdict{a.priority <=> b.priority, RankingKey::kPriority}; };
  const auto consumption = [&] {
    return Verdict{b.consumption <=> a.consumption, RankingKey::kConsumption};
  };
  if (resource == StarvedResource::kPids || resource == StarvedResource::kIo)
    return first_difference(priority, no_reading, consumption);
  return first_difference(no_reading, exceeds, priority, consumption);
}

std::optional<Exemption> exemption(const api::Pod& pod, const PodUse& use,
                                   const EvictionRules& rules) {
  if (const auto critical = critical_exemption(pod, rules)) return critical;
  if (rules.evict_within_requests) return std::nullopt;
  if (!use.has_reading) return Exemption::kUsageUnknown;
  if (!use.exceeds_request) return Exemption::kWithinRequests;
  return std::nullopt;
}

// The pods' indices in eviction order. Moving a pod costs more than comparing it.
std::vector<std::size_t> order_of(const std::vector<RankedPod>& pods, StarvedResource resource) {
  std::vector<std::size_t> order(pods.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return compare(pods[a].use, pods[b].use, resource).order < 0;
  });
  return order;
}

// Moves each pod once, along the cycles of the permutation, and without a second array: new memory
// would cost as much as the comparisons.
void arrange(std::vector<RankedPod>& pods, std::vector<std::size_t> order) {
  for (std::size_t first = 0; first < order.size(); ++first) {
    if (order[first] == first) continue;
    RankedPod aside = std::move(pods[first]);
    std::size_t gap = first;
    while (order[gap] != first) {
      const std::size_t next = std::exchange(order[gap], gap);
      pods[gap] = std::move(pods[next]);
      gap = next;
    }
    pods[gap] = std::move(aside);
    order[gap] = gap;
  }
}

}  // namespace

std::string_view to_string(RankingKey key) {
  switch (key) {
    case RankingKey::kNoReading:
      return "NoReading";
    case RankingKey::kExceedsRequest:
      return "ExceedsRequest";
    case RankingKey::kPriority:
      return "Priority";
    case RankingKey::kConsumption:
      return "Consumption";
    case RankingKey::kGivenOrder:
      return "GivenOrder";
  }
  return "";
}

std::string_view to_string(Exemption exemption) {
  switch (exemption) {
    case Exemption::kStaticPod:
      return "StaticPod";
    case Exemption::kMirrorPod:
      return "MirrorPod";
    case Exemption::kSystemPriority:
      return "SystemPriority";
    case Exemption::kWithinRequests:
      return "WithinRequests";
    case Exemption::kUsageUnknown:
      return "UsageUnknown";
  }
  return "";
}

bool may_be_ranked(const api::Pod& pod) {
  return pod.status.phase != "Succeeded" && pod.status.phase != "Failed";
}

std::optional<Exemption> critical_exemption(const api::Pod& pod, const EvictionRules& rules) {
  const auto critical = api::criticality(pod, rules.static_pods_are_critical);
  if (!critical) return std::nullopt;
  switch (*critical) {
    case api::Criticality::kStaticPod:
      return Exemption::kStaticPod;
    case api::Criticality::kMirrorPod:
      return Exemption::kMirrorPod;
    case api::Criticality::kSystemPriority:
      break;
  }
  return Exemption::kSystemPriority;
}

std::vector<RankedPod> rank_pods(const std::vector<const api::Pod*>& pods,
                                 const PodReadings& readings, Signal signal,
                                 FileSystemLayout layout, const EvictionRules& rules) {
  const StarvedResource resource = traits(signal).resource;
  std::vector<RankedPod> ranking;
  ranking.reserve(pods.size());
  for (const api::Pod* pod : pods) {
    PodUse use = pod_use(*pod, reading_of(readings, *pod), signal, layout);
    const auto exempt = exemption(*pod, use, rules);
    ranking.push_back({.pod = reference_to(*pod),
                       .use = std::move(use),
                       .given_at = ranking.size(),
                       .exempt = exempt});
  }
  arrange(ranking, order_of(ranking, resource));
  for (std::size_t i = 1; i < ranking.size(); ++i)
    ranking[i - 1].ahead_by = compare(ranking[i - 1].use, ranking[i].use, resource).key;
  return ranking;
}

const RankedPod* first_victim(const std::vector<RankedPod>& ranking) {
  const auto found =
      std::ranges::find_if(ranking, [](const RankedPod& one) { return !one.exempt; });
  return found == ranking.end() ? nullptr : &*found;
}

}  // namespace berth::eviction
