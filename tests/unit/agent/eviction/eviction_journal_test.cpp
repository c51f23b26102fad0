// SPDX-License-Identifier: Apache-2.0

// What is logged and recorded about an eviction, and read back.
#include "agent/eviction/eviction_journal.hpp"

#include <boost/json.hpp>

#include "lifecycle/ledger/eviction_question.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "tests/ledger/expect_removals_refused.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {
namespace {

using eviction::kMi;
using eviction::Signal;

class KeptLedger final : public lifecycle::Ledger {
 public:
  void write(lifecycle::LedgerRecord record) override { records.push_back(std::move(record)); }
  std::vector<lifecycle::LedgerRecord> records{};
};

class EvictionJournalTest : public LoopFixture {
 protected:
  // A report with a pod of 3 Gi, one of 10 Mi, and a critical one that uses most; 50 Mi are left.
  EvictionReport report() {
    EvictionReport report{
        .at = clock.wall_now(),
        .config = {.thresholds = {eviction::threshold(Signal::kMemoryAvailable, "100Mi")},
                   .rules = eviction::kRules},
        .layout = eviction::FileSystemLayout::kSingle,
        .now = clock.steady_now()};
    for (const eviction::PodValues& values :
         {eviction::PodValues{.name = "critical", .priority = 2'000'000'000},
          {.name = "large"},
          {.name = "small"}})
      report.pods.push_back(std::make_shared<const api::Pod>(eviction::make_pod(values)));
    report.readings.pods = {{"uid-critical", eviction::using_memory(4 * eviction::kGi)},
                            {"uid-large", eviction::using_memory(3 * eviction::kGi)},
                            {"uid-small", eviction::using_memory(10 * kMi)}};
    report.readings.node.memory =
        eviction::MemoryReading{.available = 50 * kMi,
                                .working_set = 8 * eviction::kGi - 50 * kMi,
                                .limit = 8 * eviction::kGi,
                                .time = clock.wall_now() - 3ms};
    eviction::CycleInput input{
        .readings = &report.readings, .layout = report.layout, .now = report.now};
    for (const auto& pod : report.pods) input.pods.push_back(pod.get());
    report.decision = decide_cycle(report.config, report.before, input);
    EXPECT_EQ(report.decision.verdict, eviction::CycleVerdict::kEvict);
    for (const auto& eviction : report.decision.evictions)
      report.evicted.push_back(eviction.pod.uid);
    return report;
  }

  RecordedLog lines{};
  EventRecorder events{loop.get_executor(), clock, lines, "node1"};
  KeptLedger ledger{};
  std::set<eviction::PressureCondition> shown{};
  EvictionJournal journal{{.clock = clock,
                           .log = lines,
                           .events = events,
                           .ledger = &ledger,
                           .node_name = "node1",
                           .show = [this](const auto& present) {
                             shown = present;
                             return std::vector<std::string>{"NodeHasInsufficientMemory"};
                           }}};
};

TEST_F(EvictionJournalTest, an_eviction_is_an_event_a_line_and_a_record_with_all_it_came_from) {
  const EvictionReport reported = report();
  journal.choosing(reported.decision);
  journal.evicted(reported);
  ASSERT_EQ(events.store().list().size(), 1U);
  const api::Event& event = *events.store().list()[0];
  EXPECT_EQ(event.reason, "Evicted");
  EXPECT_EQ(event.type, "Warning");
  EXPECT_TRUE(
      event.message.starts_with("The node was low on resource: memory. Threshold quantity: "
                                "100Mi, available: 50Mi. Container c was using 3Gi"));
  EXPECT_EQ(event.metadata.annotations,
            (std::map<std::string, std::string>{{"starved_resource", "memory"},
                                                {"offending_containers", "c"},
                                                {"offending_containers_usage", "3Gi"}}));
  ASSERT_EQ(ledger.records.size(), 1U);
  EXPECT_EQ(ledger.records[0].kind, lifecycle::kLedgerEviction);
  EXPECT_EQ(ledger.records[0].uid, "uid-large");
  const auto record = boost::json::parse(ledger.records[0].output).as_object();
  EXPECT_EQ(record.at("signal"), "memory.available");
  EXPECT_EQ(record.at("threshold"), "memory.available<100Mi");
  EXPECT_EQ(record.at("observed"), "50Mi");
  EXPECT_EQ(record.at("limit"), "100Mi");
  EXPECT_EQ(record.at("reading_age_ms"), 3);
  EXPECT_EQ(record.at("grace_seconds"), 1);
  EXPECT_EQ(record.at("ranking").as_array().size(), 3U);
  EXPECT_EQ(journal.metrics().evictions().at("memory.available"), 1U);
  std::string metrics;
  journal.metrics().write(metrics);
  EXPECT_NE(metrics.find("kubelet_eviction_stats_age_seconds_sum{eviction_signal=\"memory.available"
                         "\"} 0.003\n"),
            std::string::npos)
      << metrics;
}

TEST_F(EvictionJournalTest, the_age_of_statistics_is_observed_also_where_nobody_may_go) {
  eviction::CycleDecision nobody = report().decision;
  nobody.evictions.clear();
  const auto ages = [&] {
    std::string metrics;
    journal.metrics().write(metrics);
    const auto at = metrics.find("age_seconds_count");
    return at == std::string::npos ? "" : metrics.substr(metrics.find("} ", at) + 2, 1);
  };
  journal.choosing(nobody);
  EXPECT_EQ(ages(), "1");
  clock.advance(9s);
  journal.choosing(nobody);
  EXPECT_EQ(ages(), "1") << "as often as the kubelet looks";
  clock.advance(1s);
  journal.choosing(nobody);
  EXPECT_EQ(ages(), "2");
  journal.choosing(report().decision);
  EXPECT_EQ(ages(), "3") << "an eviction always";
  EXPECT_TRUE(journal.metrics().evictions().empty());
}

TEST_F(EvictionJournalTest, a_pod_that_is_not_killed_in_time_has_the_kubelets_event) {
  journal.exceeded_grace_period(*report().pods.at(1));
  ASSERT_EQ(events.store().list().size(), 1U);
  const api::Event& event = *events.store().list()[0];
  EXPECT_EQ(event.reason, "ExceededGracePeriod");
  EXPECT_EQ(event.type, "Warning");
  EXPECT_EQ(event.message, "Container runtime did not kill the pod within specified grace period.");
  EXPECT_EQ(event.involvedObject.name, "large");
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].event, "ExceededGracePeriod");
  EXPECT_TRUE(lines.lines[0].message.starts_with("default/large was evicted and still runs"));
}

