// SPDX-License-Identifier: Apache-2.0

// What eviction has to do, and by when: it looks again and again, also while the node reclaims; and
// while a threshold is due, is measured and waits for nothing, and a pod exists that could be
// evicted, one is evicted or the node begins to reclaim, within a number of looks. Reclaims alone
// do not suffice: one that has not helped is followed by an eviction.
//
// PressureInvariants knows what is due. With the longest time from one look to the next, and the
// time that a pod has to end, that bounds how long a node can be short of a resource without an
// eviction.
#pragma once

#include <optional>

#include "base/clock.hpp"
#include "eviction/layout.hpp"
#include "eviction/signal.hpp"
#include "tests/simulation/invariants/invariants.hpp"

namespace berth::simulation {

class EvictionDuties {
 public:
  // After a look.
  enum class Owed {
    kNothing,   // nothing is due, or no pod can be evicted for it
    kPatience,  // something is due, but it is not yet time for it
    kAnEnd,
  };

  EvictionDuties(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void set_layout(eviction::FileSystemLayout layout) { layout_ = layout; }
  [[nodiscard]] eviction::FileSystemLayout layout() const { return layout_; }

  // No look is expected until berthd measures for the first time.
  void berthd_ends();
  void measures();
  // This look evicts a pod; the next look waits for its end, at most so long.
  void somebody_goes(Nanoseconds at_most);
  void looked(Owed owed);

  // No file system is short: the reclaims until now were enough.
  void disks_suffice() { undone_.reclaims = 0; }
  void reclaim_begins();
  void reclaim_ends() { reclaims_since_.reset(); }
  // Whether the node is reclaiming, and could gain something for that signal.
  [[nodiscard]] bool reclaims_for(eviction::Signal signal) const;

  void time_passes();

 private:
  // Counted since it was owed, or was last done.
  struct Undone {
    int looks = 0;
    int reclaims = 0;
  };

  const Clock& clock_;
  Invariants& invariants_;
  eviction::FileSystemLayout layout_ = eviction::FileSystemLayout::kSingle;
  // From when on the next look can be expected; unset if berthd does not look yet.
  std::optional<SteadyTime> looks_from_{};
  std::optional<SteadyTime> reclaims_since_{};
  bool goes_ = false;  // whether this look evicts a pod
  Undone undone_{};
};

}  // namespace berth::simulation
