// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/runtime_watch.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "lifecycle/pods/runtime/unclaimed_stops.hpp"
#include "node/sandbox_config.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/unit/agent/recorded_log.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

// Sends the events that the test sets.
class ScriptedStream final : public cri::EventStream {
 public:
  explicit ScriptedStream(boost::asio::any_io_executor executor) : bell_(std::move(executor)) {
    state_.connected = true;
  }
  void report(cri::Event event) {
    pending_.push_back(std::move(event));
    bell_.notify();
  }
  [[nodiscard]] boost::asio::awaitable<cri::Event> next() override {
    while (pending_.empty()) co_await bell_.wait();
    cri::Event event = std::move(pending_.front());
    pending_.erase(pending_.begin());
    co_return event;
  }
  void close() { state_.connected = false; }
  void reconnect(std::string reason) override { reconnects.push_back(std::move(reason)); }
  [[nodiscard]] const cri::ConnectionState& state() const override { return state_; }

  std::vector<std::string> reconnects{};

 private:
  Notification bell_;
  std::vector<cri::Event> pending_{};
  cri::ConnectionState state_{};
};

// Workers whose beliefs the test sets; records what it is notified of.
class Listener final : public RuntimeListener {
 public:
  explicit Listener(std::vector<std::string>& log) : log_(log) {}

  void runtime_identified(const RuntimeIdentity& runtime) override {
    log_.push_back("it is " + runtime.name);
  }
  void runtime_back() override { log_.emplace_back("back"); }
  void runtime_listed(const RuntimeListing& listing) override {
    log_.push_back(fmt::format("listed {}", listing.size()));
  }
  [[nodiscard]] bool compares_listings() const override { return compares; }
  [[nodiscard]] std::map<std::string, BelievedPod> believed() const override { return believes; }
  bool stopped(const std::string& id, const StopNews& /*news*/) override {
    if (id != owned) return false;
    log_.push_back(id + " stopped");
    return true;
  }
  void pod_differs(const std::string& uid, const std::string& /*what*/) override {
    log_.push_back(uid + " differs");
  }
  void pod_unknown(const std::string& uid, ListedPod listed) override {
    log_.push_back(fmt::format("{} unknown, {} sandbox", uid, listed.sandboxes.size()));
  }

  bool compares = true;
  std::map<std::string, BelievedPod> believes{};
  std::string owned = "c1";

 private:
  std::vector<std::string>& log_;
};

class RuntimeWatchTest : public LoopFixture {
 protected:
  void SetUp() override {
    spawn("runtime events", watch.pump_events());
    spawn("relist", watch.keep_listing());
    drain();
  }
  void TearDown() override {
    spawn_and_drain(runtime.shutdown());
    LoopFixture::TearDown();
  }
  // Another client of the runtime started a pod.
  void have(const char* uid) {
    cri::PodSandboxConfig sandbox;
    sandbox.metadata = {.name = "web", .uid = uid, .namespace_ = "default", .attempt = 0};
    sandbox.labels[cri::kLabelPodUid] = uid;
    sandbox.labels[cri::kLabelPodName] = "web";
    sandbox.labels[cri::kLabelPodNamespace] = "default";
    sandbox.annotations[node::kAnnotationIncarnation] = "1";
    runtime.runs_already(sandbox, {});
  }
  std::vector<std::string> heard() { return std::exchange(log, {}); }

  simulation::Trace trace{};
  simulation::SimulatedRuntime runtime{loop.get_executor(), clock, {.trace = &trace}};
  ScriptedStream stream{loop.get_executor()};
  agent::RecordedLog warnings{};
  Listener listener{log};
  UnclaimedStops unclaimed{};
  RuntimeWatch watch{{.executor = loop.get_executor(),
                      .runtime = runtime,
                      .stream = stream,
                      .clock = clock,
                      .log = warnings},
                     {},
                     listener,
                     unclaimed};
};

