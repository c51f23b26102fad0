// SPDX-License-Identifier: Apache-2.0

// The record of what a status shows of a pod's containers: retaken, what it holds, and when it is
// written.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/status/shown_containers.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

// A pod with an init container that has completed, and a main container.
struct Shown {
  Shown() { spec.spec.initContainers = {container("job")}; }

  [[nodiscard]] ContainersQuestion question() const {
    return {.pod = spec,
            .runtime = seen,
            .previous = previous,
            .start_errors = errors,
            .probes = probes,
            .runtime_name = "containerd",
            .over = over,
            .decided = decided};
  }
  [[nodiscard]] LedgerRecord record() const {
    return decision_record(question(), decide_containers(question()), at(1));
  }
  // What is shown of `app`, as "state reason exit code restarts id".
  [[nodiscard]] std::string app() const {
    const ShownContainer app = decide_containers(question()).containers.at("app");
    return fmt::format("{} {} {} {} {}", app.state, app.reason.empty() ? "-" : app.reason,
                       app.exit_code, app.restarts, app.id.empty() ? "-" : app.id);
  }
  void was_running(std::int32_t restarts) {
    api::ContainerStatus status{.name = "app", .restartCount = restarts};
    status.containerID = "containerd://app-id";
    status.state.running.emplace();
    previous.containers = {status};
  }

  api::Pod spec = pod({container("app")});
  RuntimePod seen = runtime({exited("job", 0), running("app")});
  ContainerStatusLists previous{};
  StartErrors errors{};
  ProbeResults probes{};
  bool over = false;
  bool decided = false;
};

TEST(ShownContainersKind, is_decided_again_from_its_record_and_from_nothing_less) {
  Shown shown;
  EXPECT_EQ(shown.record().kind, "containers");
  expect_decided_again(shown.record());
  shown.was_running(2);
  shown.seen = runtime({exited("job", 0), exited("app", 1)});
  shown.errors["app"] = {.reason = "CrashLoopBackOff", .message = "back-off 10s"};
  expect_decided_again(shown.record());
  shown.seen = runtime({});
  shown.over = true;
  expect_decided_again(shown.record());
}

TEST(ShownContainersKind, states_what_is_shown) {
  Shown shown;
  EXPECT_EQ(shown.app(), "running - 0 0 app-id");
  shown.seen = runtime({exited("job", 0), exited("app", 1)});
  EXPECT_EQ(shown.app(), "terminated Error 1 0 app-id");
  shown.errors["app"] = {.reason = "CrashLoopBackOff", .message = "back-off 10s"};
  EXPECT_EQ(shown.app(), "waiting CrashLoopBackOff 0 0 app-id");
}

TEST(ShownContainersKind, holds_no_message) {
  Shown shown;
  shown.was_running(2);
  RuntimeContainer ended = exited("app", 1);
  ended.message = "what-it-wrote";
  shown.seen = runtime({exited("job", 0), ended});
  shown.errors["app"] = {.reason = "FailedPostStartHook", .message = "what-its-hook-wrote"};
  EXPECT_EQ(shown.record().input.find("wrote"), std::string::npos);
  EXPECT_NE(shown.record().input.find("FailedPostStartHook"), std::string::npos);
}

TEST(ShownContainersKind, is_about_the_containers_of_which_something_else_is_shown) {
  Shown shown;
  shown.spec.spec.containers.push_back(container("other"));
  shown.seen = runtime({exited("job", 0), running("app"), running("other")});
  ContainersQuestion question = shown.question();
  question.names = {"app"};
  const LedgerRecord record = decision_record(question, decide_containers(question), at(1));
  EXPECT_EQ(record.output.find("other"), std::string::npos);
  EXPECT_EQ(record.input.find("other"), std::string::npos);
  expect_decided_again(record);
  shown.seen = {};
  question = shown.question();
  question.names = {"app"};
  EXPECT_EQ(decide_containers(question).containers.at("app").reason, "PodInitializing");
  expect_decided_again(decision_record(question, decide_containers(question), at(1)));
}

TEST(ShownContainersKind, counts_of_restarts_do_not_fall_with_the_instances_that_were_counted) {
  Shown shown;
  shown.was_running(3);
  EXPECT_EQ(shown.app(), "running - 0 3 app-id") << "the runtime shows restart 0";
}

TEST(ShownContainersKind, a_container_that_nobody_saw_end_has_not_succeeded) {
  Shown shown;
  shown.was_running(0);
  shown.seen = runtime({});
  shown.over = true;
  EXPECT_EQ(shown.app(), "terminated ContainerStatusUnknown 137 1 -");
}

TEST(ShownContainersKind, a_decided_end_keeps_the_instance_that_ended) {
  Shown shown;
  shown.was_running(0);
  shown.seen = runtime({});
  shown.over = true;
  EXPECT_EQ(decide_containers(shown.question()).containers.at("app").id, "");
  shown.decided = true;
  EXPECT_EQ(decide_containers(shown.question()).containers.at("app").id, "app-id");
}

TEST(ShownContainersKind, is_written_when_a_state_changes_and_not_before_anything_was_created) {
  Shown shown;
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto written = [&] {
    book.decided(shown.question(), decide_containers(shown.question()), at(1));
    return ledger.records().size();
  };
  shown.seen = {};
  EXPECT_EQ(written(), 0U);
  shown.seen = runtime({running("job")});
  EXPECT_EQ(written(), 1U);
  EXPECT_EQ(written(), 1U);
  shown.seen = runtime({exited("job", 0), running("app")});
  EXPECT_EQ(written(), 2U);
  EXPECT_TRUE(ledger.problems().empty());
}

TEST(ShownContainersKind, has_no_sentence_because_others_state_starts_and_ends) {
  const Shown shown;
  EXPECT_EQ(shown.record().reasons, Reasons{});
  EXPECT_EQ(sentences(shown.spec, {shown.record()}), Lines{});
}

}  // namespace
}  // namespace berth::lifecycle::test
