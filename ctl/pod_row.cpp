// SPDX-License-Identifier: Apache-2.0

#include "ctl/pod_row.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>

#include <fmt/format.h>

#include "api/pod_resources.hpp"
#include "ctl/age.hpp"

namespace berth::ctl {
namespace {

bool condition_true(const api::PodStatus& status, std::string_view type) {
  return std::ranges::any_of(status.conditions, [&](const api::PodCondition& condition) {
    return condition.type == type && condition.status == "True";
  });
}

bool is_sidecar(const api::PodSpec& spec, const std::string& name) {
  return std::ranges::any_of(spec.initContainers, [&](const api::Container& container) {
    return container.name == name && api::is_sidecar(container);
  });
}

// Restarts, and when the last of them happened: the newest end of an earlier instance.
struct Restarts {
  int count = 0;
  std::optional<api::Time> last{};

  void add(const api::ContainerStatus& container) {
    count += container.restartCount;
    const auto& before = container.lastState.terminated;
    if (!before || !before->finishedAt) return;
    if (!last || last->at < before->finishedAt->at) last = before->finishedAt;
  }
};

std::string exit_text(const api::ContainerStateTerminated& state) {
  if (!state.reason.empty()) return state.reason;
  if (state.signal != 0) return fmt::format("Signal:{}", state.signal);
  return fmt::format("ExitCode:{}", state.exitCode);
}

bool waits_with_reason(const api::ContainerStatus& container) {
  return container.state.waiting && !container.state.waiting->reason.empty();
}

// The status of an unfinished init container; empty if it is finished.
std::string init_status(const api::ContainerStatus& container, bool sidecar, std::size_t index,
                        std::size_t total) {
  const auto& state = container.state;
  if (state.terminated && state.terminated->exitCode == 0) return {};
  if (sidecar && container.started.value_or(false)) return {};
  if (state.terminated) return "Init:" + exit_text(*state.terminated);
  if (waits_with_reason(container) && state.waiting->reason != "PodInitializing") {
    return "Init:" + state.waiting->reason;
  }
  return fmt::format("Init:{}/{}", index, total);
}

// Walks the init containers up to the first unfinished one; true if there is one.
bool summarize_init(const api::Pod& pod, PodSummary& summary, Restarts& all, Restarts& sidecars) {
  const auto& statuses = pod.status.initContainerStatuses;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const auto& container = statuses[i];
    const bool sidecar = is_sidecar(pod.spec, container.name);
    all.add(container);
    if (sidecar) sidecars.add(container);
    const std::string text = init_status(container, sidecar, i, pod.spec.initContainers.size());
    if (!text.empty()) {
      summary.status = text;
      return true;
    }
    if (sidecar && container.state.running && container.ready) ++summary.ready;
  }
  return false;
}

void summarize_containers(const api::Pod& pod, PodSummary& summary, Restarts& restarts) {
  bool some_run = false;
  for (const auto& container : std::views::reverse(pod.status.containerStatuses)) {
    restarts.add(container);
    if (waits_with_reason(container)) {
      summary.status = container.state.waiting->reason;
    } else if (container.state.terminated) {
      summary.status = exit_text(*container.state.terminated);
    } else if (container.ready && container.state.running) {
      some_run = true;
      ++summary.ready;
    }
  }
  // A completed container does not make a pod completed while another still runs.
  if (summary.status == "Completed" && some_run) {
    summary.status = condition_true(pod.status, "Ready") ? "Running" : "NotReady";
  }
}

std::string or_none(const std::string& text) {
  return text.empty() ? "<none>" : text;
}

// "1/2": how many of them are open.
std::string readiness_gates(const api::Pod& pod) {
  const auto& gates = pod.spec.readinessGates;
  if (gates.empty()) return "<none>";
  const auto open = std::ranges::count_if(gates, [&](const api::PodReadinessGate& gate) {
    return condition_true(pod.status, gate.conditionType);
  });
  return fmt::format("{}/{}", open, gates.size());
}

}  // namespace

PodSummary summarize(const api::Pod& pod) {
  PodSummary summary;
  summary.total = static_cast<int>(
      pod.spec.containers.size() +
      static_cast<std::size_t>(std::ranges::count_if(
          pod.spec.initContainers, [](const api::Container& c) { return api::is_sidecar(c); })));
  summary.status = pod.status.reason.empty() ? pod.status.phase : pod.status.reason;

  Restarts all;
  Restarts sidecars;
  const bool initializing = summarize_init(pod, summary, all, sidecars);
  Restarts shown = all;
  if (!initializing || condition_true(pod.status, "Initialized")) {
    shown = sidecars;
    summarize_containers(pod, summary, shown);
  }
  summary.restarts = shown.count;
  summary.last_restart = shown.last;

  const bool terminal = pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
  if (pod.metadata.deletionTimestamp && !terminal) summary.status = "Terminating";
  return summary;
}

Row pod_header(PodColumns columns) {
  Row row;
  if (columns.with_namespace) row.emplace_back("NAMESPACE");
  for (const char* name : {"NAME", "READY", "STATUS", "RESTARTS", "AGE"}) row.emplace_back(name);
  if (columns.wide) {
    for (const char* name : {"IP", "NODE", "NOMINATED NODE", "READINESS GATES", "QOS", "PRIORITY"})
      row.emplace_back(name);
  }
  return row;
}

Row pod_row(const api::Pod& pod, PodColumns columns, WallTime now) {
  const PodSummary summary = summarize(pod);
  std::string restarts = fmt::format("{}", summary.restarts);
  if (summary.restarts != 0 && summary.last_restart) {
    restarts += fmt::format(" ({} ago)", age(summary.last_restart, now));
  }
  Row row;
  if (columns.with_namespace) row.push_back(pod.metadata.namespace_);
  row.push_back(pod.metadata.name);
  row.push_back(fmt::format("{}/{}", summary.ready, summary.total));
  row.push_back(summary.status.empty() ? "Unknown" : summary.status);
  row.push_back(restarts);
  const auto& created = pod.metadata.creationTimestamp;
  row.push_back(age(created ? created : pod.status.startTime, now));
  if (columns.wide) {
    row.push_back(or_none(pod.status.podIP));
    row.push_back(or_none(pod.spec.nodeName));
    row.push_back(or_none(pod.status.nominatedNodeName));
    row.push_back(readiness_gates(pod));
    row.push_back(or_none(pod.status.qosClass));
    row.push_back(fmt::format("{}", pod.spec.priority.value_or(0)));
  }
  return row;
}

}  // namespace berth::ctl
