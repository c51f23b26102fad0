// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/process_usage.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <thread>

namespace berth::bench {
namespace {

using namespace std::chrono_literals;

void burn(Nanoseconds length) {
  const Nanoseconds end = cpu_time(::getpid()) + length;
  while (cpu_time(::getpid()) < end) {
  }
}

TEST(ProcessUsage, counts_the_time_of_threads_that_have_ended) {
  const Nanoseconds before = cpu_time(::getpid());
  std::jthread([] { burn(50ms); }).join();
  EXPECT_GE(cpu_time(::getpid()) - before, 50ms);
}

TEST(ProcessUsage, takes_what_was_written_for_the_process_s_own_and_remembers_the_peak) {
  constexpr std::size_t kBytes = std::size_t{32} << 20;
  const MemoryUsage before = memory_of(::getpid());
  void* pages = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  const MemoryUsage more = memory_of(::getpid());
  ASSERT_EQ(::munmap(pages, kBytes), 0);
  const MemoryUsage after = memory_of(::getpid());
  EXPECT_GE(more.anonymous, before.anonymous + 30);
  EXPECT_GE(more.proportional, before.proportional + 30);
  EXPECT_GE(more.resident, before.resident + 30);
  EXPECT_LE(after.anonymous, before.anonymous + 2);
  EXPECT_GE(after.peak, before.resident + 30);
}

TEST(ProcessUsage, of_a_process_that_is_not_there_is_a_failure_and_not_nothing) {
  constexpr pid_t kNobody = (1 << 22) + 1;  // beyond the highest pid that Linux assigns
  EXPECT_THROW(static_cast<void>(memory_of(kNobody)), std::runtime_error);
  EXPECT_THROW(static_cast<void>(cpu_time(kNobody)), std::runtime_error);
}

}  // namespace
}  // namespace berth::bench
