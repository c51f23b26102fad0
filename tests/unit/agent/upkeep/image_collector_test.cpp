// SPDX-License-Identifier: Apache-2.0

// Which images the collector counts as used, and which of the others it removes.
#include "agent/upkeep/image_collector.hpp"

#include "tests/ledger/retaking_ledger.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {
namespace {

class ImageCollectorTest : public LoopFixture {
 protected:
  void SetUp() override {
    for (const char* name : {"present/a:1", "present/b:1"}) spawn_and_drain(pull(name));
    clock.advance(1min);
  }
  void TearDown() override {
    spawn_and_drain(runtime.shutdown());
    LoopFixture::TearDown();
  }
  boost::asio::awaitable<void> pull(std::string name) {
    cri::ImageSpec image{.image = std::move(name)};
    auto pulling = runtime.pull_image({}, std::move(image), {}, {});
    const auto pulled = co_await std::move(pulling);
    EXPECT_TRUE(pulled.has_value());
  }
  boost::asio::awaitable<void> collect(node::ImageGcCause cause) {
    const auto done = co_await collector.collect(cause);
    outcome = done ? std::to_string(*done) : done.error().message;
  }
  void round(node::ImageGcCause cause) {
    spawn_and_drain(collect(cause));
    clock.advance(5s);
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [id, image] : collector.known()) out.push_back(image.name());
    return out;
  }

  RecordedLog lines{};
  BlockingPool pool{loop.get_executor(), clock, {}};
  simulation::SimulatedRuntime runtime{loop.get_executor(), clock, {}};
  EventRecorder events{loop.get_executor(), clock, lines, "node1"};
  std::set<std::string> wanted{};
  ledger_test::RetakingLedger ledger{};
  ImageCollector::Services services() {
    return {.clock = clock,
            .log = lines,
            .pool = pool,
            .runtime = runtime,
            .images = runtime,
            .events = events,
            .ledger = &ledger,
            .node = "node1",
            .wanted = [this] { return wanted; },
            .measure =
                [](const std::string& /*mountpoint*/) {
                  return node::ImageFileSystem{.capacity = 100, .available = 50};
                }};
  }
  ImageCollector collector{services(), {.low_percent = 0}, 5min};
  std::string outcome{};
};

TEST_F(ImageCollectorTest,
       under_disk_pressure_all_go_that_nobody_needs_and_that_are_not_too_young) {
  wanted = {"docker.io/present/a:1"};
  round(node::ImageGcCause::kDiskPressure);
  EXPECT_EQ(outcome, "0");
  EXPECT_EQ(names().size(), 2U) << "seen for the first time";
  std::string none;
  collector.write_metrics(none);
  EXPECT_EQ(none, "");
  clock.advance(3min);
  round(node::ImageGcCause::kDiskPressure);
  EXPECT_EQ(outcome, "1000000");
  EXPECT_EQ(names(), std::vector<std::string>{"docker.io/present/a:1"});
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].event, "ImageRemoved");
  ASSERT_EQ(ledger.records().size(), 1U) << "rounds that remove nothing are no records";
  EXPECT_EQ(ledger.problems(), std::vector<std::string>{});
  EXPECT_EQ(lines.lines[0].fields.at(0).key, "DECISION");
  EXPECT_EQ(lines.lines[0].fields.at(0).value, lifecycle::record_id(ledger.records()[0]));
  std::string metrics;
  collector.write_metrics(metrics);
  EXPECT_TRUE(metrics.ends_with("kubelet_image_garbage_collected_total{reason=\"space\"} 1\n"))
      << metrics;
  round(node::ImageGcCause::kDiskPressure);
  EXPECT_EQ(names().size(), 1U) << "the runtime has no other any more";
}

TEST_F(ImageCollectorTest,
       a_runtime_that_does_not_answer_costs_no_image_and_is_reported_the_second_time) {
  runtime.go_down();
  spawn_and_drain(collector.run());
  clock.advance(1min);
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_EQ(lines.lines[0].event, "ImageGCFailed");
  EXPECT_TRUE(lines.lines[0].message.starts_with("asking where images are kept: "));
  clock.advance(5min);
  EXPECT_EQ(lines.lines.size(), 3U) << "the second failure is an event, too";
}

TEST_F(ImageCollectorTest, images_are_seen_every_five_minutes_also_where_none_is_removed_by_then) {
  for (const auto& [policy, period] :
       {std::pair(node::ImageGcPolicy{.high_percent = 100}, Nanoseconds(5min)),
        std::pair(node::ImageGcPolicy{.low_percent = 0}, Nanoseconds(24h))}) {
    ImageCollector other(services(), policy, period);
    TaskGroup rounds(loop.get_executor(),
                     [](auto, auto failure) { std::rethrow_exception(failure); });
    rounds.spawn("images", other.run());
    drain();
    clock.advance(1min);
    const std::string late = "present/late:" + std::to_string(policy.high_percent);
    spawn_and_drain(pull(late));
    clock.advance(3min);
    const auto known = other.known().size();
    clock.advance(1min + 30s);
    EXPECT_EQ(other.known().size(), known + 1) << "the pulled image";
    runtime.go_down();
    clock.advance(5min);
    ASSERT_FALSE(lines.lines.empty());
    EXPECT_EQ(lines.lines.back().event, "ImagesNotSeen");
    runtime.come_up();
    rounds.request_stop();
    spawn_and_drain(rounds.join());
  }
  EXPECT_TRUE(ledger.records().empty());
}

TEST(WantedImages, are_those_of_pods_that_have_not_ended) {
  auto runs = std::make_shared<api::Pod>();
  runs->spec.containers = {{.name = "main", .image = "busybox"}};
  runs->spec.initContainers = {{.name = "first", .image = "reg.example/init:2"}};
  auto ended = std::make_shared<api::Pod>();
  ended->spec.containers = {{.name = "main", .image = "other"}};
  ended->status.phase = "Succeeded";
  EXPECT_EQ(wanted_images({runs, ended}),
            (std::set<std::string>{"docker.io/library/busybox:latest", "reg.example/init:2"}));
}

}  // namespace
}  // namespace berth::agent