using Heard = std::vector<std::string>;

TEST_F(RuntimeWatchTest, it_asks_what_the_runtime_is_and_lists_it_once) {
  clock.advance(100ms);
  EXPECT_EQ(heard(), (Heard{"it is containerd", "listed 0"}));
  clock.advance(29s);
  EXPECT_TRUE(heard().empty());
}

TEST_F(RuntimeWatchTest, a_runtime_that_does_not_answer_is_asked_until_it_does) {
  clock.advance(100ms);
  heard();
  runtime.go_down();
  clock.advance(32s);
  EXPECT_FALSE(warnings.lines.empty());
  runtime.come_up();
  have("a");
  clock.advance(6s);
  EXPECT_EQ(heard(), Heard{"a unknown, 1 sandbox"});
}

TEST_F(RuntimeWatchTest,
       an_opened_stream_is_followed_by_two_listings_of_what_may_be_another_runtime) {
  clock.advance(100ms);
  heard();
  stream.report({.type = cri::EventType::kResubscribed});
  drain();
  EXPECT_EQ(heard(), Heard{"back"});
  have("a");
  clock.advance(100ms);
  EXPECT_EQ(heard(), (Heard{"it is containerd", "a unknown, 1 sandbox"}));
  clock.advance(1s);
  EXPECT_EQ(heard(), Heard{"a unknown, 1 sandbox"});
}

TEST_F(RuntimeWatchTest, a_stop_goes_to_its_pod_or_waits_to_be_claimed) {
  stream.report({.type = cri::EventType::kStopped, .id = "c1", .at = 3, .exit_code = 1});
  stream.report({.type = cri::EventType::kStopped, .id = "c2", .at = 4, .exit_code = 7});
  stream.report({.type = cri::EventType::kStarted, .id = "c3"});
  drain();
  EXPECT_EQ(heard(), Heard{"c1 stopped"});
  EXPECT_FALSE(unclaimed.claim("c1"));
  EXPECT_FALSE(unclaimed.claim("c3"));
  EXPECT_EQ(unclaimed.claim("c2")->exit_code, 7);
}

TEST_F(RuntimeWatchTest, what_no_event_reported_is_a_defect_of_the_stream_which_is_opened_anew) {
  clock.advance(100ms);
  heard();
  listener.believes["a"].sandboxes["gone"] = cri::SandboxState::kReady;
  clock.advance(31s);
  EXPECT_EQ(heard(), Heard{"a differs"});
  EXPECT_EQ(watch.missed_events(), 1U);
  EXPECT_EQ(stream.reconnects.size(), 1U);
}

TEST_F(RuntimeWatchTest, what_somebody_else_started_is_no_defect_of_the_stream) {
  have("a");
  clock.advance(100ms);
  heard();
  listener.believes["a"];
  clock.advance(31s);
  EXPECT_EQ(heard(), Heard{"a differs"});
  EXPECT_EQ(watch.missed_events(), 0U);
  EXPECT_TRUE(stream.reconnects.empty());
}

TEST_F(RuntimeWatchTest, a_runtime_without_events_that_was_away_is_asked_for_them_again) {
  clock.advance(100ms);
  stream.close();
  clock.advance(5s);
  EXPECT_TRUE(stream.reconnects.empty()) << "it answers, so nothing has changed";
  runtime.go_down();
  clock.advance(35s);
  EXPECT_FALSE(stream.reconnects.empty());
}

TEST_F(RuntimeWatchTest, nothing_is_compared_before_the_listener_wants_it) {
  listener.compares = false;
  clock.advance(100ms);
  heard();
  have("a");
  clock.advance(1min);
  EXPECT_TRUE(heard().empty());
  listener.compares = true;
  clock.advance(30s);
  EXPECT_EQ(heard(), Heard{"a unknown, 1 sandbox"});
}

}  // namespace
}  // namespace berth::lifecycle
