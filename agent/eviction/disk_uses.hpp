// SPDX-License-Identifier: Apache-2.0

// What directories take, each measured again once its time has come, with bounded work.
//
// Directories are walked a piece at a time (disk_walk.hpp): at most kEntriesAStep entries a step,
// one step a second, so that a node full of small files costs about a hundredth of a processor and
// never a whole walk at once. A directory is due again after one to two periods, spread by its name
// so that they do not all come together; a new one is due at once. What was measured too long ago
// is not known any more. Loop thread only; the steps are work for the pool.
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
  SteadyTime began{};  // its walk
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
  // What is due that soon is measured along: fewer steps, fewer wake-ups.
  static constexpr Nanoseconds kTakenAlong = std::chrono::seconds(10);

  // A directory is walked anew one to two periods after the last walk's end, and that takes about
  // as long as it did: three periods and a walk later something keeps walks from ending.
  static constexpr int kPeriodsAllowed = 3;

  // `period`: volumeStatsAggPeriod; zero or less: nothing is walked.
  DiskUses(Clock& clock, BlockingPool& pool, Nanoseconds period)
      : clock_(clock), pool_(pool), period_(period) {}

  // Which directories there are from now on; what is known of others is forgotten.
  void watch(const std::vector<std::string>& paths);
  // These too, if they are new.
  void watch_also(const std::vector<std::string>& paths);
  // Absent: not measured yet, or too long ago, or there was nothing to measure.
  [[nodiscard]] std::optional<MeasuredUse> of(const std::string& path) const;

  // The next step, if anything is due; how many entries were looked at.
  [[nodiscard]] boost::asio::awaitable<std::size_t> step();
  // Walks all of them anew, the small ones first, until that moment: what is not over by then
  // stands as it was measured last. `by`: one at a time.
  [[nodiscard]] boost::asio::awaitable<void> renew(std::vector<std::string> paths, SteadyTime until,
                                                   PatientWork<Walked>& by);
  // When there is something to do; absent: never, as things are.
  [[nodiscard]] std::optional<SteadyTime> next_step() const;

 private:
  struct Place {
    SteadyTime due{};
    std::optional<DiskWalk> walk{};  // begun, and not over
    SteadyTime began{};
    std::optional<MeasuredUse> measured{};
  };

  [[nodiscard]] std::vector<NamedWalk> take_due();
  [[nodiscard]] std::vector<NamedWalk> begin_anew(std::vector<std::string> paths) const;
  void take_back(NamedWalk named);

  Clock& clock_;
  BlockingPool& pool_;
  Nanoseconds period_;
  SteadyTime rested_until_{};
  std::map<std::string, Place> places_{};
};

}  // namespace berth::agent
