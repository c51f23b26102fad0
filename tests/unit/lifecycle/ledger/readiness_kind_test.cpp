// SPDX-License-Identifier: Apache-2.0

// The record of which containers are ready: retaken, its text, and written when readiness changes.
#include <algorithm>

#include <gtest/gtest.h>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/status/readiness.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

// A web server with both probes, a sidecar without any, and a job that has finished.
struct Served {
  Served() {
    spec.spec.initContainers = {container("job"), sidecar("proxy")};
    spec.spec.containers[0].startupProbe = secret_probe();
    spec.spec.containers[0].readinessProbe = secret_probe();
    statuses = {ended("job"), runs("proxy"), runs("app")};
  }

  static api::Probe secret_probe() {
    return {.httpGet = api::HTTPGetAction{
                .httpHeaders = {{.name = "Authorization", .value = "of-this-probe-alone"}}}};
  }
  static api::ContainerStatus named(const std::string& name) {
    api::ContainerStatus status;
    status.name = name;
    status.containerID = "containerd://" + name + "-id";
    return status;
  }
  static api::ContainerStatus ended(const std::string& name) {
    api::ContainerStatus status = named(name);
    status.state.terminated = api::ContainerStateTerminated{.exitCode = 0};
    return status;
  }
  static api::ContainerStatus runs(const std::string& name) {
    api::ContainerStatus status = named(name);
    status.state.running = api::ContainerStateRunning{.startedAt = api::Time{at(1)}};
    return status;
  }

  [[nodiscard]] ReadinessQuestion question() const {
    return {.pod = spec,
            .statuses = statuses,
            .probes = probes,
            .phase = phase,
            .gates = gates,
            .sandboxes = sandboxes};
  }
  [[nodiscard]] LedgerRecord record(double second = 1) const {
    return decision_record(question(), decide_readiness(question()), at(second));
  }
  void started() { probes.startup[cri::ContainerId("app-id")] = ProbeResult::kSuccess; }
  void answers(ProbeResult result) { probes.readiness[cri::ContainerId("app-id")] = result; }

  api::Pod spec = pod({container("app")});
  std::vector<api::ContainerStatus> statuses{};
  ProbeResults probes{};
  std::string phase{kRunning};
  std::map<std::string, ConditionWord> gates{};
  std::vector<RuntimeSandbox> sandboxes = {ready_sandbox()};
};

std::string ready_in(const LedgerRecord& record) {
  return record.reasons.at(0).rule;
}

TEST(ReadinessKind, is_decided_again_from_its_record_and_from_nothing_less) {
  Served served;
  EXPECT_EQ(served.record().kind, "readiness");
  expect_decided_again(served.record());
  served.started();
  served.answers(ProbeResult::kFailure);
  expect_decided_again(served.record());
  served.answers(ProbeResult::kSuccess);
  served.spec.spec.readinessGates = {{.conditionType = "example.com/Served"}};
  served.gates["example.com/Served"] = {.status = "False"};
  expect_decided_again(served.record());
}

TEST(ReadinessKind, the_pod_is_ready_when_its_containers_and_gates_are) {
  Served served;
  EXPECT_EQ(ready_in(served.record()), "ContainersNotReady");
  served.started();
  EXPECT_EQ(ready_in(served.record()), "ContainersNotReady");
  served.answers(ProbeResult::kSuccess);
  EXPECT_EQ(ready_in(served.record()), "Ready");
  served.spec.spec.readinessGates = {{.conditionType = "example.com/Served"}};
  EXPECT_EQ(ready_in(served.record()), "ReadinessGatesNotReady");
  served.gates["example.com/Served"] = {.status = "True"};
  EXPECT_EQ(ready_in(served.record()), "Ready");
}

TEST(ReadinessKind, whether_containers_can_be_started_follows_from_the_sandboxes_it_records) {
  Served served;
  const auto in_place = [&served] {
    const ReadinessDecision decision = decide_readiness(served.question());
    return decision.conditions.at("PodReadyToStartContainers").status;
  };
  EXPECT_EQ(in_place(), "True");
  RuntimeSandbox dead = ready_sandbox("old");
  dead.state = cri::SandboxState::kNotReady;
  served.sandboxes.push_back(dead);
  EXPECT_EQ(in_place(), "True") << "the newest counts";
  expect_decided_again(served.record());
  struct Case {
    const char* rule;
    std::vector<RuntimeSandbox> sandboxes;
    bool host_network = false;
  };
  RuntimeSandbox without_address = ready_sandbox();
  without_address.ip.clear();
  const std::vector<Case> cases = {
      {"NoSandbox", {}},
      {"SandboxNotReady", {dead, ready_sandbox()}},
      {"ManySandboxes", {ready_sandbox("b"), ready_sandbox("a")}},
      {"SandboxWithoutAddress", {without_address}},
      {"NetworkModeChanged", {ready_sandbox()}, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.rule);
    served.sandboxes = c.sandboxes;
    served.spec.spec.hostNetwork = c.host_network;
    EXPECT_EQ(in_place(), "False");
    const Reasons reasons = served.record().reasons;
    EXPECT_TRUE(std::ranges::any_of(reasons, [&c](const Reason& reason) {
      return reason.subject == "sandbox" && reason.rule == c.rule;
    }));
    expect_decided_again(served.record());
  }
}

