#include "lifecycle/lost_containers.hpp"

#include <algorithm>

#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::int32_t kKilledExitCode = 137;  // 128 + SIGKILL, for what nobody saw end

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

}  // namespace

std::optional<PodMemory> after_losing_containers(const PodMemory& memory) {
  const bool began = std::ranges::any_of(memory.next_attempts,
                                         [](const auto& attempt) { return attempt.second > 0; });
  if (!began || memory.verdict != Verdict::kNone || memory.pod->spec.restartPolicy != "Never")
    return std::nullopt;
  PodMemory lost = memory;
  lost.verdict = Verdict::kCompleted;
  lost.status.phase = kFailed;
  end_unseen(lost.status.initContainerStatuses);
  end_unseen(lost.status.containerStatuses);
  lost.pending_starts.clear();
  lost.stops.clear();
  return lost;
}

}  // namespace berth::lifecycle
