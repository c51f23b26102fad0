// berthd itself: everything that is built, in the order in which it is built, and taken down in
// the opposite one.
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

  // Until SIGTERM or SIGINT; the exit code. 69 where something required is missing for good.
  int run();

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace berth::agent
