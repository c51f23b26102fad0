// SPDX-License-Identifier: Apache-2.0

#include "probes/schedule.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace berth::probes {
namespace {

constexpr std::uint64_t kFnvOffset = 14'695'981'039'346'656'037ULL;
constexpr std::uint64_t kFnvPrime = 1'099'511'628'211ULL;

// Points of the grid per second: powers of two that divide it exactly.
constexpr std::size_t kFewestPoints = 16;
constexpr std::size_t kMostPoints = 512;
// Probes per point, if all have the shortest period.
constexpr std::size_t kCompany = 16;

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * kFnvPrime;
  return (hash ^ 0xFFU) * kFnvPrime;
}

// The low bits of FNV are close for short texts that differ in one place: mix them.
std::uint64_t stirred(std::uint64_t hash) {
  hash = (hash ^ (hash >> 33U)) * 0xFF51AFD7ED558CCDULL;
  hash = (hash ^ (hash >> 33U)) * 0xC4CEB9FE1A85EC53ULL;
  return hash ^ (hash >> 33U);
}

}  // namespace

Nanoseconds phase_in_period(std::string_view pod_uid, std::string_view container, ProbeType type,
                            Nanoseconds period) {
  if (period <= Nanoseconds::zero()) return Nanoseconds::zero();
  const std::uint64_t hash =
      stirred(hashed(hashed(hashed(kFnvOffset, pod_uid), container), to_string(type)));
  return Nanoseconds{static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(period.count()))};
}

SteadyTime failures_count_from(const ProbeRules& rules, Nanoseconds period, SteadyTime started_at,
                               std::optional<SteadyTime> startup_passed_at) {
  const SteadyTime delayed = started_at + std::chrono::seconds{rules.initial_delay_seconds};
  switch (rules.type) {
    case ProbeType::kReadiness:
      return delayed;
    case ProbeType::kStartup:
      return delayed + period;
    case ProbeType::kLiveness:
      break;
  }
  return std::max(delayed, startup_passed_at.value_or(delayed)) + period;
}

Weight weight_of(SteadyTime began, SteadyTime failures_count_from) {
  return began < failures_count_from ? Weight::kMayHelp : Weight::kFull;
}

SteadyTime first_run(const FirstRun& from) {
  const Nanoseconds spread = from.found_at_start ? from.phase : Nanoseconds::zero();
  const SteadyTime asked = from.now + std::max({spread, from.delay_left, Nanoseconds::zero()});
  return from.type == ProbeType::kLiveness ? std::max(asked, from.failures_count_from) : asked;
}

SteadyTime next_run(SteadyTime due, SteadyTime ended, Nanoseconds period) {
  const SteadyTime next = due + period;
  if (next > ended) return next;
  // The last point of the grid that has passed: due at once, and the grid continues from there.
  return due + (ended - due) / period * period;
}

SteadyTime in_step(SteadyTime due, Nanoseconds period, std::size_t probes) {
  constexpr Nanoseconds kSecond = std::chrono::seconds{1};
  if (period <= Nanoseconds::zero() || period % kSecond != Nanoseconds::zero()) return due;
  std::size_t points = kFewestPoints;
  while (points < kMostPoints && probes / points > kCompany) points *= 2;
  const Nanoseconds step = kSecond / points;
  const Nanoseconds over = due.time_since_epoch() % step;
  return over == Nanoseconds::zero() ? due : due + (step - over);
}

}  // namespace berth::probes
