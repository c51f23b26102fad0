// SPDX-License-Identifier: Apache-2.0

// Decisions about many pods, recorded, retaken, and damaged: the pods and runtime records are those
// of the conformance vectors; what the vectors do not vary (histories, times) comes from a
// generator with a fixed seed.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/ledger_json.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/termination_order.hpp"
#include "tests/conformance/lifecycle_input.hpp"
#include "tests/conformance/vector_file.hpp"
#include "tests/ledger/expect_removals_refused.hpp"
#include "tests/ledger/plan_parts.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/test_paths.hpp"

namespace berth::ledger_test {
namespace {

namespace json = boost::json;
namespace input = conformance::lifecycle_input;
using namespace berth::lifecycle;

constexpr WallTime kNow{std::chrono::seconds{1'700'000'000}};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(bound));
  }
  bool once_in(std::int64_t times) { return below(times) == 0; }
  Nanoseconds span(std::int64_t seconds) { return Nanoseconds(below(seconds * 1'000'000'000)); }

 private:
  std::mt19937_64 engine_;
};

void for_each_vector(const char* kind,
                     const std::function<void(const json::object& input, Draw& draw)>& each) {
  const std::filesystem::path file =
      source_dir() / "tests/vectors/node" / (std::string(kind) + ".jsonl.gz");
  std::uint64_t number = 0;
  conformance::for_each_case(file, [&](const json::object& one) {
    Draw draw(++number);
    each(one.at("input").as_object(), draw);
  });
  ASSERT_GT(number, 100U) << file << " has hardly any case";
}

PlanParts plan_parts_of(const json::object& in, Draw& draw) {
  PlanParts out;
  out.pod = input::decoded<api::Pod>(in, "pod");
  out.runtime = input::runtime(in);
  out.probes = input::probe_results(in);
  out.actuated = input::actuated(in);
  out.now = kNow + draw.span(100);
  out.options.static_pod_rules = draw.once_in(2);
  for (RuntimeContainer& container : out.runtime.containers) {
    if (container.state == cri::ContainerState::kExited)
      container.finished_at = (kNow - draw.span(60)).time_since_epoch().count();
  }
  const auto remember = [&](const auto& container) {
    const RestartIdentity identity = restart_identity(out.pod, container);
    if (draw.once_in(2))
      out.restarts.entries[identity.key()] = {.window = draw.span(300),
                                              .last_start = kNow - draw.span(100)};
    if (draw.once_in(4))
      out.pulls.entries[{out.pod.metadata.uid, container.image}] = {
          .window = draw.span(300),
          .last_failure = kNow - draw.span(300),
          .reason = "ErrImagePull",
          .message = "no \"such\" image"};
    if (draw.once_in(3)) out.present_images.insert(container.image);
  };
  for (const auto& container : out.pod.spec.initContainers) remember(container);
  for (const auto& container : out.pod.spec.containers) remember(container);
  if (draw.once_in(2)) out.start_time = api::Time{kNow - draw.span(500)};
  if (draw.once_in(8)) out.pod.spec.activeDeadlineSeconds = draw.below(1000);
  return out;
}

// As the record comes back from the store or from berthctl.
LedgerRecord through_text(const LedgerRecord& record) {
  auto back = parse_ledger_record(ledger_record_json(record));
  EXPECT_TRUE(back) << back.error().message;
  return back.value_or(LedgerRecord{});
}

void expect_retaken(const LedgerRecord& record) {
  for (const LedgerRecord& one : {record, through_text(record)}) {
    const auto taken = retake_decision(one);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_TRUE(*taken);
  }
}

TEST(RecordedVectors, every_plan_is_taken_again_from_its_record) {
  std::size_t number = 0;
  for_each_vector("pod_actions", [&](const json::object& in, Draw& draw) {
    const PlanParts parts = plan_parts_of(in, draw);
    const PlanInput question = parts.input();
    const LedgerRecord record = decision_record(question, plan(question), kNow);
    expect_retaken(record);
    if (++number % 100 == 0) expect_removals_refused(record);
  });
}

TEST(RecordedVectors, every_plan_comes_back_as_the_same_question_and_answer) {
  for_each_vector("pod_actions", [&](const json::object& in, Draw& draw) {
    const PlanParts parts = plan_parts_of(in, draw);
    const PlanInput question = parts.input();
    const LedgerRecord record = decision_record(question, plan(question), kNow);
    const auto again = decide_again(record);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->input, record.input);
    EXPECT_EQ(again->output, record.output);
    EXPECT_EQ(again->at, question.now);
  });
}

TEST(RecordedVectors, every_stop_is_taken_again_from_its_record) {
  std::size_t number = 0;
  for_each_vector("termination_order", [&](const json::object& in, Draw& draw) {
    const auto pod = input::decoded<api::Pod>(in, "pod");
    const SteadyTime now{std::chrono::hours{3}};
    std::vector<StoppingContainer> containers;
    for (const std::string& name : input::strings(in, "running")) {
      StoppingContainer one{.name = name,
                            .grace_seconds = draw.below(60),
                            .begun_at = now - draw.span(60),
                            .signalled = draw.once_in(4)};
      if (!draw.once_in(4)) one.hook_done_at = one.begun_at + draw.span(10);
      containers.push_back(std::move(one));
    }
    const StopsQuestion stops{.pod = pod, .containers = containers, .now = now};
    const LedgerRecord record = decision_record(stops, next_stops(pod, containers, now), kNow);
    expect_retaken(record);
    if (++number % 50 == 0) expect_removals_refused(record);
  });
}

TEST(RecordedVectors, every_admission_is_taken_again_from_its_record) {
  std::vector<api::Pod> earlier;
  std::size_t number = 0;
  for_each_vector("pod_resources", [&](const json::object& in, Draw& draw) {
    if (!in.contains("pod")) return;
    const auto pod = input::decoded<api::Pod>(in, "pod");
    api::Node node;
    node.metadata.name = "node1";
    for (const char* resource : {"cpu", "memory", "pods"})
      node.status.allocatable[resource] = api::Quantity::from_int(draw.below(8));
    node::NodeConfig config{.node_name = "node1"};
    config.hard_eviction_memory.fraction = 0.1;
    config.kube_reserved["cpu"] = api::Quantity::from_milli(150);
    AdmissionQuestion asked{.config = config, .node = node, .pod = pod};
    for (const api::Pod& other : earlier)
      if (draw.once_in(2)) asked.active.emplace_back(other);
    asked.host = node::HostConfinement{.apparmor = draw.once_in(2), .selinux = draw.once_in(2)};
    const LedgerRecord record = decision_record(asked, decide_admission(asked), kNow);
    expect_retaken(record);
    if (++number % 50 == 0) expect_removals_refused(record);
    earlier.push_back(pod);
    if (earlier.size() > 5) earlier.erase(earlier.begin());
  });
  EXPECT_GT(number, 100U);
}

std::string drawn_phase(Draw& draw) {
  constexpr std::array kPhases = {"", "Pending", "Running", "Succeeded", "Failed"};
  return kPhases.at(static_cast<std::size_t>(draw.below(kPhases.size())));
}

TEST(RecordedVectors, every_phase_is_taken_again_from_its_record) {
  std::size_t number = 0;
  for_each_vector("pod_phase", [&](const json::object& in, Draw& draw) {
    const auto pod = input::decoded<api::Pod>(in, "pod");
    PhaseQuestion question{
        .pod = pod,
        .statuses = input::decoded_list<api::ContainerStatus>(in, "containerStatuses"),
        .pod_is_terminal = input::flag(in, "podIsTerminal"),
        .pod_has_initialized = input::flag(in, "podHasInitialized")};
    question.options = {.container_restart_rules = draw.once_in(2),
                        .static_pod_rules = draw.once_in(2)};
    // As in the vector, before anything else changes it.
    EXPECT_EQ(decide_phase(question).phase,
              compute_phase({.pod = pod,
                             .statuses = question.statuses,
                             .pod_is_terminal = question.pod_is_terminal,
                             .pod_has_initialized = question.pod_has_initialized,
                             .options = question.options}));
    question.previous = drawn_phase(draw);
    question.known = draw.once_in(4) ? drawn_phase(draw) : "";
    question.deadline_exceeded = draw.once_in(8);
    question.finalised = draw.once_in(2);
    question.shown_before = draw.once_in(2) ? question.previous : drawn_phase(draw);
    question.containers_may_run = draw.once_in(2);
    const PhaseDecision decision = decide_phase(question);
    const LedgerRecord record = decision_record(question, decision, kNow);
    EXPECT_FALSE(record.reasons.at(0).text.empty());
    expect_retaken(record);
    if (++number % 50 == 0) expect_removals_refused(record);
  });
}

TEST(RecordedVectors, every_grace_period_is_taken_again_from_its_record) {
  std::size_t number = 0;
  for_each_vector("grace_period", [&](const json::object& in, Draw& draw) {
    std::int64_t previous = 0;
    for (const json::value& step : input::list(in, "steps")) {
      const json::object& one = step.as_object();
      api::Pod pod;
      pod.metadata.uid = "uid-1";
      pod.metadata.deletionGracePeriodSeconds =
          input::maybe_number(one, "deletionGracePeriodSeconds");
      pod.spec.terminationGracePeriodSeconds =
          input::maybe_number(one, "terminationGracePeriodSeconds");
      GraceQuestion question{.pod = pod,
                             .previous = previous,
                             .cause = draw.once_in(2) ? EndCause::kDeleted : EndCause::kCollected,
                             .forced = draw.once_in(4),
                             .requested_at = kNow + draw.span(100)};
      if (input::flag(one, "hasKillOptions"))
        question.override_seconds = input::maybe_number(one, "override");
      const GraceDecision decision = decide_grace(question);
      previous = decision.seconds;
      const LedgerRecord record = decision_record(question, decision, kNow);
      expect_retaken(record);
      if (++number % 50 == 0) expect_removals_refused(record);
    }
  });
}

TEST(RetakingLedger, what_does_not_come_out_again_is_a_problem) {
  api::Pod pod;
  pod.spec.containers.emplace_back().name = "app";
  const PlanInput question{.pod = pod};
  LedgerRecord record = decision_record(question, plan(question), kNow);
  RetakingLedger ledger(2);
  ledger.write(record);
  EXPECT_TRUE(ledger.problems().empty());
  EXPECT_EQ(ledger.decisions(), 1U);
  record.output.replace(record.output.find("true"), 4, "false");
  ledger.write(record);
  ledger.write(fact_record(pod, kNow, "app", ContainerExited{}));
  EXPECT_EQ(ledger.problems().size(), 1U);
  EXPECT_EQ(ledger.decisions(), 1U);
  EXPECT_EQ(ledger.records().size(), 2U);
}

}  // namespace
}  // namespace berth::ledger_test
