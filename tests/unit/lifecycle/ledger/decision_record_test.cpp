// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/kinds.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "lifecycle/deletion_period.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/image_decision.hpp"
#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/ledger_json.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "lifecycle/lost_containers.hpp"
#include "lifecycle/pod_gc.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pre_stop_step.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/termination_order.hpp"
#include "tests/ledger/input_removal.hpp"
#include "tests/ledger/plan_parts.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

// A crash loop with every part of the input set.
ledger_test::PlanParts crash_loop() {
  ledger_test::PlanParts values;
  values.pod = pod({container("app")});
  values.pod.spec.initContainers = {sidecar("proxy")};
  values.pod.spec.activeDeadlineSeconds = 3600;
  values.runtime = runtime({exited("app", 1, at(5)), running("proxy")});
  values.runtime.containers[1].resources =
      RuntimeResources{.cpu_limit = api::Quantity::from_milli(500)};
  values.runtime.containers[1].user =
      cri::LinuxUser{.uid = 7, .gid = 8, .supplemental_groups = {9}};
  values.probes.startup[cri::ContainerId{"proxy-id"}] = ProbeResult::kSuccess;
  values.actuated = actuated_as_specified(values.pod);
  values.actuated["app"].limits["cpu"] = api::Quantity::from_milli(100);
  values.restarts =
      record_start({}, {}, restart_identity(values.pod, container("app")), at(0), at(0));
  values.pulls = record_pull_failure({}, {}, "uid-1", "proxy:1", "ErrImagePull", "gone", at(1));
  values.present_images = {"app:1"};
  values.start_time = api::Time{at(-10)};
  values.now = at(9);
  return values;
}

LedgerRecord record_of(const ledger_test::PlanParts& parts) {
  const PlanInput input = parts.input();
  return decision_record(input, plan(input), input.now);
}

boost::json::value json_of(const std::string& text) {
  return boost::json::parse(text);
}

LedgerRecord stops_of(const std::vector<StoppingContainer>& containers) {
  api::Pod ending = pod({container("app")});
  ending.spec.initContainers = {sidecar("proxy")};
  const SteadyTime now{std::chrono::seconds(100)};
  const StopsQuestion input{.pod = ending, .containers = containers, .now = now};
  return decision_record(input, next_stops(ending, containers, now), at(0));
}

LedgerRecord stops_of_two() {
  const SteadyTime begun{std::chrono::seconds(95)};
  return stops_of(
      {{.name = "app", .grace_seconds = 30, .begun_at = begun, .hook_done_at = begun},
       {.name = "proxy", .grace_seconds = 30, .begun_at = begun, .hook_done_at = begun}});
}

LedgerRecord admission_of(std::int64_t pods_allowed) {
  node::NodeConfig config{.node_name = "node1"};
  config.hard_eviction_memory.fraction = 0.05;
  config.node_taints.push_back({.key = "only", .effect = "NoExecute"});
  config.kube_reserved["memory"] = api::Quantity::from_int(1 << 20);
  api::Node node;
  node.metadata.name = "node1";
  node.status.allocatable["pods"] = api::Quantity::from_int(pods_allowed);
  node.status.images.emplace_back();
  api::Pod other = pod({container("other")});
  other.metadata.uid = "uid-2";
  const api::Pod wanted = pod({container("app")});
  const node::HostConfinement host{.apparmor = true};
  const AdmissionQuestion question{
      .config = config, .host = host, .node = node, .active = {other}, .pod = wanted};
  return decision_record(question, decide_admission(question), at(0));
}

// A pod whose init container has failed for good, while its sidecar still runs.
LedgerRecord phase_of(const std::string& previous) {
  api::Pod failing = pod({container("app")}, "Never");
  failing.metadata.annotations = {{kAnnotationConfigSource, "file"},
                                  {"other", "counts for nothing"}};
  failing.spec.initContainers = {sidecar("proxy"), container("setup")};
  failing.spec.initContainers[1].restartPolicyRules = {
      {.action = "Restart",
       .exitCodes = api::ContainerRestartRuleOnExitCodes{.operator_ = "In", .values = {42}}}};
  failing.spec.initContainers[1].restartPolicy = "Never";
  std::vector<api::ContainerStatus> statuses(3);
  statuses[0].name = "proxy";
  statuses[0].started = true;
  statuses[0].state.running = api::ContainerStateRunning{.startedAt = api::Time{at(1)}};
  statuses[1].name = "setup";
  statuses[1].state.waiting = api::ContainerStateWaiting{.reason = "CrashLoopBackOff"};
  statuses[1].lastState.terminated = api::ContainerStateTerminated{.exitCode = 3};
  statuses[2].name = "app";
  statuses[2].state.waiting = api::ContainerStateWaiting{.reason = "PodInitializing"};
  const PhaseQuestion question{.pod = failing,
                               .statuses = statuses,
                               .previous = previous,
                               .shown_before = previous,
                               .containers_may_run = true};
  return decision_record(question, decide_phase(question), at(4));
}

