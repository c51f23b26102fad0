// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/processes/hang_guard.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace berth::integration {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Reads the lists of all threads: the kernel lists a child with the thread that started it.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t pid = 0; list >> pid;) found.push_back(pid);
  }
  return found;
}

std::string command_of(pid_t pid) {
  std::string words = contents(fmt::format("/proc/{}/cmdline", pid));
  std::ranges::replace(words, '\0', ' ');
  return words;
}

}  // namespace

HangGuard::HangGuard(std::chrono::seconds limit, std::chrono::seconds mercy)
    : limit_(limit), mercy_(mercy), thread_([this](const std::stop_token& stop) { watch(stop); }) {}

HangGuard::~HangGuard() = default;

void HangGuard::OnTestStart(const testing::TestInfo& test) {
  const std::scoped_lock lock(mutex_);
  test_ = fmt::format("{}.{}", test.test_suite_name(), test.name());
  ++tests_started_;
  changed_.notify_all();
}

void HangGuard::OnTestEnd(const testing::TestInfo& /*test*/) {
  const std::scoped_lock lock(mutex_);
  test_.clear();
  changed_.notify_all();
}

void HangGuard::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !test_.empty(); })) {
    const auto ended = [this, watched = tests_started_] {
      return test_.empty() || tests_started_ != watched;
    };
    if (changed_.wait_for(lock, stop, limit_, ended) || stop.stop_requested()) continue;
    fmt::print(stderr, "{} exceeded its limit of {} s; what it may wait for is killed:\n", test_,
               limit_.count());
    for (const pid_t pid : children()) {
      fmt::print(stderr, "  {} {}\n", pid, command_of(pid));
      ::kill(pid, SIGKILL);
    }
    if (changed_.wait_for(lock, stop, mercy_, ended) || stop.stop_requested()) continue;
    fmt::print(stderr, "{} does not end; the program exits without the tests after it\n", test_);
    std::_Exit(1);
  }
}

}  // namespace berth::integration
