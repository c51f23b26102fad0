// SPDX-License-Identifier: Apache-2.0

// A time limit for every single test. A test that hangs would otherwise use up the time of the
// whole program, and the output would not show which test it was.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace berth::integration {

// Reports a test that exceeds its limit on stderr, with the program's child processes, and kills
// these: what the test waited for ends, so the test fails and the next one runs. If the test does
// not end even then, within `mercy`, the process exits with code 1.
//
// GoogleTest owns it; its own thread does the waiting, and joins when it is destroyed.
class HangGuard : public testing::EmptyTestEventListener {
 public:
  HangGuard(std::chrono::seconds limit, std::chrono::seconds mercy);
  HangGuard(const HangGuard&) = delete;
  HangGuard& operator=(const HangGuard&) = delete;
  ~HangGuard() override;

  void OnTestStart(const testing::TestInfo& test) override;
  void OnTestEnd(const testing::TestInfo& test) override;

 private:
  void watch(const std::stop_token& stop);

  const std::chrono::seconds limit_;
  const std::chrono::seconds mercy_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string test_;            // the running test; empty between tests
  unsigned tests_started_ = 0;  // distinguishes one test from the next
  std::jthread thread_;         // last: it uses all of the above
};

}  // namespace berth::integration