TEST_F(EvictionJournalTest, the_sentence_says_what_was_short_and_why_this_pod) {
  const EvictionReport reported = report();
  const std::string sentence =
      lifecycle::eviction_record(reported.decision, reported.decision.evictions.at(0), reported.at)
          .sentence;
  EXPECT_TRUE(sentence.starts_with("evicted: memory.available<100Mi, and 50Mi is left; first of"))
      << sentence;
}

TEST_F(EvictionJournalTest, the_record_is_decided_again_from_its_inputs_and_from_no_others) {
  journal.evicted(report());
  ASSERT_EQ(ledger.records.size(), 1U);
  const auto retaken = lifecycle::retake_decision(ledger.records[0]);
  ASSERT_TRUE(retaken.has_value()) << retaken.error().message;
  EXPECT_TRUE(*retaken);
  ledger_test::expect_removals_refused(ledger.records[0]);
}

TEST_F(EvictionJournalTest, of_a_reclaim_that_was_not_enough_the_record_holds_what_was_measured) {
  EvictionReport reported = report();
  reported.config.thresholds = {eviction::threshold(Signal::kNodeFsAvailable, "10Gi")};
  reported.config.thresholds[0].value = eviction::Share{0.1F};
  reported.readings.node = {.node_fs = eviction::FileSystemReading{
                                .available = 1, .capacity = 100, .time = clock.wall_now()}};
  reported.after_reclaim = reported.readings.node;
  const lifecycle::EvictionQuestion question{.pod = *reported.pods[1],
                                             .at = reported.at,
                                             .now = reported.now,
                                             .config = reported.config,
                                             .readings = reported.readings,
                                             .layout = reported.layout,
                                             .pods = {*reported.pods[1]},
                                             .after_reclaim = reported.after_reclaim};
  const auto decision = lifecycle::decide_eviction(question);
  EXPECT_EQ(decision.reclaimed.size(), 2U);
  const auto record = lifecycle::decision_record(question, decision, reported.at);
  const auto retaken = lifecycle::retake_decision(record);
  ASSERT_TRUE(retaken.has_value()) << retaken.error().message;
  EXPECT_TRUE(*retaken);
}

TEST_F(EvictionJournalTest, conditions_go_to_the_node_and_become_its_events) {
  journal.conditions({eviction::PressureCondition::kMemoryPressure});
  EXPECT_EQ(shown.size(), 1U);
  ASSERT_EQ(events.store().list().size(), 1U);
  EXPECT_EQ(events.store().list()[0]->message,
            "Node node1 status is now: NodeHasInsufficientMemory");
}

TEST_F(EvictionJournalTest, nobody_evictable_names_everybody_and_why) {
  auto pods = std::vector{eviction::make_pod({.name = "critical", .priority = 2'000'000'000})};
  auto ranking = eviction::rank_pods(eviction::pointers(pods), {}, Signal::kMemoryAvailable,
                                     eviction::FileSystemLayout::kSingle, eviction::kRules);
  journal.nobody_evictable(
      {.due = {{.threshold = eviction::threshold(Signal::kMemoryAvailable, "100Mi")}},
       .ranking = ranking});
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].event, "NobodyEvictable");
}

}  // namespace
}  // namespace berth::agent
