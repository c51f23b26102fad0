// What a pod's worker tells the outside, and what it does not say twice.
#include "lifecycle/worker/pod_teller.hpp"

#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle {
namespace {

using Lines = std::vector<std::string>;

class Events final : public PodEvents {
 public:
  void record(const api::Pod& pod, const PodEvent& event) override {
    lines.push_back(fmt::format("{} {} {}: {} [{}]", pod.metadata.name,
                                event.level == EventLevel::kWarning ? "Warning" : "Normal",
                                event.reason, event.message, event.field_path));
  }
  Lines lines{};
};

class Journal final : public Log {
 public:
  void write(LogLevel level, std::string_view event, std::string_view message,
             const std::vector<LogField>& fields) override {
    std::string line = fmt::format("{} {}: {}", static_cast<int>(level), event, message);
    for (const LogField& field : fields) line += fmt::format(" {}={}", field.key, field.value);
    lines.push_back(std::move(line));
  }
  Lines lines{};
};

class PodTellerTest : public LoopFixture {
 protected:
  void SetUp() override {
    api::Pod made = test::pod({test::container("app")});
    made.spec.initContainers = {test::container("init")};
    pod = std::make_shared<const api::Pod>(std::move(made));
  }
  [[nodiscard]] Lines noted() const {
    Lines lines;
    for (const DecisionNote& note : teller.notes())
      lines.push_back(fmt::format("{} {}: {}", note.action, note.container, note.why));
    return lines;
  }

  PodPtr pod{};
  Events events{};
  Journal journal{};
  PodTeller teller{{.clock = clock, .events = events, .log = journal, .notes_kept = 3}, pod};
};

TEST_F(PodTellerTest, an_event_names_the_field_that_it_is_about) {
  teller.event(EventLevel::kNormal, "Started", "Started container: app", "app");
  teller.warn_event("Failed", "no", "init");
  teller.warn_event("FailedSync", "no");
  EXPECT_EQ(events.lines,
            (Lines{"web Normal Started: Started container: app [spec.containers{app}]",
                   "web Warning Failed: no [spec.initContainers{init}]",
                   "web Warning FailedSync: no []"}));
  EXPECT_EQ(journal.lines.at(0),
            "1 Started: Started container: app NAMESPACE=default POD=web POD_UID=uid-1 "
            "CONTAINER=app");
  EXPECT_EQ(journal.lines.at(2), "2 FailedSync: no NAMESPACE=default POD=web POD_UID=uid-1");
}

TEST_F(PodTellerTest, it_tells_of_the_pod_as_it_is_by_then) {
  api::Pod renamed = *pod;
  renamed.metadata.name = "later";
  pod = std::make_shared<const api::Pod>(std::move(renamed));
  teller.warn_event("Failed", "no");
  EXPECT_EQ(events.lines, Lines{"later Warning Failed: no []"});
}

TEST_F(PodTellerTest, only_the_last_notes_are_kept) {
  for (const char* what : {"1", "2", "3", "4"}) teller.happened("Stop", "app", what);
  EXPECT_EQ(noted(), (Lines{"Stop app: 2", "Stop app: 3", "Stop app: 4"}));
}

TEST_F(PodTellerTest, a_reason_is_told_when_the_plan_before_did_not_give_it) {
  const Reason start{.subject = "app", .rule = "NeverStarted", .text = "it has not been started"};
  const Reason sandbox{.subject = "pod", .rule = "NoSandbox", .text = "there is none"};
  teller.note_plan({start});
  teller.note_plan({start, sandbox});
  EXPECT_EQ(noted(),
            (Lines{"NeverStarted app: it has not been started", "NoSandbox : there is none"}));
  teller.note_stops({start});  // stops have reasons of their own
  EXPECT_EQ(noted().size(), 3U);
  teller.note_plan({});
  teller.note_plan({start});
  EXPECT_EQ(journal.lines.size(), 4U);
}

TEST_F(PodTellerTest, an_obstacle_is_told_once_until_it_is_gone_or_has_another_reason) {
  const auto hinder = [this](const char* error) {
    teller.hindered({.kind = ObstacleKind::kCleanup, .error = error});
  };
  hinder("busy");
  hinder("busy");
  EXPECT_EQ(noted().size(), 1U);
  ASSERT_EQ(teller.obstacles().size(), 1U);
  EXPECT_EQ(teller.obstacles().front().since, clock.wall_now());
  hinder("read-only");
  EXPECT_EQ(noted().size(), 2U);
  teller.unhindered(ObstacleKind::kCleanup, {});
  EXPECT_TRUE(teller.obstacles().empty());
  hinder("read-only");
  EXPECT_EQ(noted().size(), 3U);
}

}  // namespace
}  // namespace berth::lifecycle
