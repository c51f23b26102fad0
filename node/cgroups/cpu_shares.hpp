// SPDX-License-Identifier: Apache-2.0

// Converts the API's CPU amounts (milli-CPU) to the kernel's.
//
// Numbers: 1024 shares and one period of quota per CPU; shares from 2 to 262144 (the kernel's
// bounds), quota at least 1000 µs (the kernel's minimum), period 100 ms by default. Weights of
// cgroup v2 range from 1 to 10000; the mapping from shares is linear, like the kubelet's.
// Truncating integer arithmetic throughout.
#pragma once

#include <cstdint>

namespace berth::node {

inline constexpr std::int64_t kMinShares = 2;
inline constexpr std::int64_t kMaxShares = 262144;
inline constexpr std::int64_t kDefaultQuotaPeriod = 100'000;  // µs
inline constexpr std::int64_t kMinQuota = 1'000;              // µs

[[nodiscard]] std::int64_t shares_from_milli_cpu(std::int64_t milli);

// µs of CPU time per period; 0 for 0, which means no quota.
[[nodiscard]] std::int64_t quota_from_milli_cpu(std::int64_t milli, std::int64_t period);

// 0 (not set) stays 0.
[[nodiscard]] std::int64_t weight_from_shares(std::int64_t shares);

}  // namespace berth::node
