#include "agent/http_slots.hpp"

namespace berth::agent {

void HttpSlots::make_room() {
  std::size_t open = 0;
  Place* slowest = nullptr;
  for (Place& place : taken_) {
    if (place.closing) continue;
    ++open;
    if (slowest == nullptr || place.waits_since < slowest->waits_since) slowest = &place;
  }
  if (open < most_ || slowest == nullptr) return;
  slowest->closing = true;
  slowest->close();
}

}  // namespace berth::agent
