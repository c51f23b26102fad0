// SPDX-License-Identifier: Apache-2.0

// The kernel's notifications that memory is getting short: stalls (PSI), a cgroup's events, and on
// version 1 a level that usage crosses. They cost nothing while nothing happens.
//
// Which of them exist depends on the kernel; sampling makes up for those that do not. A
// notification is a hint to look, never a reading. Loop thread only; stopped before it is
// destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/eviction/memory_cgroups.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

// Usage of a cgroup at which a threshold is met, in bytes; absent if no threshold depends on it.
struct UsageLevels {
  std::optional<std::int64_t> root{};
  std::optional<std::int64_t> pods{};

  bool operator==(const UsageLevels&) const = default;
};

class PressureEvents {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    BlockingPool& pool;
    TaskGroup::FailureHandler on_failure{};
  };
  // `pods`: the cgroup of all pods, as cgroupfs_path names it. `near` is called on the loop.
  PressureEvents(Services services, std::shared_ptr<const MemoryCgroups> cgroups, std::string pods,
                 std::string proc, std::function<void()> near);
  ~PressureEvents();

  // Opens the sources that exist, and listens from now on.
  [[nodiscard]] boost::asio::awaitable<void> start();
  // Whether `aim` would change anything for these levels.
  [[nodiscard]] bool would_aim(const UsageLevels& levels) const;
  // Sets the levels from now on; does nothing where they have hardly moved.
  [[nodiscard]] boost::asio::awaitable<void> aim(UsageLevels levels);
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // The sources that are listened to: "/proc/pressure/memory", …
  [[nodiscard]] std::vector<std::string> sources() const;

 private:
  struct Source;
  struct Aimed {
    std::optional<std::int64_t> level{};
    std::shared_ptr<Source> source{};
  };

  void listen(const std::shared_ptr<Source>& source);
  boost::asio::awaitable<void> follow(std::shared_ptr<Source> source);
  boost::asio::awaitable<void> aim_at(std::string cgroup, std::optional<std::int64_t> level,
                                      Aimed& aimed);

  Services services_;
  std::shared_ptr<const MemoryCgroups> cgroups_;
  std::string pods_;
  std::string proc_;
  std::function<void()> near_;
  std::vector<std::shared_ptr<Source>> sources_{};
  Aimed root_{};
  Aimed below_{};
  TaskGroup tasks_;
};

}  // namespace berth::agent
