// SPDX-License-Identifier: Apache-2.0

// berthd itself: builds everything in order, and destroys it in reverse order.
//
// One loop, on the thread that calls run. Stopping leaves the pods as they are.
#pragma once

#include <memory>

#include "agent/settings/options.hpp"
#include "base/log.hpp"

namespace berth::agent {

// Returned by Agent::run instead of an exit code: another Agent has to be built, because what this
// one assumed about the runtime was wrong.
inline constexpr int kStartAgain = -1;

class Agent {
 public:
  Agent(Options options, Settings settings, Log& log);
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  ~Agent();

  // Runs until SIGTERM or SIGINT; returns the exit code, or kStartAgain. 69 if something required
  // is missing for good, 78 if the state file is a newer berthd's.
  int run();

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::agent
