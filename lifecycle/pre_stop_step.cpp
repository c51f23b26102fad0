#include "lifecycle/pre_stop_step.hpp"

namespace berth::lifecycle {

PreStopStep pre_stop_step(const PreStopSituation& situation, SteadyTime now) {
  if (situation.known) return {.done_at = situation.known->done_at};
  if (situation.begun_before) return {.done_at = now, .settle = true};
  if (!situation.has_hook || !situation.container_runs) return {.done_at = situation.stop_began};
  return {.begin = true};
}

}  // namespace berth::lifecycle
