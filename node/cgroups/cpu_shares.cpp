// SPDX-License-Identifier: Apache-2.0

#include "node/cgroups/cpu_shares.hpp"

#include <algorithm>

#include "base/wrapping.hpp"

namespace berth::node {

std::int64_t shares_from_milli_cpu(std::int64_t milli) {
  if (milli <= 0) return kMinShares;
  // Above 256 CPUs the answer is the ceiling, and the product would overflow for absurd requests.
  if (milli >= kMaxShares * 1000 / 1024) return kMaxShares;
  return std::max(milli * 1024 / 1000, kMinShares);
}

std::int64_t quota_from_milli_cpu(std::int64_t milli, std::int64_t period) {
  if (milli == 0) return 0;
  return std::max(wrapping_product(milli, period) / 1000, kMinQuota);
}

std::int64_t weight_from_shares(std::int64_t shares) {
  if (shares == 0) return 0;
  if (shares >= kMaxShares) return 10'000;
  return 1 + (std::max(shares, kMinShares) - kMinShares) * 9'999 / (kMaxShares - kMinShares);
}

}  // namespace berth::node
