// SPDX-License-Identifier: Apache-2.0

// What a pod needs on the machine: when it is created, created anew, and cleaned up.
#include "lifecycle/worker/pod_setup.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"
#include "tests/unit/lifecycle/worker/events_and_journal.hpp"

namespace berth::lifecycle {
namespace {

using test::Lines;

// A machine that records its calls, and completes preparations when the test lets it.
class Machine final : public node::Host {
 public:
  explicit Machine(boost::asio::any_io_executor executor) : turns_(std::move(executor)) {}
  node::HostCall<node::PreparedPod> prepare_pod(PodPtr) override {
    calls.push_back("prepare");
    co_await turns_.wait();
    if (!refusal.empty()) co_return fail(ErrorCode::kUnknown, refusal);
    co_return node::PreparedPod{.cgroup_problem = cgroup_problem};
  }
  boost::asio::awaitable<node::HostDns> read_dns() override { co_return node::HostDns{}; }
  void know_pod(PodPtr) override {}
  node::HostCall<std::vector<node::VolumeFailure>> set_up_volumes(PodPtr,
                                                                  node::ObjectsPtr) override {
    calls.push_back("volumes");
    co_return volume_failures;
  }
  node::HostCall<node::SubPaths> mount_sub_paths(PodPtr, std::string, node::SubPaths) override {
    co_return node::SubPaths{};
  }
  node::HostCall<node::ContainerFiles> prepare_container(PodPtr, std::string, std::uint32_t,
                                                         std::vector<std::string>) override {
    co_return node::ContainerFiles{};
  }
  node::HostCall<std::string> termination_message(cri::ContainerStatus, std::string) override {
    co_return std::string{};
  }
  node::HostCall<std::int32_t> last_logged_attempt(PodPtr, std::string) override { co_return -1; }
  node::HostCall<node::Nothing> link_container_log(PodPtr, std::string, cri::ContainerId,
                                                   std::string) override {
    co_return node::Nothing{};
  }
  node::HostCall<node::Nothing> remove_container_log(PodPtr, std::string, cri::ContainerId,
                                                     std::string) override {
    co_return node::Nothing{};
  }
  node::HostCall<node::Nothing> cleanup_pod(PodPtr, bool remove_logs) override {
    calls.push_back(remove_logs ? "clean all" : "clean");
    if (!refusal.empty()) co_return fail(ErrorCode::kUnknown, refusal);
    co_return node::Nothing{};
  }
  void turn() { turns_.notify(); }

  Lines calls{};
  std::string refusal{};
  std::string cgroup_problem{};
  std::vector<node::VolumeFailure> volume_failures{};

 private:
  Notification turns_;
};

class PodSetupTest : public LoopFixture {
 protected:
  void SetUp() override {
    made.spec.volumes = {{.name = "config", .configMap = api::ConfigMapVolumeSource{}}};
    pod = std::make_shared<const api::Pod>(made);
  }
  boost::asio::awaitable<void> prepare_pod() {
    const bool ready = co_await setup.prepare();
    log.push_back(ready ? "ready" : "not ready");
  }
  boost::asio::awaitable<void> clean(KeepLogs logs) {
    const bool clean = co_await setup.clean_up(logs);
    log.push_back(clean ? "clean" : "not clean");
  }
  boost::asio::awaitable<void> refresh() { co_await setup.refresh_volumes(); }
  void prepare() { spawn_and_drain(prepare_pod()); }
  void answer() {
    machine.turn();
    drain();
  }
  void make_ready() {
    prepare();
    answer();
    log.clear();
    machine.calls.clear();
  }