LedgerRecord grace_of(std::int64_t previous, std::optional<std::int64_t> override_seconds) {
  api::Pod ending = pod({container("app")});
  if (previous != 0) ending.metadata.deletionGracePeriodSeconds = previous;
  const GraceQuestion question{.pod = ending,
                               .previous = previous,
                               .override_seconds = override_seconds,
                               .cause = EndCause::kDeleted,
                               .requested_at = at(0.25)};
  return decision_record(question, decide_grace(question), at(1));
}

LedgerRecord image_of(const std::string& policy) {
  const api::Pod of = pod({container("app")});
  const ImageQuestion question{
      .pod = of, .container = "app", .image = "app:1", .policy = policy, .present = false};
  return decision_record(question, decide_image(question), at(1));
}

LedgerRecord pre_stop_of(const PreStopSituation& situation) {
  const api::Pod of = pod({container("app")});
  const SteadyTime now{std::chrono::seconds(100)};
  const PreStopQuestion question{.pod = of, .container = "app", .situation = situation, .now = now};
  return decision_record(question, pre_stop_step(situation, now), at(1));
}

LedgerRecord deletion_of(const DeletionSituation& situation) {
  const api::Pod of = pod({container("app")});
  const DeletionQuestion question{.pod = of, .situation = situation};
  return decision_record(question, deletion_period(situation), at(1));
}

LedgerRecord collection_of(std::int64_t before) {
  const api::Pod of = pod({container("app")});
  const CollectionQuestion question{.pod = of, .finished = 3, .before = before, .threshold = 2};
  return decision_record(question, decide_collection(question), at(1));
}

LedgerRecord loss_of(const std::string& restart_policy) {
  const api::Pod of = pod({container("app")}, restart_policy);
  const LossQuestion question{.pod = of, .had_containers = true};
  return decision_record(question, decide_loss(question), at(1));
}

std::map<std::string, LedgerRecord> one_of_each() {
  return {{"plan", record_of(crash_loop())},
          {"stops", stops_of_two()},
          {"admission", admission_of(110)},
          {"refusal", admission_of(1)},
          {"phase", phase_of("Pending")},
          {"grace", grace_of(0, {})},
          {"shorter grace", grace_of(30, 5)},
          {"image", image_of("IfNotPresent")},
          {"refused image", image_of("Never")},
          {"preStop", pre_stop_of({.has_hook = true, .container_runs = true})},
          {"preStop that runs",
           pre_stop_of({.has_hook = true, .container_runs = true, .known = PreStop{}})},
          {"deletion", deletion_of({.own = 30, .phase = "Running"})},
          {"shorter deletion", deletion_of({.requested = 5, .phase = "Running", .in_force = 30})},
          {"collection", collection_of(0)},
          {"no collection", collection_of(1)},
          {"loss", loss_of("Never")},
          {"loss that is made good", loss_of("Always")}};
}

TEST(DecisionRecord, each_kind_is_taken_again_with_the_same_result) {
  for (const auto& [name, record] : one_of_each()) {
    const auto taken = retake_decision(record);
    ASSERT_TRUE(taken) << name << ": " << taken.error().message;
    EXPECT_TRUE(*taken) << name;
  }
}

TEST(DecisionRecord, it_says_whose_and_when_and_what_is_next) {
  const LedgerRecord record = record_of(crash_loop());
  EXPECT_EQ(record.at, at(9));
  EXPECT_EQ(record.uid, "uid-1");
  EXPECT_EQ(record.namespace_, "default");
  EXPECT_EQ(record.pod, "web");
  EXPECT_EQ(record.kind, "plan");
  EXPECT_EQ(record.next, at(15));
  ASSERT_EQ(record.reasons.size(), 2U);
  EXPECT_EQ(record.reasons[0].rule, "Exited");
  EXPECT_EQ(record.reasons[1].rule, "CrashLoopBackOff");
}

