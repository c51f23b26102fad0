// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/resource_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/wrapping.hpp"

namespace berth::scheduling {
namespace {

constexpr std::int64_t kMost = 100;

// The use of a resource and its capacity; the capacity is 0 if the resource does not count.
struct Share {
  std::int64_t requested = 0;
  std::int64_t allocatable = 0;
};

enum class Totals : std::uint8_t { kRequested, kNonZero };

Share share_of(const std::string& resource, Totals totals, const ResourceAmounts& request,
               const NodeFacts& facts, const NodeUsage& usage) {
  const bool nonzero = totals == Totals::kNonZero;
  if (resource == "cpu") {
    const std::int64_t used = nonzero ? usage.nonzero_milli_cpu : usage.requested.milli_cpu;
    return {.requested = wrapping_sum(used, request.milli_cpu),
            .allocatable = facts.allocatable.milli_cpu};
  }
  if (resource == "memory") {
    const std::int64_t used = nonzero ? usage.nonzero_memory : usage.requested.memory;
    return {.requested = wrapping_sum(used, request.memory),
            .allocatable = facts.allocatable.memory};
  }
  const std::int64_t own = request.of(resource);
  // A scalar that the pod does not request has no bearing on the node's score.
  if (own == 0 && is_scalar_resource(resource)) return {};
  return {.requested = wrapping_sum(usage.requested.of(resource), own),
          .allocatable = facts.allocatable.of(resource)};
}

// `part` of `whole` in percent, rounded down. `whole` is not 0.
std::int64_t percent(std::int64_t part, std::int64_t whole) {
  constexpr std::int64_t kNoOverflow = std::numeric_limits<std::int64_t>::max() / kMost;
  if (part <= kNoOverflow && part >= -kNoOverflow) return part * kMost / whole;
  __extension__ using Wide = __int128;  // the product overflows 64 bits from 92 PB on
  return static_cast<std::int64_t>(static_cast<Wide>(part) * kMost / whole);
}

std::int64_t least_allocated(const Share& share) {
  if (share.requested > share.allocatable) return 0;
  return percent(wrapping_difference(share.allocatable, share.requested), share.allocatable);
}

std::int64_t most_allocated(const Share& share) {
  return percent(std::min(share.requested, share.allocatable), share.allocatable);
}

// Shape points have scores from 0 to 10.
std::int64_t shaped(const std::vector<UtilizationShapePoint>& shape, const Share& share) {
  constexpr std::int64_t kScale = 10;
  const std::int64_t utilization =
      share.requested > share.allocatable ? kMost : percent(share.requested, share.allocatable);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (utilization > shape[i].utilization) continue;
    const std::int64_t score = shape[i].score * kScale;
    if (i == 0) return score;
    const std::int64_t before = shape[i - 1].score * kScale;
    const std::int64_t from = shape[i - 1].utilization;
    return before + (score - before) * (utilization - from) / (shape[i].utilization - from);
  }
  return shape.empty() ? 0 : shape.back().score * kScale;
}

std::int64_t weight_of(const ResourceSpec& resource) {
  return resource.weight == 0 ? 1 : resource.weight;
}

}  // namespace

std::int64_t fit_score(const ScoringStrategy& strategy, const ResourceAmounts& request,
                       const NodeFacts& facts, const NodeUsage& usage) {
  const bool by_ratio = strategy.type == ScoringStrategyType::kRequestedToCapacityRatio;
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const ResourceSpec& resource : strategy.resources) {
    const Share share = share_of(resource.name, Totals::kNonZero, request, facts, usage);
    if (share.allocatable == 0) continue;
    std::int64_t score = 0;
    if (by_ratio) {
      score = shaped(strategy.shape, share);
      // When scoring by ratio, a resource with score 0 has no weight either.
      if (score == 0) continue;
    } else {
      score = strategy.type == ScoringStrategyType::kLeastAllocated ? least_allocated(share)
                                                                    : most_allocated(share);
    }
    sum += score * weight_of(resource);
    weights += weight_of(resource);
  }
  if (weights == 0) return 0;
  if (!by_ratio) return sum / weights;
  return std::llround(static_cast<double>(sum) / static_cast<double>(weights));
}

std::int64_t balanced_score(const std::vector<ResourceSpec>& resources,
                            const ResourceAmounts& request, const NodeFacts& facts,
                            const NodeUsage& usage) {
  const auto for_each_fraction = [&](auto&& visit) {
    for (const ResourceSpec& resource : resources) {
      const Share share = share_of(resource.name, Totals::kRequested, request, facts, usage);
      if (share.allocatable == 0) continue;
      visit(std::min(
          1.0, static_cast<double>(share.requested) / static_cast<double>(share.allocatable)));
    }
  };
  std::int64_t count = 0;
  double total = 0;
  double difference = 0;  // of the first two
  for_each_fraction([&](double fraction) {
    total += fraction;
    difference = count == 0 ? fraction : difference - fraction;
    ++count;
  });
  double deviation = 0;
  if (count == 2) {
    deviation = std::abs(difference / 2);
  } else if (count > 2) {
    const double mean = total / static_cast<double>(count);
    double squares = 0;
    for_each_fraction([&](double fraction) { squares += (fraction - mean) * (fraction - mean); });
    deviation = std::sqrt(squares / static_cast<double>(count));
  }
  return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kMost));
}

bool requests_any(const std::vector<ResourceSpec>& resources, const ResourceAmounts& request) {
  return std::any_of(resources.begin(), resources.end(),
                     [&](const ResourceSpec& resource) { return request.of(resource.name) != 0; });
}

}  // namespace berth::scheduling
