// SPDX-License-Identifier: Apache-2.0

// containerd is stopped, killed, hung and restarted under running pods; which event stream berthd
// uses.
#include <cstdlib>

#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

// Freezes containerd while it lives, so that a failing test leaves it answering.
class Frozen {
 public:
  Frozen() { Containerd::instance().freeze_daemon(); }
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;
  ~Frozen() { Containerd::instance().thaw_daemon(); }
};

class Runtime : public NodeTest {
 protected:
  // What berthd waits for according to `status`, once that is not empty (`waiting`) or once it is.
  std::string wait_for_status(bool waiting, std::chrono::seconds limit) {
    const auto deadline = RealClock{}.steady_now() + limit;
    std::string sentences;
    do {
      const auto reported = status();
      sentences.clear();
      if (const auto* list = reported.as_object().if_contains("waitingFor")) {
        for (const auto& sentence : list->as_array()) sentences += sentence.as_string().c_str();
      }
      if (sentences.empty() != waiting) return sentences;
    } while (RealClock{}.steady_now() < deadline);
    ADD_FAILURE() << (waiting ? "status names nothing that it waits for"
                              : "status still waits for " + sentences);
    return sentences;
  }

  void expect_untouched(const api::Pod& before) {
    const auto name = before.metadata.name.substr(0, before.metadata.name.rfind('-'));
    const auto after = pod(name);
    ASSERT_TRUE(after) << name << " is gone";
    EXPECT_TRUE(ready(*after)) << name;
    EXPECT_EQ(after->metadata.uid, before.metadata.uid);
    EXPECT_EQ(status_of(*after, "c")->containerID, status_of(before, "c")->containerID);
    EXPECT_EQ(status_of(*after, "c")->restartCount, 0);
  }
};

// containerd 1.7 has CRI events too, but there a dead subscriber breaks the next one's stream.
const char* event_source_of(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  return version.starts_with("1.") ? "containerd events" : "CRI events";
}

TEST_F(Runtime, events_come_over_cri_where_it_publishes_to_every_subscriber) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  wait_for("a", "ready", ready);
  const auto reported = status();
  const std::string version = reported.at("runtime").at("version").as_string().c_str();
  EXPECT_EQ(reported.at("runtime").at("eventSource").as_string(), event_source_of(version))
      << version;
}

TEST_F(Runtime, stopped_and_started_leaves_pods_alone_and_work_goes_on) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  Containerd::instance().stop_daemon();
  write_manifest("b.yaml", simple_pod("b", kForEver));
  Containerd::instance().start_daemon();
  wait_for("b", "ready", ready);
  expect_untouched(before);
  // Events flow again: berthd sees an exit at once, not at the next relist. The container's exit
  // may take the command with it, so the command's exit code is meaningless.
  static_cast<void>(berthctl({"exec", "a", "--", "kill", "-TERM", "1"}));
  wait_for("a", "restarted", [](const api::Pod& seen) {
    return status_of(seen, "c")->restartCount == 1 && status_of(seen, "c")->state.running;
  });
}

TEST_F(Runtime, that_hangs_is_waited_for_by_name_and_everything_goes_on_after_it) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  write_manifest("c.yaml", simple_pod("c", kForEver));
  const auto before = wait_for("a", "ready", ready);
  wait_for("c", "ready", ready);
  {
    const Frozen frozen;
    const auto reported = wait_for_status(true, 5s);
    EXPECT_NE(reported.find("the container runtime at " + Containerd::instance().endpoint()),
              std::string::npos)
        << reported;
    EXPECT_NE(reported.find("does not answer"), std::string::npos) << reported;
    write_manifest("b.yaml", simple_pod("b", kForEver));
    remove_manifest("c.yaml");
    wait_for("b", "pending", [](const api::Pod& pod) { return pod.status.phase == "Pending"; });
    wait_for("c", "terminating",
             [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
    // Longer than any call that checks whether containerd answers.
    const auto until = RealClock{}.steady_now() + 8s;
    while (RealClock{}.steady_now() < until) {
      EXPECT_FALSE(wait_for_status(true, 1s).empty());
      expect_untouched(before);
    }
    EXPECT_NE(berthd_log().find("pods go on running"), std::string::npos) << berthd_log();
  }
  wait_for("b", "ready", ready);
  wait_gone("c");
  wait_for_status(false, 15s);
  EXPECT_NE(berthd_log().find("answers again"), std::string::npos) << berthd_log();
  expect_untouched(before);
}

TEST_F(Runtime, hung_while_berthd_starts_is_named_and_what_runs_is_found_after_it) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  kill_berthd();
  {
    const Frozen frozen;
    launch_berthd();
    const auto deadline = RealClock{}.steady_now() + 10s;
    while (berthctl({"status"}).out.empty() && RealClock{}.steady_now() < deadline) {
    }
    const auto reported = wait_for_status(true, 5s);
    EXPECT_NE(reported.find("the container runtime at "), std::string::npos) << reported;
  }
  wait_for_status(false, 15s);
  expect_untouched(before);
}

