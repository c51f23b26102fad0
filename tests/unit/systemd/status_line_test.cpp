// SPDX-License-Identifier: Apache-2.0

#include "systemd/status_line.hpp"

#include <gtest/gtest.h>

namespace berth::systemd {
namespace {

TEST(StatusLineTest, it_says_what_an_operator_looks_for) {
  const struct {
    ServiceStatus status{};
    std::string line{};
  } cases[] = {
      {{}, "0 pods running"},
      {{.running = 1}, "1 pod running"},
      {{.running = 12, .backing_off = 1, .memory_below_threshold = 34},
       "12 pods running, 1 backing off, memory 34 % below its threshold"},
      {{.running = 2, .backing_off = 3, .starting = 4, .ending = 5, .finished = 6},
       "2 pods running, 3 backing off, 4 starting, 5 ending, 6 finished"},
      {{.running = 3, .memory_below_threshold = 0, .pressure = {"MemoryPressure"}},
       "3 pods running, memory beyond its threshold, MemoryPressure"},
      {{.running = 3, .memory_below_threshold = -7}, "3 pods running, memory beyond its threshold"},
      {{.waits_for = {"the container runtime at unix:///x: refused"}},
       "waiting for the container runtime at unix:///x: refused"},
      {{.waits_for = {"a", "b"}, .running = 3}, "waiting for a, for b, 3 pods running"},
  };
  for (const auto& [status, line] : cases) EXPECT_EQ(status_line(status), line);
}

TEST(StatusLineTest, of_a_berthd_that_is_stopped_it_says_what_it_leaves) {
  EXPECT_EQ(stopped_line({.finished = 2, .memory_below_threshold = 7}), "stopped");
  EXPECT_EQ(stopped_line({.running = 1}),
            "stopped; 1 pod is left alone, neither probed nor restarted");
  EXPECT_EQ(stopped_line({.waits_for = {"a"},
                          .running = 9,
                          .backing_off = 1,
                          .starting = 1,
                          .ending = 1,
                          .finished = 5}),
            "stopped; 12 pods are left alone, neither probed nor restarted");
}

}  // namespace
}  // namespace berth::systemd
