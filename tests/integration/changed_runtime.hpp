// SPDX-License-Identifier: Apache-2.0

// Runs the runtime in a non-default setup (private-containerd lists them) until this object is
// destroyed.
#pragma once

#include <cstdlib>

#include "tests/integration/test_node.hpp"

namespace berth::integration {

class ChangedRuntime {
 public:
  ChangedRuntime(const char* how, const char* value) : how_(how) {
    Containerd::instance().stop_daemon();
    ::setenv(how_, value, 1);
    Containerd::instance().start_daemon();
  }
  ChangedRuntime(const ChangedRuntime&) = delete;
  ChangedRuntime& operator=(const ChangedRuntime&) = delete;
  ~ChangedRuntime() {
    Containerd::instance().stop_daemon();
    ::unsetenv(how_);
    Containerd::instance().start_daemon();
  }

 private:
  const char* how_;
};

}  // namespace berth::integration
