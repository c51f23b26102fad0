// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/http_slots.hpp"

namespace berth::agent {

void HttpSlots::make_room(bool short_of_descriptors) {
  std::size_t open = 0;
  Place* slowest = nullptr;
  for (Place& place : taken_) {
    if (place.closing) continue;
    ++open;
    if (slowest == nullptr || place.waits_since < slowest->waits_since) slowest = &place;
  }
  if ((open < most_ && !short_of_descriptors) || slowest == nullptr) return;
  slowest->closing = true;
  slowest->close();
}

}  // namespace berth::agent
