// SPDX-License-Identifier: Apache-2.0

// Eviction's orders to a real pod set, and what it knows about them after a restart.
#include "agent/eviction/pod_orders.hpp"

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

using lifecycle::container;
using lifecycle::job;
using lifecycle::pod;

class PodOrdersTest : public lifecycle::PodSetTest {
 protected:
  void TearDown() override {
    end_orders();
    PodSetTest::TearDown();
  }

  // Runs a pod whose container takes that long to exit, with code 0.
  void run_one(const char* how_long = "term=100") {
    desire({pod("u1", {container("main", {"sim", how_long, "code=0"})})});
    clock.advance(1s);
    ASSERT_EQ(status().phase, "Running");
  }
  // Replaces the runtime by one whose containers die that long after KILL.
  void kills_take(Nanoseconds time) {
    begin_on({.latencies = {.dying = {time, time}}, .witness = &log_files});
  }
  void begin_orders() {
    tasks = std::make_unique<TaskGroup>(loop.get_executor(),
                                        [this](std::string_view task, std::exception_ptr) {
                                          log.push_back(std::string(task) + " failed");
                                        });
    orders = std::make_unique<PodOrders>(loop.get_executor(), clock, agent->pods());
    tasks->spawn("pods' ends", orders->follow());
    tasks->spawn("evicted pods' deadlines", orders->report_late([this](const api::Pod& one) {
      late.push_back(one.metadata.uid);
    }));
    tasks->spawn("evicted pods' return",
                 orders->bring_back([] { return true; },
                                    [this](const std::string& uid) { returned.push_back(uid); }));
    drain();
  }
  boost::asio::awaitable<void> stop_orders() {
    tasks->request_stop();
    co_await tasks->join();
  }
  void end_orders() {
    if (!tasks) return;
    spawn_and_drain(stop_orders());
    orders.reset();
    tasks.reset();
  }
  void restart() {
    end_orders();
    end_agent();
    begin_agent();
    desire({pod("u1", {container("main", {"sim", "term=100", "code=0"})})});
    clock.advance(1s);
    begin_orders();
  }
  // Evicts u1, and then two jobs finish, of which one is to be kept.
  void evict_and_collect(const char* code) {
    keep = 2;
    end_agent();
    begin_agent();
    const auto web = pod("u1", {container("main", {"sim", "term=100", code})});
    desire({web});
    clock.advance(1s);
    begin_orders();
    ASSERT_TRUE(orders->evict(eviction_of("u1")));
    clock.advance(1s);
    desire({web, job("j1", "one", 1), job("j2", "two", 2)});
    clock.advance(3s);
    EXPECT_EQ(agent->pods().find("default", "web"), nullptr) << "it was collected";
    EXPECT_TRUE(agent->pods().is_collected("u1"));
    EXPECT_TRUE(returned.empty());
  }
  // Restarts with another pod of that name in the runtime, which takes a second to be ended.
  void restart_with_another_of_its_name() {
    end_orders();
    end_agent();
    simulation::SimulatedStore elsewhere{loop.get_executor(), clock, {.trace = &trace}};
    stored_in = &elsewhere;
    begin_agent();
    desire({pod("u0", {container("main", {"sim", "term=ignore"})})});
    clock.advance(1s);
    EXPECT_EQ(agent->pods().find("default", "web")->status.phase, "Running");
    end_agent();
    spawn_and_drain(elsewhere.shutdown());
    stored_in = &store;
    begin_agent();
    desire({pod("u1", {container("main", {"sim", "term=100", "code=1"})})});
    clock.advance(100ms);
    begin_orders();
  }
  void expect_its_return() {
    clock.advance(15s);
    EXPECT_EQ(returned, std::vector<std::string>{"u1"});
    const auto next = agent->pods().find("default", "web");
    ASSERT_TRUE(next);
    EXPECT_EQ(next->metadata.uid, "u1-next");
  }
  // Waits until nothing is left of the pod or the deadline passes, then sets `released`.
  void wait_for_release(const char* uid, Nanoseconds limit) {
    released = false;
    tasks->spawn("release", until_released(uid, clock.steady_now() + limit));
    drain();
  }
  boost::asio::awaitable<void> until_released(std::string uid, SteadyTime deadline) {
    std::vector<std::string> uids{std::move(uid)};
    auto done = orders->until_released(std::move(uids), deadline);
    co_await std::move(done);
    released = true;
  }
  // An eviction because of a storage limit.
  static eviction::Eviction eviction_of(const char* uid) {
    return {.pod = {.uid = uid},
            .cause = eviction::ExceededLimit{.name = "main"},
            .message = "Container main exceeded its local ephemeral storage limit \"1Mi\". "};
  }

