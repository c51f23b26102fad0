// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/pod_removal.hpp"

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

PodRemoved removal(const api::Pod& last, const std::optional<EndInForce>& end) {
  PodRemoved removed{.phase = last.status.phase, .reason = last.status.reason};
  if (end) {
    removed.cause = end->ending.cause;
    removed.forced = by_force(end->ending);
  }
  for (const auto& status : last.status.initContainerStatuses)
    removed.ends.push_back(end_of(status, true));
  for (const auto& status : last.status.containerStatuses)
    removed.ends.push_back(end_of(status, false));
  return removed;
}

}  // namespace berth::lifecycle
