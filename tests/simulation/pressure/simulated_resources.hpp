// SPDX-License-Identifier: Apache-2.0

// Memory, disk and processes of the fake machine: the use by everything but pods varies by itself,
// the use by pods lasts as long as their containers run.
//
// It has its own stream of random numbers (`befall`), so that nothing else in a run changes by it.
// Readings take a while; some are stale, some are missing. It outlives berthd. Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/eviction/eviction_settings.hpp"
#include "agent/eviction/reading_source.hpp"
#include "base/clock.hpp"
#include "eviction/node_reclaim.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/runtime/runtime_record.hpp"

namespace berth::simulation {

class SimulatedRuntime;

struct ResourcesSetup {
  Random random{1};
  agent::EvictionSettings eviction{};
  eviction::FileSystemLayout layout = eviction::FileSystemLayout::kSingle;
  // So much of the memory that fills beside the pods' own use is charged to their cgroup, such as
  // their cache.
  std::int64_t percent_in_pods = 0;
};

// The use of one resource by everything but pods: from a level on, so much more each second, until
// it is released. In bytes, tasks, or parts of a million.
struct Course {
  std::int64_t base = 0;  // the normal use
  std::int64_t level = 0;
  std::int64_t per_second = 0;
  SteadyTime since{};
  SteadyTime until{};

  [[nodiscard]] std::int64_t at(SteadyTime now) const;
};

class SimulatedResources {
 public:
  SimulatedResources(Clock& clock, const SimulatedRuntime& runtime, ResourcesSetup setup);

  [[nodiscard]] const agent::EvictionSettings& settings() const { return setup_.eviction; }
  [[nodiscard]] eviction::FileSystemLayout layout() const { return setup_.layout; }

  // Something happens to a resource or to its measurement; returns in a few words what.
  std::string befall();
  // Adds random requests and limits to a manifest.
  void add_needs(api::Pod& pod);
  // Ends all shortages and faults.
  void calm_down();

  // The functions of a ReadingSource and a NodeReclaimer.
  [[nodiscard]] boost::asio::awaitable<eviction::NodeReadings> node(agent::Freshness freshness);
  [[nodiscard]] std::optional<std::int64_t> memory_in_use() const;
  [[nodiscard]] boost::asio::awaitable<eviction::PodReadings> pods(agent::PodList pods,
                                                                   agent::PodDetail detail);
  [[nodiscard]] boost::asio::awaitable<void> reclaim(eviction::NodeReclaim what);

 private:
  struct Blind {
    SteadyTime memory{};  // until then it cannot be measured
    SteadyTime disk{};
    SteadyTime images{};
    SteadyTime pids{};
    SteadyTime pods{};
  };
  // What was found on disk.
  struct Walk {
    SteadyTime at{};
    eviction::PodReading found{};
  };
  // The use of each resource by everything but pods.
  struct Courses {
    Course memory{};
    Course stalls{};  // the share of time, in parts per million
    Course disk{};
    Course images{};  // of a file system of their own
    Course pids{};
  };
  struct PodsUse {
    std::int64_t memory = 0;
    std::int64_t disk = 0;
    std::int64_t inodes = 0;
    std::int64_t pids = 0;
  };

  boost::asio::awaitable<void> take_time();
  [[nodiscard]] std::int64_t memory_used(SteadyTime now) const;
  [[nodiscard]] Course& pick(std::int64_t& capacity);
  void end_courses();
  [[nodiscard]] PodsUse use_of(const std::string& uid) const;
  [[nodiscard]] PodsUse use_of_all() const;
  static void add_use(PodsUse& sum, const Instance& instance);
  [[nodiscard]] eviction::MemoryReading measure_pods_memory(WallTime time) const;
  void measure_disks(eviction::NodeReadings& out, WallTime time);
  [[nodiscard]] eviction::PodReading measure(const api::Pod& pod) const;
  void walk(const std::string& uid, eviction::PodReading& reading, bool anew);
  [[nodiscard]] bool fills_its(std::string_view what, const std::string& uid) const;

  Clock& clock_;
  const SimulatedRuntime& runtime_;
  ResourcesSetup setup_;
  Courses by_others_;
  std::int64_t reclaimable_ = 0;  // on disk: unused images
  Blind blind_{};
  SteadyTime stale_until_{};
  bool late_ = false;                             // readings are slow
  bool calm_ = false;                             // no pod exceeds its limits
  std::optional<eviction::NodeReadings> last_{};  // as measured last, with its times
  SteadyTime disk_measured_{};
  std::map<std::string, Walk> walks_{};  // by the pod's uid
};

}  // namespace berth::simulation
