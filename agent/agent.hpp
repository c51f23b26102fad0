// SPDX-License-Identifier: Apache-2.0

// berthd itself: builds everything in order, and destroys it in reverse order.
//
// One loop, on the thread that calls run. Stopping leaves the pods as they are.
#pragma once

#include <memory>

#include "agent/options.hpp"
#include "base/log.hpp"

namespace berth::agent {

class Agent {
 public:
  Agent(Options options, Settings settings, Log& log);
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  ~Agent();

  // Runs until SIGTERM or SIGINT; returns the exit code. 69 if something required is missing for
  // good, 78 if the state file is a newer berthd's.
  int run();

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::agent
