#include "lifecycle/deletion_period.hpp"

#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

DeletionPeriod deletion_period(const DeletionQuestion& question) {
  const auto& [requested, own, placed, phase, in_force] = question;
  const bool negative = requested && *requested < 0;
  if (in_force) {
    if (!requested) return {.seconds = *in_force, .takes_effect = false};
    const std::int64_t seconds = negative ? 1 : *requested;
    const bool sooner = seconds < *in_force;
    return {.seconds = sooner ? seconds : *in_force, .takes_effect = sooner};
  }
  if (!placed || is_terminal_phase(phase)) return {.seconds = 0};
  const std::int64_t seconds = requested ? *requested : own.value_or(0);
  return {.seconds = seconds < 0 ? 1 : seconds};
}

}  // namespace berth::lifecycle