  std::unique_ptr<TaskGroup> tasks{};
  std::unique_ptr<PodOrders> orders{};
  std::vector<std::string> returned{};
  std::vector<std::string> late{};
  bool released = false;
};

TEST_F(PodOrdersTest, one_is_waited_for_until_its_volumes_and_cgroup_are_gone) {
  run_one();
  begin_orders();
  host.take_time({3s, 3s});
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  wait_for_release("u1", 1min);
  clock.advance(1s);
  EXPECT_EQ(live(), 0);
  for (int i = 0; i < 30 && host.has_cgroup("u1"); ++i) {
    EXPECT_FALSE(released) << "what it wrote still fills the disk";
    clock.advance(1s);
  }
  EXPECT_FALSE(host.has_cgroup("u1"));
  EXPECT_TRUE(released);
}

TEST_F(PodOrdersTest, one_that_cannot_be_cleaned_up_is_waited_for_until_the_deadline) {
  run_one();
  begin_orders();
  host.set_fails(1000);
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  wait_for_release("u1", 20s);
  clock.advance(19s);
  EXPECT_FALSE(released);
  clock.advance(1s);
  EXPECT_TRUE(released);
  host.set_fails(0);
}

TEST_F(PodOrdersTest, one_that_is_gone_is_not_waited_for) {
  run_one();
  begin_orders();
  wait_for_release("another", 1min);
  EXPECT_TRUE(released);
  wait_for_release("u1", 1min);
  EXPECT_FALSE(released);
  desire({});
  clock.advance(5s);
  EXPECT_TRUE(released);
}

TEST_F(PodOrdersTest, one_evicted_for_a_limit_that_exits_0_comes_back_after_a_restart) {
  run_one();
  begin_orders();
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  clock.advance(3s);
  ASSERT_EQ(status().phase, "Succeeded");
  EXPECT_TRUE(returned.empty()) << "it waits for ten seconds";
  restart();
  clock.advance(11s);
  EXPECT_EQ(returned, std::vector<std::string>{"u1"});
  clock.advance(2s);
  ASSERT_TRUE(agent->pods().find("default", "web"));
  EXPECT_EQ(agent->pods().find("default", "web")->metadata.uid, "u1-next");
}

TEST_F(PodOrdersTest, one_whose_eviction_a_restart_interrupts_comes_back) {
  run_one("term=1500");
  begin_orders();
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  clock.advance(500ms);
  ASSERT_EQ(live(), 1);
  restart();
  clock.advance(20s);
  EXPECT_EQ(returned, std::vector<std::string>{"u1"});
}

TEST_F(PodOrdersTest, one_that_was_collected_comes_back) {
  evict_and_collect("code=1");
  expect_its_return();
}

TEST_F(PodOrdersTest, one_that_was_collected_comes_back_after_a_restart) {
  evict_and_collect("code=1");
  restart();
  expect_its_return();
}

TEST_F(PodOrdersTest, one_that_exits_0_and_was_collected_comes_back_after_a_restart) {
  evict_and_collect("code=0");
  restart();
  EXPECT_TRUE(agent->pods().is_collected("u1"));
  restart();  // what is stored about the pod stays
  expect_its_return();
}

