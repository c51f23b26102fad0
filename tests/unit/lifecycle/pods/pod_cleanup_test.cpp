// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_cleanup.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulation/simulated_host.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

std::shared_ptr<api::Pod> pod(const char* uid) {
  auto made = std::make_shared<api::Pod>();
  made->metadata.uid = uid;
  made->metadata.name = uid;
  made->metadata.namespace_ = "default";
  return made;
}

class PodCleanupTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> prepare(const char* uid) {
    const auto prepared = co_await host.prepare_pod(pod(uid));
    EXPECT_TRUE(prepared);
  }
  boost::asio::awaitable<void> leftovers() {
    co_await cleanup.clean_leftovers(kept);
    log.emplace_back("clean");
  }
  boost::asio::awaitable<void> one(const char* uid) {
    co_await cleanup.clean(pod(uid), due);
    log.emplace_back(std::string(uid) + " clean");
  }
  void have(const char* uid) {
    spawn("prepare", prepare(uid));
    drain();
    clock.advance(1s);
    ASSERT_TRUE(host.has_cgroup(uid));
  }

  agent::RecordedLog warnings{};
  simulation::Trace trace{};
  simulation::SimulatedHost host{clock, {.trace = &trace}};
  int attempts = 0;
  PodCleanup cleanup{{.host = host, .clock = clock, .log = warnings}, [this] { ++attempts; }};
  std::function<bool(const std::string&)> kept = [](const std::string& uid) {
    return uid == "kept";
  };
  bool still_due = true;
  std::function<bool()> due = [this] { return still_due; };
};

TEST_F(PodCleanupTest, leftovers_go_but_for_what_is_kept) {
  have("left");
  have("kept");
  spawn("leftovers", leftovers());
  drain();
  clock.advance(1s);
  EXPECT_EQ(log, std::vector<std::string>{"clean"});
  EXPECT_FALSE(host.has_cgroup("left"));
  EXPECT_TRUE(host.has_cgroup("kept"));
  EXPECT_EQ(attempts, 1);
  EXPECT_TRUE(warnings.lines.empty());
}

TEST_F(PodCleanupTest, what_cannot_be_removed_is_tried_until_it_works_and_logged_once) {
  have("stuck");
  host.set_fails(1000);
  spawn("one", one("stuck"));
  drain();
  clock.advance(1min);
  EXPECT_TRUE(log.empty());
  EXPECT_GT(attempts, 3);
  EXPECT_EQ(warnings.lines.size(), 1U);
  host.set_fails(0);
  clock.advance(15s);
  EXPECT_EQ(log, std::vector<std::string>{"stuck clean"});
  EXPECT_FALSE(host.has_cgroup("stuck"));
}

TEST_F(PodCleanupTest, a_pod_that_is_begun_meanwhile_is_left_alone) {
  have("again");
  host.set_fails(1000);
  spawn("one", one("again"));
  drain();
  clock.advance(1s);
  still_due = false;
  clock.advance(15s);
  EXPECT_EQ(log, std::vector<std::string>{"again clean"}) << "nobody waits for it any more";
  const int tried = attempts;
  EXPECT_GT(tried, 0);
  clock.advance(1min);
  EXPECT_EQ(attempts, tried);
}

}  // namespace
}  // namespace berth::lifecycle
