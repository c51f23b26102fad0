// SPDX-License-Identifier: Apache-2.0

// The probes of one pod: which are run in which state, and what is published meanwhile.
#include "lifecycle/worker/probes/pod_probes.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/base/loop_fixture.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle {
namespace {

// Every probe passes; the probed ports are recorded.
class PassingHandlers final : public probes::Handlers {
 public:
  boost::asio::awaitable<probes::Attempt> run(probes::Target target,
                                              std::optional<Nanoseconds>) override {
    asked.push_back(std::get<probes::TcpTarget>(target).port);
    co_return probes::Attempt{.outcome = probes::Outcome::kSuccess};
  }
  std::vector<std::uint16_t> asked{};
};

class NoSink final : public probes::ProbeSink {
 public:
  explicit NoSink(const PodProbes*& probes) : probes_(probes) {}
  void result_changed(const probes::ProbeChange&) override {
    (probes_->showing() ? while_showing : later) += 1;
  }
  void event(const probes::ProbeEvent&) override {}
  int while_showing = 0;
  int later = 0;

 private:
  const PodProbes*& probes_;
};

constexpr int kLiveness = 1;
constexpr int kReadiness = 2;

api::Probe tcp(int port) {
  return {.tcpSocket = api::TCPSocketAction{.port = port},
          .timeoutSeconds = 1,
          .periodSeconds = 1,
          .successThreshold = 1,
          .failureThreshold = 3};
}

class PodProbesPartTest : public LoopFixture {
 protected:
  PodProbesPartTest() { notified = &probes; }
  void TearDown() override {
    prober.request_stop();
    spawn_and_drain(prober.join());
    LoopFixture::TearDown();
  }
  static api::Pod probed() {
    api::Container app = test::container("app");
    app.livenessProbe = tcp(kLiveness);
    app.readinessProbe = tcp(kReadiness);
    return test::pod({app});
  }
  static RuntimePod one_running() {
    RuntimePod runtime = test::runtime({test::running("app")});
    runtime.containers.front().started_at = test::at(0).time_since_epoch().count();
    return runtime;
  }
  void show_running() {
    api::PodStatus status;
    status.podIP = "10.0.0.7";
    api::ContainerStatus app{.name = "app", .started = true};
    app.state.running.emplace();
    status.containerStatuses = {app};
    probes.show(one_running(), status, false);
    drain();
  }
  [[nodiscard]] bool asks(int port) {
    handlers.asked.clear();
    clock.advance(5s);
    return std::ranges::count(handlers.asked, port) > 0;
  }
  static ProbeResults ready() {
    return {.readiness = {{cri::ContainerId("app-id"), ProbeResult::kSuccess}}};
  }

  PassingHandlers handlers{};
  const PodProbes* notified = nullptr;
  NoSink sink{notified};
  probes::Prober prober{loop.get_executor(),
                        clock,
                        handlers,
                        sink,
                        {.expand_command = [](const auto& words, const auto&) { return words; }},
                        {}};
  PodProbes probes{prober, "uid-1"};
};

TEST_F(PodProbesPartTest, a_pod_without_probes_has_nothing_to_begin) {
  EXPECT_FALSE(probes.can_begin(test::pod({test::container("app")})));
  EXPECT_TRUE(probes.can_begin(probed()));
}

TEST_F(PodProbesPartTest, what_an_earlier_berthd_stored_stands_until_probing_begins_and_after) {
  probes.recall(ready());
  EXPECT_EQ(probes.results(), ready());
  probes.begin(probed(), one_running(), false);
  EXPECT_FALSE(probes.can_begin(probed())) << "it has begun";
  EXPECT_EQ(result_of(probes.results().readiness, cri::ContainerId("app-id")),
            ProbeResult::kSuccess);
}

TEST_F(PodProbesPartTest, one_that_was_found_running_counts_as_ready_and_only_the_first_time) {
  probes.begin(probed(), one_running(), true);
  EXPECT_EQ(result_of(probes.results().readiness, cri::ContainerId("app-id")),
            ProbeResult::kSuccess);
  probes.end();
  probes.begin(probed(), one_running(), true);
  EXPECT_NE(result_of(probes.results().readiness, cri::ContainerId("app-id")),
            ProbeResult::kSuccess);
}

TEST_F(PodProbesPartTest, of_a_pod_that_is_stopped_only_readiness_is_asked) {
  probes.begin(probed(), one_running(), false);
  show_running();
  EXPECT_TRUE(asks(kLiveness));
  EXPECT_TRUE(asks(kReadiness));
  probes.keep_readiness_only();
  EXPECT_FALSE(asks(kLiveness));
  EXPECT_TRUE(asks(kReadiness));
  probes.end();
  EXPECT_FALSE(asks(kReadiness));
  EXPECT_EQ(probes.results(), ProbeResults{});
}

TEST_F(PodProbesPartTest, nothing_is_asked_before_it_begins) {
  probes.keep_readiness_only();
  show_running();
  EXPECT_FALSE(asks(kReadiness));
  probes.end();
  probes.recall(ready());
  EXPECT_EQ(probes.results(), ready()) << "the end of what never began takes nothing away";
}

TEST_F(PodProbesPartTest, a_result_is_published_while_it_is_shown_or_later) {
  probes.begin(probed(), one_running(), false);
  show_running();
  clock.advance(5s);
  EXPECT_FALSE(probes.showing());
  EXPECT_GT(sink.later, 0) << "readiness has passed";
}

}  // namespace
}  // namespace berth::lifecycle
