// SPDX-License-Identifier: Apache-2.0

#include "base/descriptor_limit.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace berth {
namespace {

constexpr rlim_t kKeptOf = 8;
constexpr rlim_t kKeptLeast = 4;
constexpr rlim_t kKeptMost = 64;

}  // namespace

bool is_kept_descriptor(int number, KeptFor whom) {
  rlimit limit{};
  if (number < 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  const rlim_t share = std::clamp(limit.rlim_cur / kKeptOf, kKeptLeast, kKeptMost);
  const rlim_t kept = whom == KeptFor::kItself ? share : 2 * share;
  return static_cast<rlim_t>(number) + kept >= limit.rlim_cur;
}

}  // namespace berth
