// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/start_readiness.hpp"

#include <chrono>

#include "base/assertion.hpp"

namespace berth::lifecycle {
namespace {

constexpr Nanoseconds kFirstLooks = std::chrono::seconds(5);

}  // namespace

StartReadiness::StartReadiness(const boost::asio::any_io_executor& executor)
    : listed_bell_(executor), seen_bell_(executor), ready_bell_(executor) {}

void StartReadiness::note_runtime_listed() {
  runtime_listed_ = true;
  listed_bell_.ring();
}

boost::asio::awaitable<void> StartReadiness::until_runtime_listed() {
  while (!runtime_listed_) co_await listed_bell_.wait();
}

bool StartReadiness::begin_first_pass() {
  if (!may_begin() || stage_ != Stage::kBeforeFirstPass) return false;
  stage_ = Stage::kFirstLooks;
  return true;
}

void StartReadiness::note_seen(const std::string& uid) {
  if (unseen_.erase(uid) > 0 && unseen_.empty()) seen_bell_.notify();
}

boost::asio::awaitable<void> StartReadiness::await_first_looks(Clock& clock) {
  assert_that(stage_ == Stage::kFirstLooks, "first looks are awaited once, after the first pass");
  const SteadyTime until = clock.steady_now() + kFirstLooks;
  while (!unseen_.empty()) {
    const bool rung = co_await seen_bell_.wait_until(clock, until);
    if (!rung) break;
  }
  unseen_.clear();
  stage_ = Stage::kReady;
  ready_bell_.notify();
}

boost::asio::awaitable<void> StartReadiness::until_ready() {
  while (!ready()) co_await ready_bell_.wait();
}

}  // namespace berth::lifecycle
