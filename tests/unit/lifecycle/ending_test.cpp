// SPDX-License-Identifier: Apache-2.0

// Every way in which a pod ends, the result of two orders together, and the status that the pod
// shows.
#include "lifecycle/ending.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using std::chrono::seconds;
using enum EndCause;
using enum Afterwards;

const WallTime kEarly{seconds(1000)};
const WallTime kLate{seconds(1007)};

TEST(Ending, each_way_leaves_what_kubernetes_leaves) {
  struct Case {
    std::string name;
    Ending ending;
    EndCause cause;
    std::optional<seconds> grace;
    Afterwards then;
    std::string reason;
    std::optional<std::string> disruption;
  };
  const std::string shutdown = "Pod was terminated in response to imminent node shutdown.";
  const std::string room = "Pod was preempted by Kubelet to accommodate a critical pod.";
  const std::vector<Case> cases = {
      {"manifest removed", manifest_removed(kEarly), kManifestRemoved, {}, kRemove, "", {}},
      {"collected", collected(kEarly), kCollected, {}, kRemove, "", {}},
      {"unknown", unknown_pod(kEarly), kUnknownPod, seconds(1), kRemove, "", {}},
      {"deleted", deleted({}, kEarly), kDeleted, {}, kRemove, "", {}},
      {"deleted with 5 s", deleted(seconds(5), kEarly), kDeleted, seconds(5), kRemove, "", {}},
      {"by force", deleted_by_force(kEarly), kDeleted, seconds(1), kRemoveUnseen, "", {}},
      {"returns", returns(kEarly), kReturns, {}, kRemove, "", {}},
      {"deadline", active_deadline(kEarly), kActiveDeadline, {}, kKeep, "DeadlineExceeded", {}},
      {"evicted", evicted("low. ", seconds(1), kEarly), kEvicted, seconds(1), kKeep, "Evicted",
       "low. "},
      {"storage",
       evicted_for_storage("full. ", kEarly),
       kEvicted,
       seconds(1),
       kKeep,
       "Evicted",
       {}},
      {"preempted", preempted(kEarly), kPreempted, {}, kKeep, "Preempting", room},
      {"shutdown", node_shutdown(seconds(20), kEarly), kNodeShutdown, seconds(20), kKeep,
       "Terminated", shutdown},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.ending.cause, c.cause);
    EXPECT_EQ(c.ending.grace, c.grace);
    EXPECT_EQ(c.ending.then, c.then);
    EXPECT_EQ(c.ending.requested_at, kEarly);
    EXPECT_EQ(c.ending.failure.has_value(), !removes(c.ending));
    EXPECT_EQ(keeps_pod(c.cause), !removes(c.ending));
    EXPECT_EQ(c.ending.failure ? c.ending.failure->reason : "", c.reason);
    EXPECT_EQ(c.ending.failure ? c.ending.failure->disruption : std::nullopt, c.disruption);
    EXPECT_FALSE(end_cause_text(c.cause, by_force(c.ending)).empty());
  }
}

TEST(Ending, a_pod_that_is_collected_or_deleted_by_force_is_hidden) {
  EXPECT_TRUE(hides(collected(kEarly)));
  EXPECT_TRUE(hides(deleted_by_force(kEarly)));
  for (const Ending& ending : {deleted({}, kEarly), manifest_removed(kEarly), unknown_pod(kEarly),
                               preempted(kEarly), active_deadline(kEarly)})
    EXPECT_FALSE(hides(ending));
}