TEST(DecisionRecord, a_stop_is_looked_at_again_by_wall_time) {
  EXPECT_EQ(stops_of_two().next, at(25));  // the sidecar's period of 30 s began 5 s ago
}

TEST(DecisionRecord, it_survives_the_way_through_a_line_of_json) {
  for (const auto& [name, record] : one_of_each()) {
    const auto back = parse_ledger_record(ledger_record_json(record));
    ASSERT_TRUE(back) << name << ": " << back.error().message;
    EXPECT_EQ(back->at, record.at) << name;
    EXPECT_EQ(back->next, record.next) << name;
    EXPECT_EQ(back->reasons, record.reasons) << name;
    EXPECT_EQ(back->input, record.input) << name;
    EXPECT_NE(ledger_record_json(record).find("\"input\":{"), std::string::npos)
        << name << " can be queried";
    EXPECT_EQ(back->output, record.output) << name;
    EXPECT_TRUE(retake_decision(*back)) << name;
  }
}

TEST(DecisionRecord, a_fact_decides_nothing) {
  const LedgerRecord fact =
      fact_record(pod({container("app")}), at(3), "app", ContainerExited{1, "Error"});
  const auto taken = retake_decision(fact);
  ASSERT_TRUE(taken);
  EXPECT_FALSE(*taken);
  const auto back = parse_ledger_record(ledger_record_json(fact));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->reasons, fact.reasons);
  EXPECT_TRUE(back->input.empty());
  EXPECT_EQ(std::get<ContainerExited>(recorded_fact(*back)), (ContainerExited{1, "Error"}));
}

// Such bytes can come from a row of a damaged file.
TEST(DecisionRecord, bytes_that_are_no_text_can_be_recorded_all_the_same) {
  LedgerRecord record =
      fact_record(pod({container("app")}), at(3), "app", Remark{"Hold", "\xff\xfe"});
  record.input = "{\"a\":\"\xff\"";
  const auto back = parse_ledger_record(ledger_record_json(record));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->reasons[0].text, "\uFFFD\uFFFD");
  EXPECT_EQ(back->input, "{\"a\":\"\uFFFD\"");
}

// Such text can come from a row of a damaged file, too, or from another version.
TEST(DecisionRecord, text_that_berthd_does_not_write_survives_as_it_is) {
  LedgerRecord record = fact_record(pod({container("app")}), at(3), "app", Remark{"Hold", "text"});
  const std::string deep = "{\"a\":" + std::string(127, '[') + std::string(127, ']') + "}";
  const std::string many(70, '9');
  const std::vector<std::string> texts = {
      "null", "true", "\"text\"", "{\"a\": 1}", "{\"a\":0.1234567890123456789012345}", many, deep};
  for (const std::string& text : texts) {
    record.input = text;
    record.output = text;
    const auto back = parse_ledger_record(ledger_record_json(record));
    ASSERT_TRUE(back) << text << ": " << back.error().message;
    EXPECT_EQ(back->input, text);
    EXPECT_EQ(back->output, text);
  }
}

TEST(DecisionRecord, an_object_is_embedded_unless_the_line_would_be_too_deep_to_be_read) {
  LedgerRecord record = fact_record(pod({container("app")}), at(3), "app", Remark{"Hold", "text"});
  for (const std::size_t arrays : {126, 127}) {
    record.input = "{\"a\":" + std::string(arrays, '[') + std::string(arrays, ']') + "}";
    const std::string line = ledger_record_json(record);
    EXPECT_EQ(line.find("\"input\":{") != std::string::npos, arrays == 126);
    EXPECT_TRUE(parse_ledger_record(line)) << arrays;
  }
}

TEST(DecisionRecord, no_input_can_be_removed_unnoticed) {
  for (const auto& [name, record] : one_of_each()) {
    std::size_t removed = 0;
    ledger_test::for_each_removal(
        record, ledger_test::Digest::kAsRecorded,
        [&, &of = name](const std::string& path, const LedgerRecord& damaged) {
          ++removed;
          EXPECT_FALSE(retake_decision(damaged)) << of << " without " << path;
        });
    EXPECT_GE(removed, 10U) << name;
  }
}

