// SPDX-License-Identifier: Apache-2.0

// How much space the files below a directory take, found a piece at a time; or what one file takes.
//
// Blocking, each step for the pool. Between two steps nothing is held open, so that whoever wants
// to unmount or remove what is walked can; a directory of a million files is gone on with where the
// last step stopped. Counted is what is allocated (st_blocks), a file of several names once; the
// walk stays on one file system and follows no link. What changes meanwhile may be missed: the
// result is as of the walk, not of one moment.
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

  // Looks at `entries` more at most; how many it did. Call again until it is over.
  std::size_t step(std::size_t entries);

  [[nodiscard]] bool over() const { return over_; }
  // Once it is over; absent: there was nothing to walk, or it could not be read.
  [[nodiscard]] const std::optional<eviction::UsedSpace>& result() const { return result_; }

 private:
  struct Pending {
    std::string path{};  // below the top; "" is the top itself
    long position = 0;   // of the directory's stream, from where to go on
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
  std::set<ino_t> linked_{};  // files of several names that were counted
  std::optional<eviction::UsedSpace> result_{};
};

}  // namespace berth::agent
