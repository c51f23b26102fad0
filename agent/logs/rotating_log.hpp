// SPDX-License-Identifier: Apache-2.0

// Rotates one log: removes the oldest of its rotated files, compresses the others, then renames it.
// In steps that each take a moment, however large the files are. Blocking: for the pool; one thread
// at a time.
#pragma once

#include <optional>
#include <string>

#include "agent/logs/log_compression.hpp"
#include "base/result.hpp"
#include "node/log_rotation.hpp"
#include "node/own_folder.hpp"

namespace berth::agent {

class RotatingLog {
 public:
  struct Place {
    std::string top{};     // trusted; no link below it is followed
    std::string folder{};  // the log's
    std::string file{};
  };

  // `stamp`: local_stamp() of now.
  RotatingLog(Place place, node::LogRotationPolicy policy, std::string stamp)
      : place_(std::move(place)), policy_(policy), stamp_(std::move(stamp)) {}

  // True once the log has its new name; if false, call again. An error ends the rotation; the log
  // keeps its name.
  [[nodiscard]] Result<bool> go_on();

  [[nodiscard]] const std::string& new_name() const { return plan_.rename_to; }

 private:
  Result<bool> begin();
  Result<bool> compress();

  Place place_;
  node::LogRotationPolicy policy_;
  std::string stamp_;
  std::optional<node::OwnFolder> folder_{};  // unset if not started
  node::LogRotation plan_{};                 // the remaining steps
  std::optional<LogCompression> compression_{};
};

}  // namespace berth::agent
