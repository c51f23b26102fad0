// SPDX-License-Identifier: Apache-2.0

#include "eviction/ranking.hpp"

#include <algorithm>
#include <utility>

namespace berth::eviction {
namespace {

struct Verdict {
  std::weak_ordering order = std::weak_ordering::equivalent;  // less: a goes first
  RankingKey key = RankingKey::kGivenOrder;
};

// true comes first.
std::weak_ordering true_first(bool a, bool b) {
  return b <=> a;
}

Verdict first_difference(std::initializer_list<Verdict> keys) {
  const auto* found = std::ranges::find_if(keys, [](const Verdict& one) { return one.order != 0; });
  return found == keys.end() ? Verdict{} : *found;
}

Verdict compare(const PodUse& a, const PodUse& b, StarvedResource resource) {
  const Verdict no_reading{true_first(!a.has_reading, !b.has_reading), RankingKey::kNoReading};
  const Verdict priority{a.priority <=> b.priority, RankingKey::kPriority};
  const Verdict consumption{b.consumption <=> a.consumption, RankingKey::kConsumption};
  if (resource == StarvedResource::kPids || resource == StarvedResource::kIo) {
    return first_difference({priority, no_reading, consumption});
  }
  const Verdict exceeds{true_first(a.exceeds_request, b.exceeds_request),
                        RankingKey::kExceedsRequest};
  return first_difference({no_reading, exceeds, priority, consumption});
}

std::optional<Exemption> exemption(const api::Pod& pod, const PodUse& use,
                                   const EvictionRules& rules) {
  if (const auto critical = critical_exemption(pod, rules)) return critical;
  if (rules.evict_within_requests) return std::nullopt;
  if (!use.has_reading) return Exemption::kUsageUnknown;
  if (!use.exceeds_request) return Exemption::kWithinRequests;
  return std::nullopt;
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
  std::vector<RankedPod> out;
  for (const api::Pod* pod : pods) {
    PodUse use = pod_use(*pod, reading_of(readings, *pod), signal, layout);
    const auto exempt = exemption(*pod, use, rules);
    out.push_back({.pod = reference_to(*pod),
                   .use = std::move(use),
                   .given_at = out.size(),
                   .exempt = exempt});
  }
  const StarvedResource resource = traits(signal).resource;
  std::ranges::stable_sort(out, [&](const RankedPod& a, const RankedPod& b) {
    return compare(a.use, b.use, resource).order < 0;
  });
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    out[i].ahead_by = compare(out[i].use, out[i + 1].use, resource).key;
  }
  return out;
}

const RankedPod* first_victim(const std::vector<RankedPod>& ranking) {
  const auto found =
      std::ranges::find_if(ranking, [](const RankedPod& one) { return !one.exempt; });
  return found == ranking.end() ? nullptr : &*found;
}

}  // namespace berth::eviction