// Rows: the earlier order; columns: the later one.
TEST(Ending, of_two_causes_the_one_counts_of_which_more_follows) {
  const std::vector<EndCause> all = {kCollected,  kManifestRemoved, kDeleted,
                                     kUnknownPod, kActiveDeadline,  kEvicted,
                                     kPreempted,  kNodeShutdown,    kReturns};
  const std::vector<std::vector<EndCause>> merged = {
      {kCollected, kManifestRemoved, kDeleted, kUnknownPod, kCollected, kCollected, kCollected,
       kCollected, kReturns},
      {kManifestRemoved, kManifestRemoved, kDeleted, kUnknownPod, kManifestRemoved,
       kManifestRemoved, kManifestRemoved, kManifestRemoved, kReturns},
      {kDeleted, kDeleted, kDeleted, kUnknownPod, kDeleted, kDeleted, kDeleted, kDeleted, kDeleted},
      {kUnknownPod, kUnknownPod, kUnknownPod, kUnknownPod, kUnknownPod, kUnknownPod, kUnknownPod,
       kUnknownPod, kUnknownPod},
      {kCollected, kManifestRemoved, kDeleted, kUnknownPod, kActiveDeadline, kActiveDeadline,
       kActiveDeadline, kActiveDeadline, kReturns},
      {kCollected, kManifestRemoved, kDeleted, kUnknownPod, kActiveDeadline, kEvicted, kPreempted,
       kNodeShutdown, kReturns},
      {kCollected, kManifestRemoved, kDeleted, kUnknownPod, kActiveDeadline, kEvicted, kPreempted,
       kNodeShutdown, kReturns},
      {kCollected, kManifestRemoved, kDeleted, kUnknownPod, kActiveDeadline, kEvicted, kPreempted,
       kNodeShutdown, kReturns},
      {kReturns, kReturns, kDeleted, kUnknownPod, kReturns, kReturns, kReturns, kReturns, kReturns},
  };
  for (std::size_t row = 0; row < all.size(); ++row)
    for (std::size_t column = 0; column < all.size(); ++column) {
      const Ending out = merge({.cause = all[row]}, {.cause = all[column]});
      EXPECT_EQ(out.cause, merged[row][column]) << row << ", " << column;
    }
}