TEST(ReadinessKind, that_the_sandbox_dies_is_news_and_no_sentence) {
  Served served;
  served.started();
  served.answers(ProbeResult::kSuccess);
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto decided = [&] {
    book.decided(served.question(), decide_readiness(served.question()), at(1));
    return ledger.records().size();
  };
  EXPECT_EQ(decided(), 1U);
  served.sandboxes[0].state = cri::SandboxState::kNotReady;
  EXPECT_EQ(decided(), 2U);
  EXPECT_TRUE(ledger.problems().empty());
  served.answers(ProbeResult::kFailure);
  EXPECT_EQ(sentences(served.spec, {served.record()}),
            Lines{"the pod is not ready: container app: it does not pass its readiness probe"});
  api::PodStatus one;
  one.conditions = {{.type = "PodReadyToStartContainers", .status = "True"}};
  api::PodStatus other = one;
  other.conditions[0].status = "False";
  EXPECT_FALSE(same_readiness(one, other));
}

TEST(ReadinessKind, of_probes_it_records_results_and_nothing_that_they_send) {
  Served served;
  served.started();
  EXPECT_EQ(served.record().input.find("of-this-probe-alone"), std::string::npos);
}

TEST(ReadinessKind, says_which_probe_is_not_passed_and_that_the_pod_is_ready) {
  Served served;
  std::vector<LedgerRecord> records = {served.record(1)};
  served.started();
  records.push_back(served.record(2));
  served.answers(ProbeResult::kSuccess);
  records.push_back(served.record(3));
  EXPECT_EQ(sentences(served.spec, records),
            (Lines{"the pod is not ready: container app: it has not passed its startup probe",
                   "the pod is not ready: container app: it does not pass its readiness probe",
                   "the pod is ready"}));
}

TEST(ReadinessKind, says_what_a_readiness_gate_waits_for) {
  Served served;
  served.started();
  served.answers(ProbeResult::kSuccess);
  served.spec.spec.readinessGates = {{.conditionType = "example.com/Served"}};
  EXPECT_EQ(sentences(served.spec, {served.record()}),
            Lines{"the pod is not ready: corresponding condition of pod readiness gate "
                  "\"example.com/Served\" does not exist."});
}

// The plan's record covers containers that do not run, the phase's a pod that is over.
TEST(ReadinessKind, says_nothing_of_containers_that_do_not_run_nor_of_a_pod_that_is_over) {
  Served served;
  served.started();
  served.answers(ProbeResult::kSuccess);
  const LedgerRecord ready = served.record(1);
  served.statuses = {Served::ended("job"), Served::ended("proxy"), Served::ended("app")};
  const LedgerRecord stopped = served.record(2);
  EXPECT_EQ(ready_in(stopped), "ContainersNotReady");
  served.phase = kFailed;
  EXPECT_EQ(sentences(served.spec, {ready, stopped, served.record(3)}), Lines{"the pod is ready"});
}

TEST(ReadinessKind, is_written_once_something_has_started_and_when_readiness_changes) {
  Served served;
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto decided = [&] {
    book.decided(served.question(), decide_readiness(served.question()), at(1));
    return ledger.records().size();
  };
  const auto running = std::exchange(served.statuses, {Served::named("job"), Served::named("app")});
  EXPECT_EQ(decided(), 0U) << "nothing has started";
  served.statuses = running;
  EXPECT_EQ(decided(), 1U) << "the sidecar has";
  EXPECT_EQ(decided(), 1U);
  served.started();
  EXPECT_EQ(decided(), 2U);
  served.answers(ProbeResult::kSuccess);
  EXPECT_EQ(decided(), 3U);
  served.answers(ProbeResult::kFailure);
  EXPECT_EQ(decided(), 4U);
  served.statuses = {Served::ended("job"), Served::ended("proxy"), Served::ended("app")};
  EXPECT_EQ(decided(), 5U) << "nothing is ready any more";
  EXPECT_EQ(decided(), 5U);
  EXPECT_TRUE(ledger.problems().empty()) << ledger.problems().front();
}

TEST(ReadinessKind, a_container_that_runs_and_has_not_passed_its_startup_probe_is_news) {
  Served served;
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto decided = [&](const api::ContainerStatus& app) {
    served.statuses = {app};
    book.decided(served.question(), decide_readiness(served.question()), at(1));
    return ledger.records().size();
  };
  EXPECT_EQ(decided(Served::named("app")), 0U);
  EXPECT_EQ(decided(Served::runs("app")), 1U);
  EXPECT_EQ(decided(Served::runs("app")), 1U);
  api::PodStatus waits;
  waits.containerStatuses = {Served::named("app")};
  api::PodStatus runs = waits;
  runs.containerStatuses = {Served::runs("app")};
  EXPECT_FALSE(same_readiness(waits, runs));
}

TEST(ReadinessKind, a_status_is_the_same_however_its_times_differ) {
  api::PodStatus one;
  one.conditions = {{.type = "Ready", .status = "True", .lastTransitionTime = api::Time{at(1)}}};
  one.containerStatuses = {Served::runs("app")};
  api::PodStatus other = one;
  other.conditions[0].lastTransitionTime = api::Time{at(2)};
  other.containerStatuses[0].restartCount = 3;
  EXPECT_TRUE(same_readiness(one, other));
  other.containerStatuses[0].ready = true;
  EXPECT_FALSE(same_readiness(one, other));
  other = one;
  other.conditions[0].message = "another";
  EXPECT_FALSE(same_readiness(one, other));
  other.conditions.clear();
  EXPECT_FALSE(same_readiness(one, other));
}

}  // namespace
}  // namespace berth::lifecycle::test
