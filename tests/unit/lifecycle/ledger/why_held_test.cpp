// SPDX-License-Identifier: Apache-2.0

// The output of `why` for a pod that waits for the runtime or the store.
#include <gtest/gtest.h>

#include "lifecycle/ledger/why.hpp"
#include "lifecycle/ledger/why_present.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using Lines = std::vector<std::string>;

TEST(WhyHeld, what_lies_with_others_comes_first_with_what_can_be_done) {
  const std::vector<LedgerRecord> records;
  api::Pod job = pod({container("app")}, "Never");
  job.status.phase = "Running";
  WhyInput input{.records = records, .pod = &job, .now = at(9)};
  EXPECT_EQ(why(input).coming, Lines{std::string(kNothingDue)});
  input.held = {{.obstacle = {.kind = ObstacleKind::kFinalPhase, .since = at(2)}}};
  EXPECT_EQ(why(input).coming,
            Lines{"Since 22:13:22 it waits: the pod has ended, but its end is not persisted "
                  "yet; the store: no answer yet; berthd publishes it as soon as it can write "
                  "the state file."});
  job.metadata.deletionTimestamp = api::Time{at(5)};
  input.held = {{.obstacle = {.kind = ObstacleKind::kRemoval,
                              .id = "5a4d",
                              .error = "cannot delete running task 0c1a",
                              .since = at(6)},
                 .lost_task_of = "app"}};
  input.socket.endpoint = "unix:///run/own.sock";
  EXPECT_EQ(why(input).coming,
            (Lines{"Since 22:13:26 it waits: the runtime refuses to remove its sandbox 5a4d: "
                   "cannot delete running task 0c1a; containerd has lost the task 0c1a of "
                   "container app; `ctr --address /run/own.sock -n k8s.io tasks delete --force "
                   "0c1a` deletes it, and berthd then removes the rest.",
                   "Its grace period is over: what still runs is killed, then berthd removes "
                   "the pod."}));
}

}  // namespace
}  // namespace berth::lifecycle::test