TEST(Ending, what_a_later_order_changes) {
  struct Case {
    std::string name;
    Ending earlier, later;
    EndCause cause;
    std::optional<seconds> grace;
    Afterwards then;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {"an evicted pod that is deleted goes, and was evicted", evicted("low", seconds(1), kEarly),
       deleted(seconds(30), kLate), kDeleted, seconds(1), kRemove, "Evicted"},
      {"a deleted pod that is evicted has less time", deleted({}, kEarly),
       evicted("low", seconds(3), kLate), kDeleted, seconds(3), kRemove, "Evicted"},
      {"force stays", deleted_by_force(kEarly), deleted(seconds(9), kLate), kDeleted, seconds(1),
       kRemoveUnseen, ""},
      {"of two that keep it the later one", preempted(kEarly), node_shutdown(seconds(4), kLate),
       kNodeShutdown, seconds(4), kKeep, "Terminated"},
      {"after the deadline it is past that", active_deadline(kEarly),
       evicted("low", seconds(2), kLate), kActiveDeadline, seconds(2), kKeep, "DeadlineExceeded"},
      {"deleted after the deadline",
       active_deadline(kEarly),
       deleted({}, kLate),
       kDeleted,
       {},
       kRemove,
       "DeadlineExceeded"},
      {"an evicted pod that returns goes, and was evicted", evicted("low", seconds(1), kEarly),
       returns(kLate), kReturns, seconds(1), kRemove, "Evicted"},
      {"the manifest of an evicted pod goes", evicted("low", seconds(1), kEarly),
       manifest_removed(kLate), kManifestRemoved, seconds(1), kRemove, "Evicted"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Ending out = merge(c.earlier, c.later);
    EXPECT_EQ(out.cause, c.cause);
    EXPECT_EQ(out.grace, c.grace);
    EXPECT_EQ(out.then, c.then);
    EXPECT_EQ(out.failure ? out.failure->reason : "", c.reason);
    const bool first_deletion = !removes(c.earlier) && removes(c.later);
    EXPECT_EQ(out.requested_at, first_deletion ? kLate : kEarly);
  }
}

TEST(Ending, the_condition_of_an_earlier_order_stays_whatever_the_later_one_sets) {
  const Ending limit = evicted_for_storage("full", kLate);
  EXPECT_FALSE(limit.failure->disruption);
  const Ending both = merge(node_shutdown(seconds(5), kEarly), limit);
  EXPECT_EQ(both.failure->message, "full");
  EXPECT_EQ(both.failure->disruption, node_shutdown(seconds(5), kEarly).failure->disruption);
  EXPECT_EQ(merge(preempted(kEarly), evicted("low", seconds(1), kLate)).failure->disruption, "low");
  EXPECT_FALSE(merge(limit, limit).failure->disruption);
}

TEST(Ending, the_period_in_force_only_shrinks_and_the_deadline_sets_none) {
  struct Case {
    std::string name;
    std::vector<Ending> orders;
    std::int64_t seconds_in_force;
  };
  const std::vector<Case> cases = {
      {"its own", {deleted({}, kEarly)}, 30},
      {"as asked", {deleted(seconds(7), kEarly)}, 7},
      {"never below one second", {evicted("low", seconds(0), kEarly)}, 1},
      {"a debt is one second", {evicted("low", seconds(-5), kEarly)}, 1},
      {"preempted: its own", {preempted(kEarly)}, 30},
      {"shorter", {deleted({}, kEarly), evicted("low", seconds(2), kLate)}, 2},
      {"no longer", {evicted("low", seconds(2), kEarly), deleted(seconds(20), kLate)}, 2},
      {"the deadline's is each container's own", {active_deadline(kEarly)}, 0},
      {"the deadline, then shutdown",
       {active_deadline(kEarly), node_shutdown(seconds(9), kLate)},
       9},
      {"the deadline, then deleted", {active_deadline(kEarly), deleted({}, kLate)}, 30},
  };
  api::Pod own = pod({container("app")});
  own.spec.terminationGracePeriodSeconds = 30;
  for (const Case& c : cases) {
    std::optional<EndInForce> end;
    for (const Ending& order : c.orders) end = in_force(own, end, order).end;
    EXPECT_EQ(end->grace_seconds, c.seconds_in_force) << c.name;
  }
}

TEST(Ending, whoever_puts_an_order_in_force_gets_what_was_decided_and_from_what) {
  api::Pod own = pod({container("app")});
  own.spec.terminationGracePeriodSeconds = 30;
  EXPECT_FALSE(in_force(own, {}, active_deadline(kEarly)).grace);
  const OrderInForce first = in_force(own, {}, deleted({}, kEarly));
  ASSERT_TRUE(first.grace);
  EXPECT_EQ(first.grace->question.previous, 0);
  EXPECT_EQ(first.grace->decision.seconds, 30);
  EXPECT_TRUE(first.grace->is_new());
  const OrderInForce longer = in_force(own, first.end, deleted(seconds(60), kLate));
  ASSERT_TRUE(longer.grace);
  EXPECT_FALSE(longer.grace->is_new());
  const OrderInForce shorter = in_force(own, first.end, evicted("low", seconds(2), kLate));
  ASSERT_TRUE(shorter.grace);
  EXPECT_EQ(shorter.grace->question.previous, 30);
  EXPECT_EQ(shorter.grace->question.cause, kDeleted);
  EXPECT_EQ(shorter.grace->decision.seconds, shorter.end.grace_seconds);
  EXPECT_TRUE(shorter.grace->is_new());
}

TEST(Ending, a_pod_that_has_finished_by_itself_is_shown_as_nothing_else) {
  const Ending order = evicted("low", seconds(1), kEarly);
  EXPECT_TRUE(as_given(order, {}, kRunning).failure);
  EXPECT_TRUE(as_given(order, {}, kPending).failure);
  EXPECT_FALSE(as_given(order, {}, kSucceeded).failure);
  EXPECT_FALSE(as_given(order, {}, kFailed).failure);
  // The pod failed because it was evicted, and is preempted afterwards.
  const EndInForce before{.ending = order, .grace_seconds = 1};
  EXPECT_EQ(as_given(preempted(kLate), before, kFailed).failure->reason, "Preempting");
}

// The steps of a worker from the order to the end.
class KeptEnding {
 public:
  KeptEnding(api::Pod spec, const Ending& ending) : pod_(std::move(spec)) {
    pod_.metadata.generation = 4;
    status_.phase = kRunning;
    shown_ = status_;
    status_ = failed_status(pod_, status_, *ending.failure, kEarly);
    shown_ = shown_status(pod_, shown_, status_, true, kEarly);
  }
  void containers_are(std::vector<RuntimeContainer> containers, bool stopped) {
    const ProbeResults probes;
    const ActuatedResources actuated;
    const StartErrors start_errors;
    const NodeAddresses addresses;
    const RuntimePod seen = runtime(std::move(containers));
    const PodStatusInput input{.pod = pod_,
                               .previous = &status_,
                               .runtime = seen,
                               .actuated = actuated,
                               .start_errors = start_errors,
                               .probes = probes,
                               .addresses = addresses,
                               .pod_is_terminal = stopped};
    api::PodStatus computed = compute_pod_status(input);
    if (stopped) computed = finalise_status(pod_, std::move(computed), {});
    status_ = stamp_status(pod_, status_, std::move(computed), kLate);
    shown_ = shown_status(pod_, shown_, status_, !stopped, kLate);
  }
  [[nodiscard]] const api::PodStatus& shown() const { return shown_; }
  [[nodiscard]] const api::PodCondition* disruption() const {
    return find_condition(shown_.conditions, kDisruptionTarget);
  }

 private:
  api::Pod pod_;
  api::PodStatus status_{};
  api::PodStatus shown_{};
};

TEST(Ending, an_evicted_pod_is_shown_failed_only_once_nothing_of_it_runs) {
  for (const char* policy : {"Always", "OnFailure", "Never"}) {
    SCOPED_TRACE(policy);
    api::Pod spec = pod({container("app"), container("log")});
    spec.spec.restartPolicy = policy;
    KeptEnding evicted_pod(spec,
                           evicted("The node was low on resource: memory. ", seconds(1), kEarly));
    EXPECT_EQ(evicted_pod.shown().phase, kRunning);
    EXPECT_EQ(evicted_pod.disruption(), nullptr);
    evicted_pod.containers_are({exited("app", 143), running("log")}, false);
    EXPECT_EQ(evicted_pod.shown().phase, kRunning);
    EXPECT_EQ(evicted_pod.shown().reason, "");
    EXPECT_EQ(evicted_pod.disruption(), nullptr);
    evicted_pod.containers_are({exited("app", 143), exited("log", 0)}, true);
    EXPECT_EQ(evicted_pod.shown().phase, kFailed);
    EXPECT_EQ(evicted_pod.shown().reason, "Evicted");
    EXPECT_EQ(evicted_pod.shown().message, "The node was low on resource: memory. ");
    ASSERT_NE(evicted_pod.disruption(), nullptr);
    EXPECT_EQ(evicted_pod.disruption()->status, "True");
    EXPECT_EQ(evicted_pod.disruption()->reason, "TerminationByKubelet");
    EXPECT_EQ(evicted_pod.disruption()->message, "The node was low on resource: memory. ");
    EXPECT_EQ(evicted_pod.disruption()->observedGeneration, 4);
    EXPECT_EQ(evicted_pod.disruption()->lastTransitionTime, api::Time{kLate}.whole_seconds());
  }
}

TEST(Ending, one_whose_containers_all_exit_0_succeeds_and_keeps_the_condition) {
  KeptEnding ended(pod({container("app")}), node_shutdown(seconds(5), kEarly));
  ended.containers_are({running("app")}, false);
  ended.containers_are({exited("app", 0)}, true);
  EXPECT_EQ(ended.shown().phase, kSucceeded);
  EXPECT_EQ(ended.shown().reason, "");
  EXPECT_EQ(ended.shown().message, "");
  ASSERT_NE(ended.disruption(), nullptr);
  EXPECT_EQ(ended.disruption()->message,
            "Pod was terminated in response to imminent node shutdown.");
}

TEST(Ending, one_of_which_nothing_ever_ran_has_failed_for_it) {
  KeptEnding ended(pod({container("app")}), preempted(kEarly));
  ended.containers_are({}, true);
  EXPECT_EQ(ended.shown().phase, kFailed);
  EXPECT_EQ(ended.shown().reason, "Preempting");
  EXPECT_EQ(ended.shown().message, "Preempted in order to admit critical pod");
}

TEST(Ending, a_storage_limit_sets_no_condition) {
  KeptEnding ended(
      pod({container("app")}),
      evicted_for_storage("Usage of EmptyDir volume \"v\" exceeds the limit \"1Mi\". ", kEarly));
  ended.containers_are({exited("app", 137)}, true);
  EXPECT_EQ(ended.shown().reason, "Evicted");
  EXPECT_EQ(ended.disruption(), nullptr);
}

}  // namespace
}  // namespace berth::lifecycle::test
