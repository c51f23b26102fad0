// SPDX-License-Identifier: Apache-2.0

// What eviction owes, and when it has to be done: it looks again and again, while the node reclaims
// as well; and while something is due, is measured and waits for nothing, and a pod is there that
// could go, one goes or the node begins to reclaim, within so many looks. Reclaims alone are no
// answer either: one that has not helped is followed by an eviction.
//
// Of what is due PressureInvariants knows. With the longest time from one look to the next, and the
// time that a pod has for its end, that bounds how long a node can be short and nobody goes.
#pragma once

#include <optional>

#include "base/clock.hpp"
#include "eviction/layout.hpp"
#include "eviction/signal.hpp"
#include "tests/simulation/invariants.hpp"

namespace berth::simulation {

class EvictionDuties {
 public:
  // After a look.
  enum class Owed {
    kNothing,   // nothing is due, or nobody can go for it
    kPatience,  // something is due, and it is not the time for it
    kAnEnd,
  };

  EvictionDuties(const Clock& clock, Invariants& invariants)
      : clock_(clock), invariants_(invariants) {}
  void set_layout(eviction::FileSystemLayout layout) { layout_ = layout; }
  [[nodiscard]] eviction::FileSystemLayout layout() const { return layout_; }

  // Nobody looks until it measures for the first time.
  void berthd_ends();
  void measures();
  // Somebody goes by this look; the next one waits for that, so long at most.
  void somebody_goes(Nanoseconds at_most);
  void looked(Owed owed);

  void reclaim_begins();
  void reclaim_ends() { reclaims_since_.reset(); }
  // The node is at it, and could gain something for that signal.
  [[nodiscard]] bool reclaims_for(eviction::Signal signal) const;

  void time_passes();

 private:
  // Since it was owed, or was done.
  struct Undone {
    int looks = 0;
    int reclaims = 0;
  };

  const Clock& clock_;
  Invariants& invariants_;
  eviction::FileSystemLayout layout_ = eviction::FileSystemLayout::kSingle;
  // From when on the next look can be expected; unset: nobody looks yet.
  std::optional<SteadyTime> looks_from_{};
  std::optional<SteadyTime> reclaims_since_{};
  bool goes_ = false;  // somebody, by this look
  Undone undone_{};
};

}  // namespace berth::simulation
