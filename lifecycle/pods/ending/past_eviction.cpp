// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/ending/past_eviction.hpp"

namespace berth::lifecycle {

// A later order for another reason replaces the failure; one that removes the pod keeps it.
std::optional<Ending> eviction_in(const Ending& ending) {
  if (!ending.failure || ending.failure->reason != "Evicted") return std::nullopt;
  Ending eviction = ending;
  eviction.cause = EndCause::kEvicted;
  eviction.then = Afterwards::kKeep;
  return eviction;
}

}  // namespace berth::lifecycle
