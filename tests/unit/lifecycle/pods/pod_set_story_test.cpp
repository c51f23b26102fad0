// SPDX-License-Identifier: Apache-2.0

// What `why` reports about a pod whose berthd was restarted again and again while nothing happened
// to the pod: everything once.
#include <functional>

#include "lifecycle/ledger/why.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

class PodStory : public PodSetTest {
 protected:
  void SetUp() override {
    ledger = &records;
    begin_agent();
  }

  [[nodiscard]] std::vector<std::string> sentences() const {
    const std::vector<LedgerRecord> recorded(records.records().begin(), records.records().end());
    const Why story = why({.records = recorded, .pod = shown.last.get(), .now = clock.wall_now()});
    std::vector<std::string> lines;
    for (const WhyLine& line : story.happened) lines.push_back(line.text);
    return lines;
  }

  // Restarts berthd and sets the desired pods again, at the same point of the pod's life.
  void start_again(const std::function<void()>& desire_again) {
    for (int time = 0; time < 5; ++time) {
      end_agent();
      begin_agent();
      desire_again();
      clock.advance(300ms);
    }
  }

  void expect_reported_once(const std::function<void()>& desire_again) {
    const auto before = sentences();
    EXPECT_FALSE(before.empty());
    start_again(desire_again);
    EXPECT_EQ(sentences(), before);
    for (const auto& problem : records.problems()) ADD_FAILURE() << problem;
  }

  ledger_test::RetakingLedger records{};
};

TEST_F(PodStory, of_a_container_that_waits_for_its_restart) {
  const auto made = pod("u1", {container("main", {"sim", "exit=1", "after=1000"})});
  desire({made});
  clock.advance(40s);
  ASSERT_EQ(status().containerStatuses.at(0).state.waiting->reason, "CrashLoopBackOff");
  expect_reported_once([&] { desire({made}); });
}

TEST_F(PodStory, of_a_pod_that_is_held) {
  const auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].volumeDevices.emplace_back();
  desire({made});
  clock.advance(1s);
  expect_reported_once([&] { desire({made}); });
}

TEST_F(PodStory, of_a_pod_that_was_refused) {
  const auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].resources.requests["cpu"] = *api::Quantity::parse("100");
  desire({made});
  clock.advance(1s);
  expect_reported_once([&] { desire({made}); });
}

TEST_F(PodStory, of_a_container_that_ignores_its_stop) {
  const auto made = pod("u1", {container("main", {"sim", "term=ignore"})});
  desire({made});
  clock.advance(1s);
  desire({});
  clock.advance(2s);
  expect_reported_once([&] { desire({}); });
}

TEST_F(PodStory, of_a_sidecar_that_waits_for_its_turn_to_stop) {
  const auto made = pod("u1", {container("main", {"sim", "term=ignore"})});
  api::Container side = container("side", {"sim"});
  side.restartPolicy = "Always";
  made->spec.initContainers = {side};
  desire({made});
  clock.advance(1s);
  desire({});
  clock.advance(2s);
  expect_reported_once([&] { desire({}); });
}

TEST_F(PodStory, of_a_container_whose_liveness_probe_failed_and_which_ignores_that) {
  const auto made = pod("u1", {container("main", {"sim", "term=ignore"})});
  api::Probe probe;
  const simulation::ProbeScript bad{.up = 0s, .down = 1h};
  probe.exec =
      api::ExecAction{.command = {"probe", simulation::write_probe({"main", "liveness", bad})}};
  probe.periodSeconds = 1;
  probe.timeoutSeconds = 1;
  probe.successThreshold = 1;
  probe.failureThreshold = 1;
  made->spec.containers[0].livenessProbe = probe;
  desire({made});
  clock.advance(6s);
  expect_reported_once([&] { desire({made}); });
}

TEST_F(PodStory, of_a_job_that_is_done) {
  const auto made = pod("u1", {container("main", {"sim", "exit=0", "after=1000"})}, "Never");
  desire({made});
  clock.advance(5s);
  ASSERT_EQ(status().phase, "Succeeded");
  expect_reported_once([&] { desire({made}); });
}

TEST_F(PodStory, says_that_the_pod_would_not_be_admitted_today) {
  const auto made = pod("u1", {container("main", {"sim"})});
  desire({made});
  clock.advance(1s);
  const std::vector<LedgerRecord> recorded(records.records().begin(), records.records().end());
  const Why story = why({.records = recorded,
                         .pod = shown.last.get(),
                         .refused_today = "NodeAffinity: no",
                         .now = clock.wall_now()});
  EXPECT_TRUE(story.present.starts_with("The pod is Running and ready: ")) << story.present;
  EXPECT_TRUE(story.present.ends_with(
      " It would not be admitted today (NodeAffinity: no), but keeps running: a running pod is "
      "not rechecked."))
      << story.present;
}

// The window is longer each time, so each wait is reported as a new one.
TEST_F(PodStory, of_another_wait_counts_it) {
  const auto made = pod("u1", {container("main", {"sim", "exit=1", "after=1000"})});
  desire({made});
  clock.advance(100s);
  const auto lines = sentences();
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines.back().find(" times since "), std::string::npos) << lines.back();
}

}  // namespace
}  // namespace berth::lifecycle
