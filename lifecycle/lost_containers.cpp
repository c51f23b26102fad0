// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/lost_containers.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/ending.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::int32_t kKilledExitCode = 137;  // 128 + SIGKILL, for an end that nobody saw

void end_unseen(std::vector<api::ContainerStatus>& statuses) {
  for (api::ContainerStatus& status : statuses) {
    status.ready = false;
    status.started = false;
    if (status.state.terminated) continue;
    api::ContainerStateTerminated ended;
    ended.exitCode = kKilledExitCode;
    ended.reason = kContainerStatusUnknown;
    ended.message = "The container could not be located after the machine or its runtime was reset";
    if (status.state.running) ended.startedAt = status.state.running->startedAt;
    ended.containerID = status.containerID;
    status.state = {};
    status.state.terminated = std::move(ended);
  }
}

void begin_anew(std::vector<api::ContainerStatus>& statuses) {
  for (api::ContainerStatus& status : statuses) {
    status.ready = false;
    status.started = false;
    if (!status.state.terminated) continue;
    status.lastState = {};
    status.lastState.terminated = std::move(status.state.terminated);
    status.state = {};
    status.state.waiting = api::ContainerStateWaiting{.reason = "ContainerCreating"};
  }
}

}  // namespace

LossQuestion loss_question(const PodMemory& memory) {
  return {.pod = *memory.pod,
          .had_containers = std::ranges::any_of(
              memory.next_attempts, [](const auto& attempt) { return attempt.second > 0; }),
          .judged = memory.verdict != Verdict::kNone,
          .ending = memory.end.has_value()};
}

bool has_lost(const LossQuestion& question) {
  return question.had_containers && !question.judged;
}

LossDecision decide_loss(const LossQuestion& question) {
  return {.failed = has_lost(question) && question.pod->spec.restartPolicy == "Never"};
}

Reason loss_reason(const LossQuestion& question, const LossDecision& decision) {
  std::string follows =
      fmt::format("its restartPolicy is {}, so {}", question.pod->spec.restartPolicy,
                  decision.failed ? "it has failed" : "it begins again");
  if (question.ending && !decision.failed) follows = "it is terminating anyway";
  return {.subject = "pod",
          .rule = "ContainersLost",
          .text = "the runtime knows nothing of its containers any more; " + follows};
}

api::Pod loss_part(const api::Pod& pod) {
  api::Pod part = named_part(pod);
  part.spec.restartPolicy = pod.spec.restartPolicy;
  return part;
}

PodMemory begun_again(PodMemory memory) {
  begin_anew(memory.status.initContainerStatuses);
  begin_anew(memory.status.containerStatuses);
  return memory;
}

PodMemory failed_by_loss(PodMemory memory, WallTime now) {
  memory.verdict = Verdict::kCompleted;
  memory.status.phase = kFailed;
  end_unseen(memory.status.initContainerStatuses);
  end_unseen(memory.status.containerStatuses);
  memory.pending_starts.clear();
  memory.stops.clear();
  if (memory.end && memory.end->ending.failure)
    memory.status =
        failed_status(*memory.pod, std::move(memory.status), *memory.end->ending.failure, now);
  return memory;
}

}  // namespace berth::lifecycle
