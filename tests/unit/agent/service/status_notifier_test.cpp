// SPDX-License-Identifier: Apache-2.0

#include "agent/service/status_notifier.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <memory>

#include <boost/asio/io_context.hpp>

#include "base/task_group.hpp"
#include "base/virtual_clock.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

lifecycle::PodPtr running_pod() {
  api::Pod pod;
  pod.status.phase = "Running";
  return std::make_shared<const api::Pod>(std::move(pod));
}

class StatusNotifierTest : public testing::Test {
 protected:
  StatusNotifierTest() {
    tasks_.spawn("notify", notifier_.notify_until_cancelled());
    tasks_.spawn("follow", notifier_.follow(watch_));
    turn();
  }
  ~StatusNotifierTest() override {
    tasks_.request_stop();
    turn();
  }

  void turn() {
    loop_.restart();
    loop_.poll();
  }
  // Adds a pod, as the pod set would publish it.
  void add_pod() {
    pods_.push_back(running_pod());
    watch_->push({.pod = pods_.back()});
    turn();
  }
  void pass(Nanoseconds time) {
    clock_.advance(time);
    turn();
  }
  Lines take() { return std::exchange(sent_, {}); }

  boost::asio::io_context loop_{1};
  VirtualClock clock_{loop_, WallTime{}};
  std::vector<lifecycle::PodPtr> pods_{};
  Lines sent_{};
  std::shared_ptr<lifecycle::PodWatch> watch_ =
      std::make_shared<lifecycle::PodWatch>(loop_.get_executor());
  StatusNotifier notifier_{loop_.get_executor(),
                           clock_,
                           {.facts = [this] { return ServiceFacts{.pods = pods_}; },
                            .notify = [this](const std::string& line) { sent_.push_back(line); }}};
  TaskGroup tasks_{loop_.get_executor(), [](std::string_view, std::exception_ptr failure) {
                     std::rethrow_exception(failure);
                   }};
};

TEST_F(StatusNotifierTest, the_line_is_sent_at_once_and_then_when_it_changes) {
  EXPECT_EQ(take(), Lines{"0 pods running"});
  pass(1h);
  EXPECT_EQ(take(), Lines{}) << "nothing happened";
  add_pod();
  EXPECT_EQ(take(), Lines{"1 pod running"});
}

TEST_F(StatusNotifierTest, a_burst_of_changes_is_one_line_a_second) {
  take();
  pass(1s);
  for (int i = 0; i < 5; ++i) add_pod();
  EXPECT_EQ(take(), Lines{"1 pod running"});
  pass(1s);
  EXPECT_EQ(take(), Lines{"5 pods running"});
}

TEST_F(StatusNotifierTest, a_look_that_finds_nothing_new_sends_nothing) {
  take();
  pass(1s);
  notifier_.look_again();
  turn();
  EXPECT_EQ(take(), Lines{});
}

}  // namespace
}  // namespace berth::agent
