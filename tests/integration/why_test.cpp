// SPDX-License-Identifier: Apache-2.0

// The ledger on a real node: the history of a pod, and its decisions taken again.
#include <algorithm>
#include <set>
#include <sstream>

#include "base/real_clock.hpp"
#include "lifecycle/ledger/ledger_json.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "tests/integration/test_node.hpp"
#include "tests/ledger/expect_removals_refused.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

using Records = std::vector<lifecycle::LedgerRecord>;

class WhyTest : public NodeTest {
 protected:
  [[nodiscard]] Records records(const std::string& pod) const {
    const auto printed = berthctl({"why", "pod/" + pod, "--records"});
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    Records out;
    std::istringstream lines(printed.out);
    for (std::string line; std::getline(lines, line);) {
      auto record = lifecycle::parse_ledger_record(line);
      EXPECT_TRUE(record) << record.error().message << "\n" << line;
      if (record) out.push_back(std::move(*record));
    }
    return out;
  }

  // `wanted`: the expected kinds of decisions.
  static void expect_retaken(const Records& records, const std::set<std::string>& wanted) {
    std::set<std::string> kinds;
    for (const auto& record : records) {
      const auto taken = lifecycle::retake_decision(record);
      ASSERT_TRUE(taken) << taken.error().message;
      if (!*taken) continue;
      kinds.insert(record.kind);
      ledger_test::expect_removals_refused(record);
    }
    EXPECT_EQ(kinds, wanted);
  }

  static void expect_says(const Finished& printed, const std::string& sentence) {
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_NE(printed.out.find(sentence), std::string::npos) << sentence << "\nin\n" << printed.out;
  }
};

TEST_F(WhyTest, a_crash_loop_is_explained_and_taken_again_from_its_records) {
  start_berthd();
  write_manifest("crash.yaml", simple_pod("crash", "exit 3"));
  wait_for("crash", "waiting for its next start",
           [](const api::Pod& pod) { return waiting_reason(pod, "c") == "CrashLoopBackOff"; });
  const auto printed = berthctl({"why", "pod/crash"});
  expect_says(printed, "Pod default/crash-node1\n");
  expect_says(printed, "the node admits the pod");
  expect_says(printed, "the pod begins: berthd creates its sandbox");
  expect_says(printed, "container c is started again (restart 1): it ended with exit code 3 at ");
  expect_says(printed, "(backoff 10 s; starts over after 10 min up)");
  expect_says(printed, "Next start of container c: ");
  // The older instance is removed after the backoff is published.
  const auto trimmed = [this] {
    return std::ranges::any_of(records("crash"),
                               [](const auto& one) { return one.kind == "trim"; });
  };
  EXPECT_TRUE(wait_until(trimmed, RealClock{}.steady_now() + 30s));
  expect_retaken(records("crash"),
                 {"admission", "containers", "image", "phase", "plan", "readiness", "trim"});
}

TEST_F(WhyTest, a_pod_that_is_gone_is_still_explained_after_a_restart) {
  start_berthd();
  write_manifest("web.yaml", simple_pod("web",
                                        "trap 'exit 0' TERM; echo listens; while :; do "
                                        "sleep 0.1; done"));
  wait_for("web", "Running", [](const api::Pod& pod) { return pod.status.phase == "Running"; });
  expect_logs({"web"}, "listens\n");
  remove_manifest("web.yaml");
  wait_gone("web");
  stop_berthd();  // which waits until the state file has forgotten the pod
  start_berthd();
  const auto printed = berthctl({"why", "web"});
  expect_says(printed, "The pod is gone");
  expect_says(printed, "container c is started");
  expect_says(printed, "the pod is Running: its containers have started");
  expect_says(printed,
              "berthd terminates the pod: its manifest was removed, or now defines another "
              "pod; grace period 30 s, its terminationGracePeriodSeconds");
  expect_says(printed, "berthd stops container c, with 30 s to exit");
  expect_says(printed, "the pod is Succeeded: berthd terminated it, and every container has");
  expect_retaken(records("web"), {"admission", "containers", "grace", "image", "phase", "plan",
                                  "readiness", "stops"});
}

TEST_F(WhyTest, a_pod_nobody_heard_of_is_not_found) {
  start_berthd();
  const auto printed = berthctl({"why", "pod/nobody"});
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_NE(printed.err.find("nothing was recorded"), std::string::npos) << printed.err;
}

}  // namespace
}  // namespace berth::integration
