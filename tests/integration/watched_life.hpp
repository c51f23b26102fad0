// SPDX-License-Identifier: Apache-2.0

// One berthd from its launch to its end: when it answers, when it is ready, and each state of a pod
// that it shows, from the first one on, as `berthctl get pods -w` prints it.
//
// Create it before berthd is launched. The caller launches berthd, follows it for as long as it
// likes, kills it, and drains the remaining output.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "tests/integration/process.hpp"
#include "tests/integration/readiness_socket.hpp"

namespace berth::integration {

class WatchedLife {
 public:
  // `dir` holds berthd's sockets.
  WatchedLife(std::string berthctl, const std::filesystem::path& dir);

  // Returns at the deadline, or once berthd is ready.
  void until_ready(SteadyTime deadline) { run(deadline, true); }
  void until(SteadyTime deadline) { run(deadline, false); }
  // Call after berthd's end: reads the watch's remaining output.
  void drain();

  // The states shown since the last call, each one pod in JSON.
  [[nodiscard]] std::vector<std::string> take_shown();
  [[nodiscard]] bool answers() const { return watch_ != nullptr; }
  [[nodiscard]] const std::optional<SteadyTime>& ready_at() const { return ready_at_; }
  // When the last state was shown; initially when this was created.
  [[nodiscard]] SteadyTime last_shown_at() const { return last_shown_at_; }

 private:
  void run(SteadyTime deadline, bool stop_when_ready);
  void begin_watch();
  void read_shown();

  std::string berthctl_;
  std::string socket_;
  ReadinessSocket readiness_;
  std::unique_ptr<Background> watch_{};
  std::vector<std::string> shown_{};
  std::optional<SteadyTime> ready_at_{};
  SteadyTime last_shown_at_;
};

}  // namespace berth::integration
