// What is told and recorded of an eviction, and read back.
#include "agent/eviction/eviction_journal.hpp"

#include "agent/eviction/eviction_record.hpp"
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
  // Pods of 10 Mi each and one of 3 Gi, with 50 Mi left.
  EvictionReport report() {
    std::vector<api::Pod> pods = {
        eviction::make_pod({.name = "critical", .priority = 2'000'000'000}),
        eviction::make_pod({.name = "large"}), eviction::make_pod({.name = "small"})};
    eviction::Readings readings{
        .pods = {{"uid-critical", eviction::using_memory(4 * eviction::kGi)},
                 {"uid-large", eviction::using_memory(3 * eviction::kGi)},
                 {"uid-small", eviction::using_memory(10 * kMi)}}};
    pods[0].spec.priority = 2'000'000'000;
    readings.node.memory = eviction::MemoryReading{.available = 50 * kMi,
                                                   .working_set = 8 * eviction::kGi - 50 * kMi,
                                                   .limit = 8 * eviction::kGi,
                                                   .time = clock.wall_now() - 3ms};
    const eviction::EvictionConfig config{
        .thresholds = {eviction::threshold(Signal::kMemoryAvailable, "100Mi")},
        .rules = eviction::kRules};
    const auto decision = decide_cycle(config, {},
                                       {.readings = &readings,
                                        .layout = eviction::FileSystemLayout::kSingle,
                                        .pods = eviction::pointers(pods),
                                        .now = clock.steady_now()});
    EXPECT_EQ(decision.verdict, eviction::CycleVerdict::kEvict);
    return {.at = clock.wall_now(),
            .pod = std::make_shared<const api::Pod>(pods[1]),
            .eviction = decision.evictions.at(0),
            .due = decision.due,
            .ranking = decision.ranking};
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
  journal.evicted(report());
  ASSERT_EQ(events.store().list().size(), 1U);
  const api::Event& event = *events.store().list()[0];
  EXPECT_EQ(event.reason, "Evicted");
  EXPECT_EQ(event.type, "Warning");
  EXPECT_TRUE(
      event.message.starts_with("The node was low on resource: memory. Threshold quantity: "
                                "100Mi, available: 50Mi. Container c was using 3Gi"));
  ASSERT_EQ(ledger.records.size(), 1U);
  EXPECT_EQ(ledger.records[0].kind, kLedgerEviction);
  EXPECT_EQ(ledger.records[0].uid, "uid-large");
  const auto record = parse_eviction_record(ledger.records[0].input);
  ASSERT_TRUE(record.has_value()) << record.error().message;
  EXPECT_EQ(record->signal, "memory.available");
  EXPECT_EQ(record->threshold, "memory.available<100Mi");
  EXPECT_EQ(record->observed, "50Mi");
  EXPECT_EQ(record->limit, "100Mi");
  EXPECT_EQ(record->reading_age_ms, 3);
  EXPECT_EQ(record->grace_seconds, 1);
  ASSERT_EQ(record->ranking.size(), 3U);
  EXPECT_EQ(journal.evictions().at("memory.available"), 1U);
}

TEST_F(EvictionJournalTest, the_sentence_says_what_was_short_and_why_this_pod) {
  const std::string sentence = eviction_sentence(report());
  EXPECT_TRUE(sentence.starts_with("evicted: memory.available<100Mi, and 50Mi is left; first of"))
      << sentence;
}

TEST_F(EvictionJournalTest, records_come_back_as_they_were) {
  EvictionRecord record = eviction_record(report());
  record.reclaimed = {"UnusedImages"};
  EXPECT_EQ(parse_eviction_record(to_json_text(record)).value(), record);
  EXPECT_FALSE(parse_eviction_record("{\"signal\": 3}").has_value());
  EXPECT_FALSE(parse_eviction_record("no").has_value());
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
