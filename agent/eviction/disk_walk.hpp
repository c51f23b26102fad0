// SPDX-License-Identifier: Apache-2.0

// Measures, a piece at a time, how much space the files below a directory take; or what one file
// takes.
//
// Blocking; each step runs on the pool. Nothing is held open between two steps, so that the
// directory can be unmounted or removed meanwhile; in a directory of a million files the next step
// continues where the last one stopped. What is allocated counts (st_blocks), and a file with
// several names counts once; the walk stays on one file system and follows no link. Changes during
// the walk may be missed: the result is as of the walk, not of one moment.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "eviction/readings.hpp"

namespace berth::agent {

class DiskWalk {
 public:
  explicit DiskWalk(std::string top) : top_(std::move(top)) {}

  // Inspects `entries` more at most; returns how many it did. Call again until the walk is over.
  std::size_t step(std::size_t entries);

  [[nodiscard]] bool over() const { return over_; }
  // Valid once the walk is over; absent if there was nothing to walk, or it could not be read.
  [[nodiscard]] const std::optional<eviction::UsedSpace>& result() const { return result_; }

 private:
  struct Pending {
    std::string path{};  // below the top; "" is the top itself
    long position = 0;   // in the directory's stream, where to continue
  };

  void finish();
  void begin();
  [[nodiscard]] std::size_t walk(const Descriptor& top, Pending place, std::size_t entries);
  void count(const struct stat& entry);

  std::string top_;
  bool begun_ = false;
  bool over_ = false;
  dev_t device_ = 0;
  std::int64_t bytes_ = 0;
  std::int64_t inodes_ = 0;
  std::vector<Pending> pending_{};
  std::set<ino_t> linked_{};  // files with several names that were counted
  std::optional<eviction::UsedSpace> result_{};
};

}  // namespace berth::agent
