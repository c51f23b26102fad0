// SPDX-License-Identifier: Apache-2.0

#include "probes/prober.hpp"

#include <deque>
#include <map>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/virtual_clock.hpp"

namespace berth::probes {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using Lines = std::vector<std::string>;

const Attempt kPassed{.outcome = Outcome::kSuccess};
const Attempt kRefused{.outcome = Outcome::kFailure,
                       .output = "refused",
                       .phase = Phase::kConnect,
                       .cause = Cause::kRefused,
                       .took = 1ms};

// Answers after `takes`, as set for the port; records which target was probed when.
class ScriptedHandlers final : public Handlers {
 public:
  explicit ScriptedHandlers(Clock& clock) : clock_(clock) {}

  asio::awaitable<Attempt> run(Target target, std::optional<Nanoseconds>) override {
    const std::string key = key_of(target);
    asked.push_back(key + "@" + std::to_string((clock_.steady_now() - begun_) / 1ms));
    ++under_way;
    worst_under_way = std::max(worst_under_way, under_way);
    const Attempt answer = answers.contains(key) ? answers.at(key) : kPassed;
    if (takes > 0s) co_await clock_.sleep_for(takes);
    --under_way;
    co_return answer;
  }

  std::map<std::string, Attempt> answers;
  Nanoseconds takes{0};
  Lines asked;
  int under_way = 0;
  int worst_under_way = 0;

 private:
  static std::string key_of(const Target& target) {
    if (const auto* exec = std::get_if<ExecTarget>(&target)) return exec->command.at(0);
    return std::to_string(std::get<TcpTarget>(target).port);
  }

  Clock& clock_;
  SteadyTime begun_ = clock_.steady_now();
};

class NotingSink final : public ProbeSink {
 public:
  void result_changed(const ProbeChange& change) override {
    changes.push_back(change.container + " " + std::string(to_string(change.type)) + " " +
                      change.update.container.str() + " " +
                      std::string(to_string(change.update.result)));
    if (!change.why.empty()) whys.push_back(change.why);
  }
  void event(const ProbeEvent& event) override {
    events.push_back(event.container + " " + event.notice.reason + " " + event.notice.message);
  }
  Lines changes, whys, events;
};

api::Probe tcp(int port, int period = 10) {
  return {.tcpSocket = api::TCPSocketAction{.port = port},
          .timeoutSeconds = 1,
          .periodSeconds = period,
          .successThreshold = 1,
          .failureThreshold = 3};
}

api::Pod pod_with(api::Container container, std::string uid = "uid") {
  api::Pod pod;
  pod.metadata = {.name = "web", .namespace_ = "default", .uid = std::move(uid)};
  pod.spec.restartPolicy = "Always";
  container.name = "main";
  pod.spec.containers = {std::move(container)};
  return pod;
}

class ProberTest : public testing::Test {
 protected:
  void drain() {
    if (loop.stopped()) loop.restart();
    loop.poll();
  }
  void TearDown() override {
    prober.request_stop();
    drain();
  }
  SeenPod running(const std::string& id) {
    return {.pod_ip = "10.0.0.5",
            .containers = {{.name = "main",
                            .id = cri::ContainerId{id},
                            .running = true,
                            .started_at = clock.wall_now()}}};
  }
  void see(const SeenPod& seen, const std::string& uid = "uid") {
    prober.see_pod(uid, seen);
    drain();
  }
  // Clears the records.
  void forget() {
    handlers.asked.clear();
    sink.changes.clear();
    sink.events.clear();
    sink.whys.clear();
  }

