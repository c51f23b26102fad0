// SPDX-License-Identifier: Apache-2.0

// What was decided before a stop is carried out, whatever the exit: sandboxes that are replaced,
// containers that are restarted, even across berthd's own death.

#include "lifecycle/decided_starts.hpp"
#include "tests/simulation/container_program.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

// A job that exits with 0 on TERM, which looks as if it had finished.
std::vector<std::string> obedient(const char* after = "3600000") {
  return {"sim", "exit=0", std::string("after=") + after, "term=200", "code=0"};
}

class StartAgainTest : public PodSetTest {
 protected:
  // The pause process dies; the containers keep running.
  void lose_sandbox() {
    for (const auto& sandbox : runtime.sandboxes())
      if (!sandbox.died) return runtime.sandbox_dies(sandbox.id, false);
  }
  [[nodiscard]] std::vector<std::string> started() const {
    std::vector<std::string> names;
    for (const auto& instance : runtime.instances())
      if (instance.started) names.push_back(instance.name);
    return names;
  }
};

TEST_F(StartAgainTest, a_job_whose_sandbox_is_replaced_runs_again_though_it_took_TERM_well) {
  desire({pod("u1", {container("job", obedient())}, "OnFailure")});
  clock.advance(2s);
  lose_sandbox();
  clock.advance(10s);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(started(), (std::vector<std::string>{"job", "job"}));
  EXPECT_EQ(shown.phases, (std::vector<std::string>{"Pending", "Running"}));
  EXPECT_EQ(status().containerStatuses.at(0).restartCount, 1);
}

TEST_F(StartAgainTest, it_does_so_though_the_wall_clock_is_set_back_meanwhile) {
  desire({pod("u1", {container("job", {"sim", "after=3600000", "term=2000", "code=0"})},
              "OnFailure")});
  clock.advance(2s);
  lose_sandbox();
  clock.advance(1s);
  clock.set_wall(clock.wall_now() - 1min);
  clock.advance(10s);
  EXPECT_EQ(live(), 1) << "its exit is reported as of before its stop";
  clock.set_wall(clock.wall_now() + 1min);
  clock.advance(1min);
  EXPECT_EQ(shown.phases, (std::vector<std::string>{"Pending", "Running"}));
}

TEST_F(StartAgainTest, it_does_so_after_its_init_containers) {
  auto made = pod("u1", {container("job", obedient())}, "OnFailure");
  made->spec.initContainers = {container("init", {"sim", "exit=0", "after=100"})};
  desire({made});
  clock.advance(2s);
  lose_sandbox();
  clock.advance(10s);
  EXPECT_EQ(started(), (std::vector<std::string>{"init", "job", "init", "job"}));
  EXPECT_EQ(live(), 1);
}

TEST_F(StartAgainTest, what_had_succeeded_before_does_not_run_again) {
  desire(
      {pod("u1", {container("done", obedient("500")), container("job", obedient())}, "OnFailure")});
  clock.advance(2s);
  lose_sandbox();
  clock.advance(10s);
  EXPECT_EQ(started(), (std::vector<std::string>{"done", "job", "job"}));
}

TEST_F(StartAgainTest, a_container_that_never_crashed_does_not_wait_for_a_backoff) {
  desire({pod("u1", {container("web", {"sim"})})});
  clock.advance(2s);
  for (int i = 0; i < 3; ++i) {
    lose_sandbox();
    clock.advance(15min);  // any earlier window is forgiven, or over
  }
  lose_sandbox();
  clock.advance(5s);
  EXPECT_EQ(live(), 1);
}

TEST_F(StartAgainTest, a_start_that_a_reboot_came_between_costs_its_backoff) {
  const PodPtr crashing = pod("u1", {container("web", {"sim", "exit=1", "after=100"})});
  desire({crashing});
  const auto is_started = [this](std::uint32_t attempt) {
    return std::ranges::any_of(runtime.instances(), [attempt](const auto& instance) {
      return instance.config.metadata.attempt == attempt && instance.start_called;
    });
  };
  for (int i = 0; i < 20'000 && !is_started(2); ++i) clock.advance(1ms);
  ASSERT_TRUE(is_started(2));
  reboot();
  desire({crashing});
  clock.advance(5s);
  const auto message = status().containerStatuses.at(0).state.waiting->message;
  EXPECT_NE(message.find("back-off 20s"), std::string::npos) << message;
}

TEST_F(StartAgainTest, a_run_once_pod_gets_no_second_sandbox) {
  desire({pod("u1", {container("job", obedient())}, "Never")});
  clock.advance(2s);
  lose_sandbox();
  clock.advance(10s);
  EXPECT_EQ(started(), std::vector<std::string>{"job"});
  EXPECT_EQ(status().phase, "Succeeded");
}

// The kubelet stops a container in unknown state and starts it again, whatever the policy is.
TEST_F(StartAgainTest, what_was_to_run_again_ends_with_a_run_once_pod_whose_sandbox_is_lost) {
  desire({pod("u1", {container("job", obedient()), container("other", obedient())}, "Never")});
  clock.advance(2s);
  const auto& job = runtime.instances()[0];
  runtime.go_down();
  runtime.lose_sight_of(job.id);
  runtime.come_up();
  for (int i = 0; i < 10'000 && !job.first_stop_called; ++i) clock.advance(1ms);
  ASSERT_TRUE(job.first_stop_called);
  lose_sandbox();
  clock.advance(1min);
  EXPECT_EQ(started(), (std::vector<std::string>{"job", "other"}));
  EXPECT_EQ(status().phase, "Failed");
}

TEST_F(StartAgainTest, a_berthd_that_is_killed_in_between_leaves_the_next_one_knowing) {
  desire({pod("u1", {container("job", obedient())}, "OnFailure")});
  clock.advance(2s);
  lose_sandbox();
  while (!runtime.instances()[0].exited) clock.advance(10ms);
  end_agent();
  begin_agent();
  desire({pod("u1", {container("job", obedient())}, "OnFailure")});
  clock.advance(10s);
  EXPECT_EQ(started(), (std::vector<std::string>{"job", "job"}));
  EXPECT_EQ(shown.phases, (std::vector<std::string>{"Pending", "Running"}));
}

TEST_F(StartAgainTest, a_probe_that_fails_restarts_a_job_though_it_took_TERM_well) {
  auto job = container("job", obedient());
  job.livenessProbe = api::Probe{.periodSeconds = 1, .failureThreshold = 1};
  job.livenessProbe->exec = api::ExecAction{
      .command = {"probe", simulation::write_probe({.container = "job",
                                                    .type = "liveness",
                                                    .script = {.up = 5s, .down = 3600s}})}};
  desire({pod("u1", {job}, "OnFailure")});
  while (runtime.instances().empty() || !runtime.instances()[0].exited) clock.advance(10ms);
  end_agent();
  begin_agent();
  desire({pod("u1", {job}, "OnFailure")});
  // Not at once: a call of the earlier berthd may still hold the name.
  for (int i = 0; i < 1000 && started().size() < 2; ++i) clock.advance(10ms);
  EXPECT_EQ(started().size(), 2U);
  EXPECT_EQ(shown.last->status.phase, "Running");
}

}  // namespace
}  // namespace berth::lifecycle