// Beyond the digest: every member outside API objects is required by name.
TEST(DecisionRecord, an_input_that_is_missing_is_named) {
  for (const auto& [name, record] : one_of_each()) {
    ledger_test::for_each_removal(
        record, ledger_test::Digest::kMended,
        [&, &of = name](const std::string& path, const LedgerRecord& damaged) {
          const bool in_api_object = path.find("pod.") == 0 || path.find("node.") == 0 ||
                                     path.find("active[") == 0 || path.find("actuated.") == 0 ||
                                     path.find("statuses[") == 0 ||
                                     path.find("config.node_taints[") == 0;
          // Detecting a missing element is left to the digest.
          const bool element = path.ends_with(']') || path.find("entries.") != std::string::npos ||
                               path.find("config.kube_reserved.") == 0 ||
                               path.find("probes.startup.") == 0;
          if (in_api_object || element) return;
          const auto taken = retake_decision(damaged);
          ASSERT_FALSE(taken) << of << " without " << path;
          EXPECT_NE(taken.error().message.find(path + ": this input is missing"), std::string::npos)
              << path << ": " << taken.error().message;
        });
  }
}

TEST(DecisionRecord, an_input_less_with_its_digest_mended_is_another_question_or_none) {
  for (const auto& [name, record] : one_of_each()) {
    std::size_t removed = 0;
    ledger_test::for_each_removal(
        record, ledger_test::Digest::kMended,
        [&, &of = name](const std::string& path, const LedgerRecord& damaged) {
          ++removed;
          const auto wrong = ledger_test::wrongly_taken(damaged);
          EXPECT_FALSE(wrong) << of << " without " << path << " " << *wrong;
        });
    EXPECT_GE(removed, 9U) << name;
  }
}

// The content of an optional member, an element or an entry matters for the decision.
TEST(DecisionRecord, without_what_decided_it_a_record_is_not_taken_whatever_its_digest_says) {
  const std::string key = restart_identity(crash_loop().pod, container("app")).key();
  const std::multimap<std::string, std::string> rows = {
      {"plan", "pod.spec.containers[0]"},
      {"plan", "pod.spec.initContainers[0].restartPolicy"},
      {"plan", "runtime.containers[0]"},
      {"plan", "runtime.sandboxes[0]"},
      {"plan", "restarts.entries." + key},
      {"stops", "containers[0]"},
      {"stops", "pod.spec.initContainers[0]"},
      {"refusal", "active[0]"},
      {"admission", "node.status.allocatable.pods"},
      {"phase", "statuses[1]"},
      {"phase", "statuses[1].lastState.terminated"},
      {"phase", "pod.spec.initContainers[1].restartPolicy"},
      {"grace", "pod.spec.terminationGracePeriodSeconds"},
      {"image", "pod.metadata.name"},
      {"loss", "pod.spec.restartPolicy"}};
  std::size_t met = 0;
  for (const auto& [name, record] : one_of_each()) {
    ledger_test::for_each_removal(
        record, ledger_test::Digest::kMended,
        [&, &of = name](const std::string& path, const LedgerRecord& damaged) {
          const auto [first, last] = rows.equal_range(of);
          if (std::none_of(first, last, [&path](const auto& row) { return row.second == path; }))
            return;
          ++met;
          EXPECT_FALSE(retake_decision(damaged)) << of << " without " << path;
        });
  }
  EXPECT_EQ(met, rows.size());
}

TEST(DecisionRecord, another_output_is_a_difference_that_is_named) {
  ledger_test::PlanParts values = crash_loop();
  LedgerRecord record = record_of(values);
  values.now = at(15);
  record.output = record_of(values).output;
  const auto taken = retake_decision(record);
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("output.actions.containers_to_start"), std::string::npos)
      << taken.error().message;
}

TEST(DecisionRecord, other_reasons_times_and_pods_are_differences) {
  using Damage = void (*)(LedgerRecord&);
  const std::map<std::string, Damage> cases = {
      {"reasons", [](LedgerRecord& r) { r.reasons.pop_back(); }},
      {"next", [](LedgerRecord& r) { r.next.reset(); }},
      {"at", [](LedgerRecord& r) { r.at += Nanoseconds(1); }},
      {"uid", [](LedgerRecord& r) { r.uid = "uid-2"; }},
      {"kind", [](LedgerRecord& r) { r.kind = "stops"; }},
      {"unknown kind", [](LedgerRecord& r) { r.kind = "dream"; }},
      {"no input", [](LedgerRecord& r) { r.input.clear(); }},
      {"broken input", [](LedgerRecord& r) { r.input = "[1"; }},
      {"broken output", [](LedgerRecord& r) { r.output = "{"; }}};
  for (const auto& [name, damage] : cases) {
    LedgerRecord record = record_of(crash_loop());
    damage(record);
    EXPECT_FALSE(retake_decision(record)) << name;
  }
}