TEST_F(PodOrdersTest,
       one_that_was_collected_comes_back_though_another_has_its_name_at_the_restart) {
  evict_and_collect("code=1");
  restart_with_another_of_its_name();
  EXPECT_EQ(live(), 1) << "the other one is still being ended";
  EXPECT_TRUE(agent->pods().is_collected("u1"));
  expect_its_return();
}

TEST_F(PodOrdersTest, one_whose_manifest_is_gone_since_it_was_collected_does_not_come_back) {
  evict_and_collect("code=1");
  desire({});
  clock.advance(1min);
  EXPECT_TRUE(returned.empty());
}

TEST_F(PodOrdersTest, one_whose_manifest_was_gone_before_its_eviction_does_not_come_back) {
  run_one();
  begin_orders();
  desire({});
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  host.set_fails(1000);  // its cgroup stays, and the pod is shown as long as it does
  clock.advance(3s);
  ASSERT_EQ(status().phase, "Succeeded");
  clock.advance(30s);
  EXPECT_TRUE(returned.empty());
  host.set_fails(0);
}

TEST_F(PodOrdersTest, another_pod_with_the_uid_of_a_collected_one_waits_for_itself) {
  evict_and_collect("code=1");
  desire({});
  clock.advance(1s);
  desire({pod("u1", {container("main", {"sim", "term=100", "code=1"})})});
  clock.advance(1s);
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  clock.advance(15s);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_TRUE(returned.empty()) << "it is the second eviction of that name: twenty seconds";
  clock.advance(7s);
  EXPECT_EQ(returned, std::vector<std::string>{"u1"});
}

TEST_F(PodOrdersTest, one_that_the_runtime_does_not_kill_in_time_is_reported_once) {
  kills_take(1min);
  run_one("term=ignore");
  begin_orders();
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  clock.advance(9999ms);
  EXPECT_TRUE(late.empty()) << "the runtime has ten seconds, whatever the pod has";
  clock.advance(1ms);
  EXPECT_EQ(late, std::vector<std::string>{"u1"});
  clock.advance(40s);
  EXPECT_EQ(late.size(), 1U);
  ASSERT_TRUE(orders->evict(eviction_of("u1"))) << "it is a candidate as long as it runs";
  clock.advance(5s);
  EXPECT_EQ(late.size(), 1U) << "it has been ordered anew";
}

TEST_F(PodOrdersTest, one_that_ends_in_time_is_not_late) {
  run_one("term=9000");
  begin_orders();
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  clock.advance(1min);
  EXPECT_TRUE(late.empty());
}

TEST_F(PodOrdersTest, a_restart_gives_nobody_more_time) {
  kills_take(1min);
  run_one("term=ignore");
  begin_orders();
  ASSERT_TRUE(orders->evict(eviction_of("u1")));
  clock.advance(6s);
  restart();
  EXPECT_TRUE(late.empty());
  clock.advance(3s);
  EXPECT_EQ(late, std::vector<std::string>{"u1"});
}

TEST_F(PodOrdersTest, one_that_has_finished_is_no_candidate_while_its_sandbox_is_stopped) {
  desire({pod("u1", {container("main", {"sim", "exit=0", "after=100"})}, "Never")});
  begin_orders();
  clock.advance(50ms);
  EXPECT_EQ(orders->active().size(), 1U);
  bool was_finishing = false;
  for (int i = 0; i < 200; ++i) {
    clock.advance(1ms);
    if (status().phase != "Succeeded" || agent->pods().active().empty()) continue;
    was_finishing = true;
    EXPECT_TRUE(orders->active().empty());
    EXPECT_FALSE(orders->evict(eviction_of("u1")));
  }
  EXPECT_TRUE(was_finishing);
}

TEST_F(PodOrdersTest, one_that_finishes_by_itself_does_not_come_back) {
  desire({pod("u1", {container("main", {"sim", "exit=0", "after=100"})}, "Never")});
  begin_orders();
  clock.advance(1s);
  ASSERT_EQ(status().phase, "Succeeded");
  clock.advance(1min);
  EXPECT_TRUE(returned.empty());
}

}  // namespace
}  // namespace berth::agent