  asio::io_context loop{1};
  VirtualClock clock{loop, WallTime{1'000'000s}};
  ScriptedHandlers handlers{clock};
  NotingSink sink;
  ProberOptions options{.expand_command =
                            [](const auto& words, const auto& variables) {
                              Lines out = words;
                              for (auto& word : out) {
                                if (variables.contains(word)) word = variables.at(word);
                              }
                              return out;
                            },
                        .exec_limit = 2};
  Prober prober{
      loop.get_executor(),
      clock,
      handlers,
      sink,
      options,
      [](std::string_view task, std::exception_ptr) { ADD_FAILURE() << task << " failed"; }};
};

TEST_F(ProberTest, a_container_that_starts_is_asked_at_once_then_every_period) {
  prober.add_pod(pod_with({.readinessProbe = tcp(80)}), {});
  clock.advance(33s);
  EXPECT_EQ(handlers.asked, Lines{});
  see(running("c1"));
  EXPECT_EQ(sink.changes, (Lines{"main Readiness c1 failure", "main Readiness c1 success"}));
  clock.advance(25s);
  EXPECT_EQ(handlers.asked, (Lines{"80@33000", "80@43000", "80@53000"}));
}

TEST_F(ProberTest, liveness_fails_at_its_threshold_and_is_held_until_the_next_container) {
  prober.add_pod(pod_with({.livenessProbe = tcp(80)}), {});
  handlers.answers["80"] = kRefused;
  see(running("c1"));
  clock.advance(60s);
  EXPECT_EQ(handlers.asked, (Lines{"80@10000", "80@20000", "80@30000"}));
  EXPECT_EQ(sink.changes, (Lines{"main Liveness c1 success", "main Liveness c1 failure"}));
  EXPECT_EQ(sink.whys, Lines{"failed 3 of 3, connect refused after 1 ms each time"});
  EXPECT_EQ(sink.events, Lines(3, "main Unhealthy Liveness probe failed: refused"));
  forget();
  see(running("c2"));
  EXPECT_EQ(sink.changes, Lines{"main Liveness c2 success"});
  clock.advance(10s);
  EXPECT_EQ(handlers.asked.size(), 1U);
}

TEST_F(ProberTest, no_container_is_given_up_before_all_its_periods_have_passed) {
  struct Case {
    ProbeType type;
    int delay;
    Nanoseconds given_up;  // since the container's start
  };
  int pod = 0;
  for (const auto& [type, delay, given_up] : {
           Case{ProbeType::kLiveness, 0, 30s},
           Case{ProbeType::kLiveness, 10, 40s},
           Case{ProbeType::kStartup, 0, 30s},
           Case{ProbeType::kStartup, 15, 45s},
       }) {
    const std::string uid = "uid-" + std::to_string(pod++);
    api::Probe probe = tcp(80);
    probe.initialDelaySeconds = delay;
    handlers.answers["80"] = kRefused;
    api::Container container;
    (type == ProbeType::kLiveness ? container.livenessProbe : container.startupProbe) = probe;
    prober.add_pod(pod_with(std::move(container), uid), {});
    see(running("c" + uid), uid);
    clock.advance(given_up - 1ms);
    EXPECT_NE(prober.held(uid).front().result, ProbeResult::kFailure) << pod;
    clock.advance(1ms);
    EXPECT_EQ(prober.held(uid).front().result, ProbeResult::kFailure) << pod;
    prober.remove_pod(uid);
    clock.advance(1s);
  }
}

TEST_F(ProberTest, a_startup_that_passes_early_counts_and_one_that_fails_early_is_only_shown) {
  prober.add_pod(pod_with({.startupProbe = tcp(80)}, "quick"), {});
  see(running("q"), "quick");
  EXPECT_EQ(prober.held("quick").front().result, ProbeResult::kSuccess);
  handlers.answers["80"] = kRefused;
  prober.add_pod(pod_with({.startupProbe = tcp(80)}, "slow"), {});
  see(running("s"), "slow");
  const auto view = prober.views("slow").front();
  ASSERT_EQ(view.runs.size(), 1U);
  EXPECT_EQ(view.runs.back().standing, Standing::kTooEarly);
  EXPECT_EQ(view.state.run, 0);
  EXPECT_EQ(view.counters.failed + view.counters.errored, 0U);
  EXPECT_EQ(sink.events, Lines{"main Unhealthy Startup probe failed: refused"});
}

TEST_F(ProberTest, a_container_that_restarts_by_itself_does_not_inherit_failures) {
  prober.add_pod(pod_with({.livenessProbe = tcp(80)}), {});
  handlers.answers["80"] = kRefused;
  see(running("c1"));
  clock.advance(25s);
  ASSERT_EQ(prober.views("uid").front().state.run, 2);
  see(running("c2"));
  clock.advance(29s);
  EXPECT_EQ(prober.held("uid").front().result, ProbeResult::kSuccess);
  clock.advance(1s);
  EXPECT_EQ(prober.held("uid").front().result, ProbeResult::kFailure);
}

// A container's schedule continues from its start, whichever process probed it before.
TEST_F(ProberTest, a_restart_of_berthd_counts_no_failure_earlier) {
  api::Probe probe = tcp(80);
  probe.failureThreshold = 1;
  handlers.answers["80"] = kRefused;
  for (int i = 0; i < 50; ++i) {
    const std::string uid = "uid-" + std::to_string(i);
    const std::string id = "c" + std::to_string(i);
    prober.add_pod(pod_with({.livenessProbe = probe}, uid),
                   {{"main", ProbeType::kLiveness, cri::ContainerId{id}, ProbeResult::kSuccess}});
    SeenPod seen = running(id);
    seen.containers[0].started_at = clock.wall_now() - 4s;
    see(seen, uid);
  }
  clock.advance(5'900ms);
  EXPECT_EQ(handlers.asked, Lines{});
  clock.advance(4'100ms);
  EXPECT_EQ(handlers.asked.size(), 50U);
}

TEST_F(ProberTest, startup_gates_the_others_and_opens_them_at_once) {
  prober.add_pod(
      pod_with({.livenessProbe = tcp(1), .readinessProbe = tcp(2), .startupProbe = tcp(3)}), {});
  handlers.answers["3"] = kRefused;
  see(running("c1"));
  clock.advance(15s);
  EXPECT_EQ(handlers.asked, (Lines{"3@0", "3@10000"}));
  handlers.answers["3"] = kPassed;
  clock.advance(6s);
  EXPECT_EQ(handlers.asked, (Lines{"3@0", "3@10000", "3@20000", "2@20000"}));
  clock.advance(9s);
  EXPECT_EQ(handlers.asked.back(), "1@30000") << "liveness has a period of its own";
  clock.advance(60s);
  EXPECT_EQ(std::count(handlers.asked.begin(), handlers.asked.end(), "3@30000"), 0);
}

TEST_F(ProberTest, a_kept_readiness_does_not_flap_and_is_asked_in_its_phase) {
  api::Pod pod = pod_with({.readinessProbe = tcp(80)});
  SeenPod seen = running("c1");
  seen.containers[0].started_at = clock.wall_now() - 1h;
  prober.add_pod(pod,
                 {{"main", ProbeType::kReadiness, cri::ContainerId{"c1"}, ProbeResult::kSuccess}});
  see(seen);
  EXPECT_EQ(sink.changes, Lines{});
  EXPECT_EQ(prober.held("uid").front().result, ProbeResult::kSuccess);
  EXPECT_EQ(handlers.asked, Lines{}) << "first runs are spread";
  clock.advance(10s);
  EXPECT_EQ(handlers.asked.size(), 1U);
  EXPECT_EQ(sink.changes, Lines{});
}

TEST_F(ProberTest, first_runs_after_a_start_do_not_come_together) {
  for (int i = 0; i < 200; ++i) {
    const std::string uid = "uid-" + std::to_string(i);
    prober.add_pod(pod_with({.readinessProbe = tcp(80)}, uid), {});
    SeenPod seen = running("c" + std::to_string(i));
    seen.containers[0].started_at = clock.wall_now() - 1h;
    see(seen, uid);
  }
  clock.advance(5s);
  EXPECT_GT(handlers.asked.size(), 60U);
  EXPECT_LT(handlers.asked.size(), 140U);
  clock.advance(5s);
  EXPECT_EQ(handlers.asked.size(), 200U);
}

TEST_F(ProberTest, the_initial_delay_counts_from_the_containers_start) {
  api::Probe delayed = tcp(80);
  delayed.initialDelaySeconds = 7;
  prober.add_pod(pod_with({.readinessProbe = delayed}), {});
  clock.advance(20s);
  SeenPod seen = running("c1");
  seen.containers[0].started_at = clock.wall_now() - 2s;
  see(seen);
  clock.advance(20s);
  EXPECT_EQ(handlers.asked, (Lines{"80@25000", "80@35000"}));
}

TEST_F(ProberTest, a_stop_ends_liveness_and_startup_while_readiness_goes_on) {
  api::Pod pod = pod_with({.livenessProbe = tcp(1), .readinessProbe = tcp(2)});
  pod.spec.initContainers = {{.name = "side", .restartPolicy = "Always", .livenessProbe = tcp(3)}};
  prober.add_pod(pod, {});
  SeenPod seen = running("c1");
  seen.containers.push_back(
      {.name = "side", .id = cri::ContainerId{"s1"}, .running = true, .started_at = {}});
  see(seen);
  forget();
  prober.stop_liveness_and_startup("uid");
  clock.advance(10s);
  EXPECT_EQ(handlers.asked, (Lines{"2@10000", "3@10000"}));
  prober.remove_pod("uid");
  forget();
  clock.advance(60s);
  EXPECT_EQ(handlers.asked, Lines{});
  EXPECT_EQ(prober.counts().probes, 0U);
  EXPECT_TRUE(prober.views().empty());
}

TEST_F(ProberTest, a_pod_removed_under_a_probe_hears_nothing_of_its_answer) {
  handlers.takes = 1s;
  prober.add_pod(pod_with({.readinessProbe = tcp(80)}), {});
  see(running("c1"));
  forget();
  prober.remove_pod("uid");
  clock.advance(5s);
  EXPECT_EQ(sink.changes, Lines{});
  EXPECT_EQ(prober.counts().under_way, 0U);
}

TEST_F(ProberTest, something_new_at_the_runtime_asks_readiness_out_of_turn_an_answer_never_does) {
  api::Pod pod = pod_with({.readinessProbe = tcp(80)});
  pod.spec.containers.push_back({.name = "other", .livenessProbe = tcp(81)});
  handlers.answers["80"] = kRefused;
  prober.add_pod(pod, {});
  SeenPod seen = running("c1");
  see(seen);
  clock.advance(3s);
  see(seen);
  EXPECT_EQ(handlers.asked, Lines{"80@0"}) << "nothing new";
  seen.containers.push_back({.name = "other", .id = cri::ContainerId{"o1"}, .running = true});
  see(seen);
  EXPECT_EQ(handlers.asked, (Lines{"80@0", "80@3000"}));
  seen.containers[1].id = cri::ContainerId{"o2"};
  see(seen);
  EXPECT_EQ(handlers.asked.size(), 2U) << "readiness not more than once a second";
}

TEST_F(ProberTest, a_container_that_does_not_run_is_not_asked_and_not_ready) {
  prober.add_pod(pod_with({.readinessProbe = tcp(80)}), {});
  SeenPod seen = running("c1");
  see(seen);
  forget();
  seen.containers[0].running = false;
  seen.containers[0].terminated = true;
  see(seen);
  EXPECT_EQ(sink.changes, Lines{"main Readiness c1 failure"});
  clock.advance(60s);
  EXPECT_EQ(handlers.asked, Lines{});
  EXPECT_EQ(prober.views().front().waits_for, "the container does not run");
}

// A replaced sandbox starts containers that their policy would not restart; the kubelet recreates
// missing probes in each of its passes.
TEST_F(ProberTest, a_container_that_nobody_restarts_is_probed_again_when_another_takes_its_place) {
  api::Container once{.restartPolicy = "Never", .livenessProbe = tcp(80)};
  prober.add_pod(pod_with(std::move(once)), {});
  SeenPod seen = running("c1");
  see(seen);
  seen.containers[0].running = false;
  seen.containers[0].terminated = true;
  see(seen);
  EXPECT_TRUE(prober.views().front().ended);
  forget();
  see(running("c2"));
  EXPECT_FALSE(prober.views().front().ended);
  EXPECT_EQ(sink.changes, Lines{"main Liveness c2 success"});
  clock.advance(10s);
  EXPECT_EQ(handlers.asked.size(), 1U);
  prober.stop_liveness_and_startup("uid");
  see(running("c3"));
  EXPECT_TRUE(prober.views().front().ended) << "its pod ends";
}

TEST_F(ProberTest, a_run_longer_than_the_period_is_followed_by_one_at_once) {
  handlers.takes = 25s;
  prober.add_pod(pod_with({.readinessProbe = tcp(80)}), {});
  see(running("c1"));
  clock.advance(60s);
  EXPECT_EQ(handlers.asked, (Lines{"80@0", "80@25000", "80@50000"}));
  EXPECT_EQ(handlers.worst_under_way, 1);
}

// Its value is not looked up for a probe, as in the kubelet.
TEST_F(ProberTest, a_variable_from_elsewhere_is_empty_in_a_command) {
  api::Probe exec = tcp(0);
  exec.tcpSocket.reset();
  exec.exec = api::ExecAction{{"CHECK"}};
  const api::EnvVarSource elsewhere{.fieldRef = api::ObjectFieldSelector{.fieldPath = "spec.x"}};
  prober.add_pod(pod_with({.env = {{.name = "CHECK", .value = "check"},
                                   {.name = "CHECK", .valueFrom = elsewhere}},
                           .readinessProbe = exec}),
                 {});
  see(running("c"));
  EXPECT_EQ(handlers.asked, Lines{"@0"});
}

TEST_F(ProberTest, execs_wait_for_their_turn_and_that_shows_as_lateness) {
  handlers.takes = 500ms;
  for (int i = 0; i < 6; ++i) {
    const std::string uid = "uid-" + std::to_string(i);
    api::Probe exec = tcp(0);
    exec.tcpSocket.reset();
    exec.exec = api::ExecAction{{"CHECK"}};
    prober.add_pod(
        pod_with({.env = {{.name = "CHECK", .value = "check"}}, .readinessProbe = exec}, uid), {});
    see(running("c" + std::to_string(i)), uid);
  }
  EXPECT_EQ(prober.counts().exec_waiting, 4U);
  clock.advance(2s);
  EXPECT_EQ(handlers.asked,
            (Lines{"check@0", "check@0", "check@500", "check@500", "check@1000", "check@1000"}));
  EXPECT_EQ(handlers.worst_under_way, 2);
  EXPECT_EQ(prober.views("uid-5").front().worst_late, 1s);
}

TEST_F(ProberTest, an_errored_attempt_is_tried_thrice_and_never_counted) {
  handlers.answers["80"] = {.outcome = Outcome::kUnknown, .errored = true, .output = "boom"};
  api::Probe strict = tcp(80);
  strict.failureThreshold = 1;
  prober.add_pod(pod_with({.livenessProbe = strict}), {});
  see(running("c1"));
  clock.advance(25s);
  EXPECT_EQ(handlers.asked.size(), 6U);
  EXPECT_EQ(sink.changes, Lines{"main Liveness c1 success"});
  const auto counters = prober.views().front().counters;
  EXPECT_EQ(counters.errored, 2U);
  EXPECT_EQ(counters.failed, 0U);
}

TEST_F(ProberTest, a_limit_that_we_noticed_late_does_not_count_but_an_execs_always_does) {
  const Attempt timed_out{.outcome = Outcome::kFailure, .cause = Cause::kTimeout, .took = 1s};
  api::Probe network = tcp(80);
  network.failureThreshold = 1;
  api::Probe exec = network;
  exec.tcpSocket.reset();
  exec.exec = api::ExecAction{{"check"}};
  exec.periodSeconds = 20;
  api::Pod pod = pod_with({.livenessProbe = network, .readinessProbe = exec});
  handlers.answers = {{"80", timed_out}, {"check", timed_out}};
  handlers.takes = 1'500ms;
  prober.add_pod(pod, {});
  see(running("c1"));
  clock.advance(15s);
  for (const auto& view : prober.views()) {
    const bool is_exec = view.type == ProbeType::kReadiness;
    EXPECT_EQ(view.counters.failed, is_exec ? 1U : 0U);
    EXPECT_EQ(view.counters.held_up, is_exec ? 0U : 1U);
  }
}

TEST_F(ProberTest, a_view_shows_the_last_runs_and_the_next) {
  prober.add_pod(pod_with({.readinessProbe = tcp(80)}), {});
  see(running("c1"));
  clock.advance(70s);
  handlers.answers["80"] = kRefused;
  clock.advance(10s);
  const auto view = prober.views().front();
  ASSERT_EQ(view.runs.size(), kRunsKept);
  EXPECT_EQ(view.runs.back().words, "connect refused after 1 ms");
  EXPECT_EQ(view.runs.back().at, clock.wall_now());
  EXPECT_EQ(view.runs.front().outcome, Outcome::kSuccess);
  EXPECT_EQ(view.next_at, clock.wall_now() + 10s);
  EXPECT_EQ(view.counters.successful, 8U);
  EXPECT_EQ(view.counters.failed, 1U);
  EXPECT_EQ(view.state.held, ProbeResult::kSuccess);
}

TEST_F(ProberTest, a_short_period_of_the_annotation_holds) {
  api::Pod pod = pod_with({.readinessProbe = tcp(80)});
  pod.metadata.annotations["berth.dev/probe-period-milliseconds"] = "main/readiness=250";
  prober.add_pod(pod, {});
  see(running("c1"));
  clock.advance(600ms);
  EXPECT_EQ(handlers.asked, (Lines{"80@0", "80@250", "80@500"}));
}

}  // namespace
}  // namespace berth::probes