TEST_F(Runtime, killed_while_a_stop_is_under_way_moves_no_deadline) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  write_manifest("deaf.yaml", simple_pod("deaf", kDeaf, "  terminationGracePeriodSeconds: 12\n"));
  const auto before = wait_for("a", "ready", ready);
  wait_for("deaf", "ready", ready);
  remove_manifest("deaf.yaml");
  const auto began = RealClock{}.steady_now();
  wait_for("deaf", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  Containerd::instance().kill_daemon();
  wait_for_status(true, 5s);
  Containerd::instance().start_daemon();
  wait_gone("deaf");
  const auto took = RealClock{}.steady_now() - began;
  EXPECT_GE(took, 12s) << "it was killed before its deadline";
  EXPECT_LT(took, 15s) << "its period began again";
  wait_for_status(false, 15s);
  expect_untouched(before);
}

// Upgrades from the installed containerd to the newer one that the tests run on; everything is
// recreated afterwards.
class Upgrade : public Runtime {
 protected:
  void SetUp() override {
    const char* newer = std::getenv("BERTH_CONTAINERD_ROOT");
    if (newer == nullptr) GTEST_SKIP() << "there is no containerd to upgrade to";
    newer_ = newer;
    Containerd::take_down();
    ::unsetenv("BERTH_CONTAINERD_ROOT");
    NodeTest::SetUp();
  }
  void TearDown() override {
    if (IsSkipped()) return;
    NodeTest::TearDown();
    Containerd::take_down();
    ::setenv("BERTH_CONTAINERD_ROOT", newer_.c_str(), 1);
  }
  void upgrade() {
    Containerd::instance().stop_daemon();
    ::setenv("BERTH_CONTAINERD_ROOT", newer_.c_str(), 1);
    Containerd::instance().start_daemon();
  }
  // berthd reopens the stream within seconds, however long the runtime was away.
  std::string wait_for_event_source() {
    const auto deadline = RealClock{}.steady_now() + 4s;
    std::string source;
    while (source.empty() && RealClock{}.steady_now() < deadline) {
      const auto shown = status();  // a variable, as `stated` points into it
      if (const auto* stated = shown.at("runtime").as_object().if_contains("eventSource"))
        source = stated->is_string() ? stated->as_string().c_str() : "";
    }
    return source;
  }
  std::string version() { return status().at("runtime").at("version").as_string().c_str(); }

 private:
  std::string newer_{};
};

TEST_F(Upgrade, of_containerd_under_running_pods_leaves_them_alone_and_events_flow) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kForEver));
  const auto before = wait_for("a", "ready", ready);
  const auto old = version();
  upgrade();
  write_manifest("b.yaml", simple_pod("b", kForEver));
  wait_for("b", "ready", ready);
  expect_untouched(before);
  wait_for_status(false, 15s);
  EXPECT_NE(version(), old);
  EXPECT_EQ(wait_for_event_source(), event_source_of(version()));
  static_cast<void>(berthctl({"exec", "a", "--", "kill", "-TERM", "1"}));
  wait_for("a", "restarted", [](const api::Pod& seen) {
    return status_of(seen, "c")->restartCount == 1 && status_of(seen, "c")->state.running;
  });
}

}  // namespace
}  // namespace berth::integration
