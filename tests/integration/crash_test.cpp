// SPDX-License-Identifier: Apache-2.0

// berthd is killed once, and deadlines and verdicts must survive it. many_crashes_test.cpp kills it
// two hundred times, at any moment.
#include "base/real_clock.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

class Crash : public NodeTest {};

TEST_F(Crash, a_stop_under_way_goes_on_with_what_is_left_of_its_period) {
  start_berthd();
  write_manifest("deaf.yaml", simple_pod("deaf", kDeaf, "  terminationGracePeriodSeconds: 8\n"));
  wait_for("deaf", "ready", ready);
  remove_manifest("deaf.yaml");
  const auto began = RealClock{}.steady_now();
  wait_for("deaf", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  kill_berthd_after(4s);
  start_berthd();
  wait_gone("deaf");
  const auto took = RealClock{}.steady_now() - began;
  EXPECT_GE(took, 8s);
  EXPECT_LT(took, 11s) << "it did not begin again";
}

TEST_F(Crash, a_deleted_pod_does_not_come_back_as_the_same_incarnation) {
  start_berthd();
  write_manifest("a.yaml", simple_pod("a", kDeaf, "  terminationGracePeriodSeconds: 3\n"));
  const auto before = wait_for("a", "ready", ready);
  EXPECT_EQ(berthctl({"delete", "pod", "a", "--no-wait"}).exit_code, 0);
  wait_for("a", "terminating",
           [](const api::Pod& pod) { return pod.metadata.deletionTimestamp.has_value(); });
  kill_berthd();
  start_berthd();
  const auto after = wait_for("a", "back", [&](const api::Pod& pod) {
    return pod.metadata.uid != before.metadata.uid && ready(pod);
  });
  EXPECT_NE(status_of(after, "c")->containerID, status_of(before, "c")->containerID);
}

TEST_F(Crash, a_pod_that_admission_refused_stays_refused) {
  start_berthd("systemReserved: {cpu: 1900m}\n");
  write_manifest("a.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n"
                 "  containers:\n  - name: c\n    image: localhost/busybox:1\n"
                 "    resources: {requests: {cpu: 500m}}\n");
  const auto refused = [](const api::Pod& pod) { return pod.status.reason == "OutOfcpu"; };
  wait_for("a", "refused", refused);
  kill_berthd();
  start_berthd();
  wait_for("a", "still refused", refused);
}

}  // namespace
}  // namespace berth::integration
