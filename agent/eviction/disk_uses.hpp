// SPDX-License-Identifier: Apache-2.0

// The disk use of directories, each measured again when it is due, with bounded work.
//
// Directories are walked a piece at a time (disk_walk.hpp): at most kEntriesAStep entries per step
// and one step per second, so that a node full of small files costs about a hundredth of a
// processor and never a whole walk at once. A directory is due again after one to two periods,
// spread by its name so that not all of them are due together; a new one is due at once. A
// measurement that is too old counts as unknown. Loop thread only; the steps run on the pool.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "agent/eviction/disk_walk.hpp"
#include "agent/eviction/patient_work.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"

namespace berth::agent {

struct MeasuredUse {
  eviction::UsedSpace used{};
  SteadyTime began{};  // when its walk began
  SteadyTime ended{};

  bool operator==(const MeasuredUse&) const = default;
};

struct NamedWalk {
  std::string path{};
  DiskWalk walk;
  SteadyTime began{};
};

struct Walked {
  std::vector<NamedWalk> walks{};
  std::size_t entries = 0;
};

class DiskUses {
 public:
  static constexpr std::size_t kEntriesAStep = 5000;
  static constexpr Nanoseconds kStepPause = std::chrono::seconds(1);
  // Directories that are due within this time join the step: fewer steps, fewer wake-ups.
  static constexpr Nanoseconds kTakenAlong = std::chrono::seconds(10);

  // A directory is walked again one to two periods after its last walk ended, which takes about as
  // long as that walk did. If nothing was measured for three periods and a walk, walks do not end,
  // and the last measurement no longer counts.
  static constexpr int kPeriodsAllowed = 3;

  // `period`: volumeStatsAggPeriod; if it is zero or less, nothing is walked.
  DiskUses(Clock& clock, BlockingPool& pool, Nanoseconds period)
      : clock_(clock), pool_(pool), period_(period) {}

  // Sets the directories to measure from now on, and forgets all others.
  void watch(const std::vector<std::string>& paths);
  // Adds these directories, if they are new.
  void watch_also(const std::vector<std::string>& paths);
  // Absent if it was not measured yet, or too long ago, or if there was nothing to measure.
  [[nodiscard]] std::optional<MeasuredUse> of(const std::string& path) const;

  // Takes the next step, if anything is due; returns how many entries it inspected.
  [[nodiscard]] boost::asio::awaitable<std::size_t> step();
  // Walks all of them again, the small ones first, until `until`: a directory whose walk is not
  // complete by then keeps its last measurement. `by` runs one walk at a time.
  [[nodiscard]] boost::asio::awaitable<void> renew(std::vector<std::string> paths, SteadyTime until,
                                                   PatientWork<Walked>& by);
  // When the next step is due; absent if there is none, as things are.
  [[nodiscard]] std::optional<SteadyTime> next_step() const;

 private:
  struct Place {
    SteadyTime due{};
    std::optional<DiskWalk> walk{};  // begun, but not complete
    SteadyTime began{};
    std::optional<MeasuredUse> measured{};
  };

  [[nodiscard]] std::vector<NamedWalk> move_out_due();
  [[nodiscard]] std::vector<NamedWalk> begin_anew(std::vector<std::string> paths) const;
  void move_back(NamedWalk named);

  Clock& clock_;
  BlockingPool& pool_;
  Nanoseconds period_;
  SteadyTime rested_until_{};
  std::map<std::string, Place> places_{};
};

}  // namespace berth::agent
