// SPDX-License-Identifier: Apache-2.0

// What directories take, each measured again once its time has come, with bounded work.
//
// Directories are walked a piece at a time (disk_walk.hpp): at most kEntriesAStep entries a step,
// one step a second, so that a node full of small files costs about a hundredth of a processor and
// never a whole walk at once. A directory is due again after one to two periods, spread by its name
// so that they do not all come together; a new one is due at once. Loop thread only; the steps are
// work for the pool.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "agent/eviction/disk_walk.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"

namespace berth::agent {

struct MeasuredUse {
  eviction::UsedSpace used{};
  WallTime time{};  // when its walk began

  bool operator==(const MeasuredUse&) const = default;
};

struct NamedWalk {
  std::string path{};
  DiskWalk walk;
};

class DiskUses {
 public:
  static constexpr std::size_t kEntriesAStep = 5000;
  static constexpr Nanoseconds kStepPause = std::chrono::seconds(1);
  // What is due that soon is measured along: fewer steps, fewer wake-ups.
  static constexpr Nanoseconds kTakenAlong = std::chrono::seconds(10);

  // `period`: volumeStatsAggPeriod; zero or less: nothing is walked.
  DiskUses(Clock& clock, BlockingPool& pool, Nanoseconds period)
      : clock_(clock), pool_(pool), period_(period) {}

  // Which directories there are from now on; what is known of others is forgotten.
  void watch(const std::vector<std::string>& paths);
  // Absent: not measured yet, or there was nothing to measure.
  [[nodiscard]] std::optional<MeasuredUse> of(const std::string& path) const;

  // The next step, if anything is due; how many entries were looked at.
  [[nodiscard]] boost::asio::awaitable<std::size_t> step();
  // When there is something to do; absent: never, as things are.
  [[nodiscard]] std::optional<SteadyTime> next_step() const;

 private:
  struct Place {
    SteadyTime due{};
    std::optional<DiskWalk> walk{};  // begun, and not over
    WallTime began{};
    std::optional<MeasuredUse> measured{};
  };

  [[nodiscard]] std::vector<NamedWalk> take_due();
  void take_back(NamedWalk named);

  Clock& clock_;
  BlockingPool& pool_;
  Nanoseconds period_;
  SteadyTime rested_until_{};
  std::map<std::string, Place> places_{};
};

}  // namespace berth::agent
