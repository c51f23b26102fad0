// A few blocks of the disk, held so that a full disk does not stop pods' memories from being
// written: a file of its own beside the state file, removed when space is needed.
//
// While it is gone no history is written. It comes back when the disk has room again.
#pragma once

#include <string>

namespace berth::agent {

class StoreReserve {
 public:
  // Takes the blocks if the disk has them.
  explicit StoreReserve(std::string path);

  // Where the reserve of a state file lies.
  static std::string path_for(const std::string& state_file) { return state_file + ".reserve"; }

  [[nodiscard]] bool held() const { return held_; }
  void release();
  // If it is not held and the disk has plenty of room, takes it again. Cheap.
  void restore();

 private:
  bool take();

  std::string path_;
  bool held_ = false;
};

}  // namespace berth::agent