  api::Pod made = test::pod({test::container("app")});
  PodPtr pod{};
  test::Events events{};
  test::Journal journal{};
  Timetable timetable{clock};
  ledger_test::RetakingLedger ledger{};
  PodTeller teller{{.clock = clock, .events = events, .log = journal, .ledger = &ledger}, pod};
  Machine machine{loop.get_executor()};
  node::ObjectsPtr objects = std::make_shared<const node::Objects>();
  PodSetup setup{loop.get_executor(),
                 {.host = machine, .objects = objects, .children = tasks},
                 pod,
                 teller,
                 timetable};
};

TEST_F(PodSetupTest, a_pod_is_prepared_once_and_whoever_wants_it_waits) {
  setup.begin();
  setup.begin();
  prepare();
  EXPECT_TRUE(log.empty());
  answer();
  prepare();
  EXPECT_EQ(log, (Lines{"ready", "ready"}));
  EXPECT_EQ(machine.calls, (Lines{"prepare", "volumes"}));
}

TEST_F(PodSetupTest, what_failed_is_an_event_and_is_tried_again_later) {
  machine.cgroup_problem = "no room";
  prepare();
  answer();
  prepare();
  EXPECT_EQ(log, (Lines{"not ready", "not ready"}));
  EXPECT_EQ(machine.calls, Lines{"prepare"}) << "it is not due";
  EXPECT_TRUE(events.lines.at(0).find("FailedCreatePodContainer") != std::string::npos);
  machine.cgroup_problem.clear();
  clock.advance(kHiccup.first);
  prepare();
  answer();
  EXPECT_EQ(log.back(), "ready");
}

TEST_F(PodSetupTest, a_volume_that_fails_is_an_event_and_the_pod_is_not_ready) {
  machine.volume_failures = {{"config", "MountVolume.SetUp failed"}};
  prepare();
  answer();
  EXPECT_EQ(log, Lines{"not ready"});
  EXPECT_TRUE(events.lines.at(0).find("FailedMount: MountVolume.SetUp failed") !=
              std::string::npos);
}

TEST_F(PodSetupTest, what_the_pod_waits_for_is_recorded_until_it_is_there) {
  make_ready();
  EXPECT_TRUE(ledger.records().empty());
  machine.volume_failures = {{"config", "not found"}};
  setup.volumes_outdated();
  for (int tries = 0; tries < 3; ++tries) {
    spawn_and_drain(refresh());
    clock.advance(kRefusal.ceiling);
  }
  EXPECT_EQ(ledger.records().size(), 1U);
  machine.volume_failures.clear();
  spawn_and_drain(refresh());
  ASSERT_EQ(ledger.records().size(), 2U);
  EXPECT_EQ(ledger.records()[0].output, R"({"standing":"GoesOn"})");
  EXPECT_EQ(ledger.records()[1].output, R"({"standing":"Ready"})");
  EXPECT_TRUE(ledger.problems().empty());
  EXPECT_TRUE(journal.lines.at(0).find("DECISION=" + record_id(ledger.records()[0])) !=
              std::string::npos);
}

TEST_F(PodSetupTest, an_edit_that_comes_meanwhile_wants_its_own_volumes) {
  prepare();
  ++made.metadata.generation;
  pod = std::make_shared<const api::Pod>(made);
  answer();
  EXPECT_EQ(log, Lines{"not ready"});
}

TEST_F(PodSetupTest, volumes_are_written_again_when_an_object_has_changed) {
  make_ready();
  spawn_and_drain(refresh());
  EXPECT_EQ(machine.calls, Lines{}) << "they are current";
  setup.volumes_outdated();
  spawn_and_drain(refresh());
  spawn_and_drain(refresh());
  EXPECT_EQ(machine.calls, Lines{"volumes"});
}

TEST_F(PodSetupTest, volumes_that_show_no_object_are_left_alone) {
  made.spec.volumes = {{.name = "scratch", .emptyDir = api::EmptyDirVolumeSource{}}};
  pod = std::make_shared<const api::Pod>(made);
  spawn_and_drain(refresh());
  EXPECT_EQ(machine.calls, Lines{});
}

TEST_F(PodSetupTest, a_finished_pod_keeps_its_logs_until_it_goes) {
  spawn_and_drain(clean(KeepLogs::kYes));
  spawn_and_drain(clean(KeepLogs::kYes));
  EXPECT_FALSE(setup.is_clean());
  spawn_and_drain(clean(KeepLogs::kNo));
  spawn_and_drain(clean(KeepLogs::kNo));
  EXPECT_TRUE(setup.is_clean());
  EXPECT_EQ(machine.calls, (Lines{"clean", "clean all"}));
}

TEST_F(PodSetupTest, a_clean_up_that_fails_hinders_the_end_and_is_tried_again) {
  machine.refusal = "device or resource busy";
  spawn_and_drain(clean(KeepLogs::kNo));
  EXPECT_EQ(teller.obstacles().size(), 1U);
  machine.refusal.clear();
  spawn_and_drain(clean(KeepLogs::kNo));
  EXPECT_EQ(log, (Lines{"not clean", "not clean"}));
  clock.advance(kHiccup.first);
  spawn_and_drain(clean(KeepLogs::kNo));
  EXPECT_EQ(log.back(), "clean");
  EXPECT_TRUE(teller.obstacles().empty());
}

TEST_F(PodSetupTest, the_runtime_is_asked_for_read_only_mounts_by_pods_that_want_them) {
  EXPECT_FALSE(setup.asks_for_recursive_read_only());
  made.spec.containers[0].volumeMounts = {{.name = "config", .recursiveReadOnly = "Enabled"}};
  pod = std::make_shared<const api::Pod>(made);
  EXPECT_TRUE(setup.asks_for_recursive_read_only());
  setup.runtime_answered({.handlers = {{.name = "", .recursive_read_only_mounts = true}}});
  EXPECT_TRUE(setup.recursive_read_only());
  EXPECT_FALSE(setup.asks_for_recursive_read_only());
  setup.ask_runtime_again();
  EXPECT_FALSE(setup.recursive_read_only());
  EXPECT_TRUE(setup.asks_for_recursive_read_only());
}

}  // namespace
}  // namespace berth::lifecycle