TEST(DecisionRecord, an_admission_holds_of_other_pods_what_counts) {
  const auto input = json_of(admission_of(110).input);
  const auto& active = input.at("active").as_array();
  ASSERT_EQ(active.size(), 1U);
  EXPECT_EQ(active[0].at("metadata").at("uid"), "uid-2");
  EXPECT_FALSE(active[0].at("spec").at("containers").at(0).as_object().contains("image"));
  EXPECT_FALSE(input.at("node").at("status").as_object().contains("images"));
  EXPECT_EQ(input.at("config").at("hard_eviction_memory").at("fraction"), "0.05");
}

TEST(DecisionRecord, a_phase_says_what_is_shown_and_by_which_rule) {
  const LedgerRecord record = phase_of("Pending");
  EXPECT_EQ(record.at, at(4));
  EXPECT_EQ(record.pod, "web");
  ASSERT_EQ(record.reasons.size(), 1U);
  EXPECT_EQ(record.reasons[0].rule, "InitFailed");
  const auto decision = json_of(record.output);
  EXPECT_EQ(decision.at("phase"), "Failed");
  EXPECT_EQ(decision.at("shown"), "Pending");
  EXPECT_EQ(phase_of("Failed").reasons[0].rule, "InitFailed");
}

TEST(DecisionRecord, a_phase_holds_of_pod_and_statuses_what_counts) {
  const auto input = json_of(phase_of("Pending").input);
  const auto& pod = input.at("pod");
  EXPECT_EQ(pod.at("metadata").at("annotations"),
            (boost::json::object{{kAnnotationConfigSource, "file"}}));
  EXPECT_FALSE(pod.at("spec").at("containers").at(0).as_object().contains("image"));
  const auto& rules = pod.at("spec").at("initContainers").at(1).at("restartPolicyRules");
  EXPECT_EQ(rules.at(0).at("exitCodes").at("values"), (boost::json::array{42}));
  const auto& statuses = input.at("statuses").as_array();
  ASSERT_EQ(statuses.size(), 3U);
  EXPECT_TRUE(statuses[0].at("state").at("running").at("startedAt").is_null());
  EXPECT_FALSE(statuses[1].at("state").at("waiting").as_object().contains("reason"));
  EXPECT_EQ(statuses[1].at("lastState").at("terminated").at("exitCode"), 3);
}

TEST(DecisionRecord, a_phase_that_was_published_otherwise_is_a_difference) {
  LedgerRecord record = phase_of("Pending");
  record.output.replace(record.output.find("Failed"), 6, "Running");
  const auto taken = retake_decision(record);
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("output.phase was \"Running\", and comes out as \"Failed\""),
            std::string::npos)
      << taken.error().message;
}

TEST(DecisionRecord, a_grace_period_says_whose_it_is_and_when_it_ends) {
  const auto periods = [](const LedgerRecord& record) {
    EXPECT_EQ(record.reasons.at(0).text, "it was deleted through the control socket");
    return record.reasons.at(1).text;
  };
  EXPECT_EQ(periods(grace_of(0, {})), "30 s, its terminationGracePeriodSeconds");
  EXPECT_EQ(periods(grace_of(30, 5)), "5 s, as was asked");
  EXPECT_EQ(periods(grace_of(0, 0)), "1 s, the shortest that a pod gets");
  const auto shorter = json_of(grace_of(30, 5).output);
  EXPECT_EQ(shorter.at("seconds"), 5);
  EXPECT_EQ(shorter.at("shortened"), true);
  EXPECT_EQ(shorter.at("ends_at"), at(5).time_since_epoch().count());
}

TEST(DecisionRecord, a_pre_stop_step_says_why_the_hook_is_run_or_not) {
  const auto rule = [](const PreStopSituation& situation) {
    return pre_stop_of(situation).reasons.at(0).rule;
  };
  EXPECT_EQ(rule({.has_hook = true, .container_runs = true}), "PreStopDue");
  EXPECT_EQ(rule({.has_hook = true}), "PreStopCannotRun");
  EXPECT_EQ(rule({.has_hook = true, .leaves_time = false, .container_runs = true}),
            "PreStopNoTime");
  EXPECT_EQ(rule({.has_hook = true, .container_runs = true, .begun_before = true}),
            "PreStopBegunBefore");
}

}  // namespace
}  // namespace berth::lifecycle::test
