// SPDX-License-Identifier: Apache-2.0

// Which pods are started again after a shutdown of the node.
#include "lifecycle/shutdown/stopped_pods.hpp"

#include <gtest/gtest.h>

#include "lifecycle/ending.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

api::Pod pod(const char* policy, const char* phase, const char* reason) {
  api::Pod made;
  made.spec.restartPolicy = policy;
  made.status.phase = phase;
  made.status.reason = reason;
  return made;
}

// A pod in the state in which the last order leaves it.
api::Pod ended(const char* policy, const Ending& order, const char* phase = "Failed") {
  api::Pod made = pod(policy, "Running", "");
  made.status = failed_status(made, made.status, *order.failure, {});
  made.status.phase = phase;
  if (std::string(phase) == "Succeeded") made.status.reason.clear();
  return made;
}

TEST(StoppedPods, come_back_if_the_shutdown_alone_ended_them) {
  const auto shutdown = node_shutdown(5s, {});
  auto past_deadline = ended("Always", shutdown);
  past_deadline.status.reason = "DeadlineExceeded";
  const struct {
    const char* name;
    api::Pod pod;
    bool back;
  } cases[] = {
      {"stopped", ended("Always", shutdown), true},
      {"stopped, a job", ended("OnFailure", shutdown), true},
      {"stopped, and all containers exited 0", ended("Always", shutdown, "Succeeded"), true},
      {"stopped, and never to be restarted", ended("Never", shutdown), false},
      {"never to be restarted, and all exited 0", ended("Never", shutdown, "Succeeded"), false},
      {"still being stopped", ended("Always", shutdown, "Running"), false},
      {"refused", pod("Always", "Failed", "NodeShutdown"), true},
      {"refused before it ran, whatever its policy", pod("Never", "Failed", "NodeShutdown"), true},
      {"finished by itself", pod("OnFailure", "Succeeded", ""), false},
      {"failed by itself", pod("Never", "Failed", ""), false},
      {"failed by itself, in the same word", pod("Always", "Failed", "Terminated"), false},
      {"evicted", ended("Always", evicted("low", 1s, {})), false},
      {"preempted", ended("Always", preempted({})), false},
      {"past its deadline as well", past_deadline, false},
      {"running", pod("Always", "Running", ""), false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(returns_after_shutdown(one.pod), one.back);
  }
}

TEST(StoppedPods, that_come_meanwhile_are_refused_in_the_kubelets_words) {
  EXPECT_EQ(refused_by_shutdown().reason, "NodeShutdown");
  EXPECT_EQ(refused_by_shutdown().message, "Pod was rejected as the node is shutting down.");
}

}  // namespace
}  // namespace berth::lifecycle
