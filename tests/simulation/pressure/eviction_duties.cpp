// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/pressure/eviction_duties.hpp"

#include <algorithm>

namespace berth::simulation {

using eviction::FileSystemLayout;
using std::chrono::seconds;

namespace {

// From one look to the next: ten seconds, and the time for its readings.
constexpr seconds kLongestPause{20};
// Looks that require an eviction without one happening: the chosen pod may have finished since it
// was measured, and a reclaim may have ended in the middle of a look.
constexpr int kLooksForAnEnd = 3;
// Reclaims without an eviction between them: the pod that was to follow one may have finished.
constexpr int kReclaimsForAnEnd = 3;

}  // namespace

void EvictionDuties::berthd_ends() {
  looks_from_.reset();
  reclaims_since_.reset();
  goes_ = false;
  undone_ = {};
}

void EvictionDuties::measures() {
  if (!looks_from_) looks_from_ = clock_.steady_now();
}

void EvictionDuties::somebody_goes(Nanoseconds at_most) {
  goes_ = true;
  looks_from_ = std::max(looks_from_.value_or(SteadyTime{}), clock_.steady_now() + at_most);
}

void EvictionDuties::looked(Owed owed) {
  if (goes_ || owed == Owed::kNothing) undone_ = {};
  if (!goes_) looks_from_ = clock_.steady_now();
  if (owed == Owed::kAnEnd && !goes_ && ++undone_.looks > kLooksForAnEnd)
    invariants_.violated("the node is short, and nobody goes");
  goes_ = false;
}

void EvictionDuties::reclaim_begins() {
  if (reclaims_since_) invariants_.violated("the node is to reclaim, and is at it already");
  reclaims_since_ = clock_.steady_now();
  undone_.looks = 0;
  if (++undone_.reclaims > kReclaimsForAnEnd)
    invariants_.violated("the node reclaims again and again, and nobody goes");
}

bool EvictionDuties::reclaims_for(eviction::Signal signal) const {
  const auto where = eviction::traits(signal).file_system;
  if (!reclaims_since_ || where == eviction::SignalFileSystem::kNone) return false;
  // On a node with images and layers elsewhere there is nothing to reclaim.
  return layout_ != FileSystemLayout::kDedicatedImageFs ||
         where != eviction::SignalFileSystem::kNode;
}

void EvictionDuties::time_passes() {
  if (looks_from_ && clock_.steady_now() > *looks_from_ + kLongestPause)
    invariants_.violated(reclaims_since_ ? "nobody looks while the node reclaims"
                                         : "nobody looks after the node any more");
}

}  // namespace berth::simulation
