// SPDX-License-Identifier: Apache-2.0

// Reserved disk blocks, so that a full disk does not stop pods' memories from being written: a
// separate file beside the state file, removed when its space is needed.
//
// While it is released no history is written. It is restored when the disk has room again.
#pragma once

#include <string>

namespace berth::agent {

class StoreReserve {
 public:
  // Allocates the blocks if the disk has them.
  explicit StoreReserve(std::string path);

  // Path of a state file's reserve.
  static std::string path_for(const std::string& state_file) { return state_file + ".reserve"; }

  [[nodiscard]] bool held() const { return held_; }
  void release();
  // Allocates it again if it is not held and the disk has plenty of room. Cheap.
  void restore();

 private:
  bool take();

  std::string path_;
  bool held_ = false;
};

}  // namespace berth::agent
