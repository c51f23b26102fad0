#include "lifecycle/pod_removal.hpp"

namespace berth::lifecycle {
namespace {

ContainerEnd end_of(const api::ContainerStatus& status, bool init) {
  const auto& ended =
      status.state.terminated ? status.state.terminated : status.lastState.terminated;
  ContainerEnd end{.name = status.name, .init = init};
  if (!ended) return end;
  end.exit_code = ended->exitCode;
  end.reason = ended->reason;
  return end;
}

}  // namespace

PodRemoved removal(const api::Pod& last, const std::optional<EndRequest>& request) {
  PodRemoved removed{.phase = last.status.phase, .reason = last.status.reason};
  if (request) {
    removed.cause = request->cause;
    removed.forced = request->forced;
  }
  for (const auto& status : last.status.initContainerStatuses)
    removed.ends.push_back(end_of(status, true));
  for (const auto& status : last.status.containerStatuses)
    removed.ends.push_back(end_of(status, false));
  return removed;
}

}  // namespace berth::lifecycle
