// SPDX-License-Identifier: Apache-2.0

// The kubelet's own rules are checked against its recordings (conformance: probe_worker,
// probe_pod); this covers what those do not.
#include "probes/probe_state.hpp"

#include <gtest/gtest.h>

namespace berth::probes {
namespace {

using namespace std::chrono_literals;

const cri::ContainerId kFirst{"c1"};
const cri::ContainerId kSecond{"c2"};

Sight running(cri::ContainerId id, Nanoseconds running_for = 1h) {
  return {.pod_known = true,
          .container = std::move(id),
          .running = true,
          .started = true,
          .running_for = running_for};
}

const Attempt kPassed{.outcome = Outcome::kSuccess};
const Attempt kFailed{.outcome = Outcome::kFailure, .cause = Cause::kAnswer};

TEST(ProbeStateTest, a_kept_readiness_stays_until_an_answer_says_otherwise) {
  const ProbeRules rules{.type = ProbeType::kReadiness, .failure_threshold = 2};
  auto seen = visit(rules, resumed_state(rules, kFirst, ProbeResult::kSuccess), running(kFirst));
  EXPECT_EQ(seen.next, Next::kProbe);
  EXPECT_EQ(seen.updates, std::vector<ProbeUpdate>{}) << "readiness must not flap";
  auto once = judge(rules, seen.state, kFailed, Weight::kFull);
  EXPECT_EQ(once.state.held, ProbeResult::kSuccess);
  EXPECT_EQ(judge(rules, once.state, kFailed, Weight::kFull).update,
            (ProbeUpdate{kFirst, ProbeResult::kFailure}));
}

TEST(ProbeStateTest, what_was_kept_of_another_container_does_not_count) {
  const ProbeRules rules{.type = ProbeType::kReadiness};
  const auto seen =
      visit(rules, resumed_state(rules, kFirst, ProbeResult::kSuccess), running(kSecond));
  EXPECT_EQ(seen.updates, (std::vector<ProbeUpdate>{{kSecond, ProbeResult::kFailure}}));
}

TEST(ProbeStateTest, a_kept_verdict_is_not_asked_for_again) {
  struct Case {
    ProbeType type;
    ProbeResult kept;
    bool on_hold;
  };
  for (const auto& [type, kept, on_hold] : {
           Case{ProbeType::kStartup, ProbeResult::kSuccess, true},
           Case{ProbeType::kStartup, ProbeResult::kFailure, true},
           Case{ProbeType::kStartup, ProbeResult::kUnknown, false},
           Case{ProbeType::kLiveness, ProbeResult::kFailure, true},
           Case{ProbeType::kLiveness, ProbeResult::kSuccess, false},
           Case{ProbeType::kReadiness, ProbeResult::kFailure, false},
       }) {
    EXPECT_EQ(resumed_state({.type = type}, kFirst, kept).on_hold, on_hold)
        << to_string(type) << " " << to_string(kept);
  }
}

TEST(ProbeStateTest, the_initial_delay_says_how_much_of_it_is_left) {
  const ProbeRules rules{.initial_delay_seconds = 5};
  const auto early = visit(rules, {}, running(kFirst, 1'500ms));
  EXPECT_EQ(early.next, Next::kDelay);
  EXPECT_EQ(early.delay_left, 3'500ms);
  EXPECT_EQ(visit(rules, {}, running(kFirst, 5s)).next, Next::kProbe);
}

TEST(ProbeStateTest, a_probe_ends_with_a_container_that_is_never_restarted) {
  struct Case {
    const char* pod_policy;
    std::optional<std::string> policy;
    bool has_rules;
    Next next;
  };
  for (const auto& [pod_policy, policy, has_rules, next] : {
           Case{"Never", std::nullopt, false, Next::kEnd},
           Case{"Never", "Always", false, Next::kWait},
           Case{"Never", "OnFailure", false, Next::kWait},
           Case{"Never", "Never", true, Next::kWait},
           Case{"Always", std::nullopt, false, Next::kWait},
           Case{"Always", "Never", false, Next::kEnd},
       }) {
    api::Pod pod;
    pod.spec.restartPolicy = pod_policy;
    api::Container container{.name = "c", .restartPolicy = policy};
    if (has_rules) container.restartPolicyRules.push_back({.action = "Restart"});
    Sight ended = running(kFirst);
    ended.running = false;
    ended.terminated = true;
    const auto rules = probe_rules(ProbeType::kReadiness, {}, container, pod);
    EXPECT_EQ(visit(rules, {}, ended).next, next)
        << pod_policy << " " << policy.value_or("-") << (has_rules ? " with rules" : "");
  }
}

TEST(ProbeStateTest, a_limit_that_ran_out_while_we_were_held_up_proves_nothing) {
  const Attempt timed_out{.outcome = Outcome::kFailure,
                          .output = "late",
                          .phase = Phase::kResponse,
                          .cause = Cause::kTimeout,
                          .took = 1s};
  EXPECT_FALSE(without_own_delay(timed_out, 0s).errored);
  EXPECT_FALSE(without_own_delay(timed_out, 200ms).errored);
  const Attempt ours = without_own_delay(timed_out, 250ms);
  EXPECT_TRUE(ours.errored);
  EXPECT_EQ(ours.output, "late (not counted: berthd itself was held up for 250 ms meanwhile)");
  EXPECT_FALSE(without_own_delay(kFailed, 1h).errored) << "an answer is an answer";
}

TEST(ProbeStateTest, own_delays_never_reach_the_failure_threshold) {
  const ProbeRules rules{.type = ProbeType::kLiveness, .failure_threshold = 1};
  ProbeState state{.container = kFirst, .held = ProbeResult::kSuccess};
  const Attempt ours = without_own_delay(
      {.outcome = Outcome::kFailure, .cause = Cause::kTimeout, .took = 1s}, 900ms);
  for (int i = 0; i < 10; ++i) {
    auto judged = judge(rules, state, ours, Weight::kFull);
    EXPECT_EQ(judged.standing, Standing::kErrored);
    EXPECT_FALSE(judged.update);
    state = judged.state;
  }
}

TEST(ProbeStateTest, a_run_of_failures_goes_on_over_a_restart) {
  const ProbeRules rules{.type = ProbeType::kReadiness, .success_threshold = 2};
  auto state = judge(rules, visit(rules, {}, running(kFirst)).state, kPassed, Weight::kFull).state;
  state = visit(rules, state, running(kSecond)).state;
  EXPECT_EQ(judge(rules, state, kPassed, Weight::kFull).update,
            (ProbeUpdate{kSecond, ProbeResult::kSuccess}));
}

TEST(ProbeStateTest, an_early_answer_may_only_help) {
  const ProbeRules startup{.type = ProbeType::kStartup, .failure_threshold = 1};
  const auto state = visit(startup, {}, running(kFirst, 0s)).state;
  auto failed = judge(startup, state, kFailed, Weight::kMayHelp);
  EXPECT_EQ(failed.state, state) << "it counts towards nothing";
  EXPECT_EQ(failed.standing, Standing::kTooEarly);
  EXPECT_FALSE(failed.update);
  EXPECT_TRUE(failed.notice) << "it is reported";
  EXPECT_EQ(judge(startup, state, kPassed, Weight::kMayHelp).update,
            (ProbeUpdate{kFirst, ProbeResult::kSuccess}));
  EXPECT_EQ(judge(startup, state, kFailed, Weight::kFull).update,
            (ProbeUpdate{kFirst, ProbeResult::kFailure}));
}

TEST(ProbeStateTest, nobody_is_killed_for_what_its_predecessor_failed) {
  for (const ProbeType type : {ProbeType::kStartup, ProbeType::kLiveness, ProbeType::kReadiness}) {
    const ProbeRules rules{.type = type, .failure_threshold = 2};
    const auto first = judge(rules, {.container = kFirst}, kFailed, Weight::kFull).state;
    EXPECT_EQ(first.run, 1);
    EXPECT_EQ(without_predecessors_run(rules, first, kFirst), first);
    EXPECT_EQ(without_predecessors_run(rules, first, {}), first) << "none is there";
    const auto next = without_predecessors_run(rules, first, kSecond);
    EXPECT_EQ(next.run, type == ProbeType::kReadiness ? 1 : 0) << to_string(type);
    EXPECT_EQ(next.container, kFirst) << "the visit changes it";
  }
}

}  // namespace
}  // namespace berth::probes
