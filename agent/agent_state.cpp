// SPDX-License-Identifier: Apache-2.0

#include "agent/agent_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/time.hpp"

namespace berth::agent {
namespace {

std::string seconds(Nanoseconds time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

std::string or_nothing(const std::vector<std::string>& list) {
  return list.empty() ? "nothing" : fmt::format("{}", fmt::join(list, ", "));
}

StateLine agent_line(const AgentState& state) {
  std::string health;
  for (const auto& [name, failure] : state.health) {
    health += fmt::format("{}{} {}", health.empty() ? "" : ", ", name,
                          failure.empty() ? "ok" : "failed (" + failure + ")");
  }
  const std::string ready =
      state.waits_for.empty() ? "ready" : "waits for " + or_nothing(state.waits_for);
  return {.message = fmt::format("node {}: {}, up for {}; health: {}", state.node_name, ready,
                                 seconds(state.up), health),
          .fields = {{"PART", "agent"}}};
}

StateLine loop_line(const AgentState& state) {
  return {
      .message =
          fmt::format("loop: at most {} late within the last minute", seconds(state.loop_late)),
      .fields = {
          {"PART", "loop"},
          {"LATE_MS",
           std::to_string(
               std::chrono::duration_cast<std::chrono::milliseconds>(state.loop_late).count())}}};
}

StateLine tasks_line(const AgentState& state) {
  return {.message = "under way: " + or_nothing(state.tasks), .fields = {{"PART", "tasks"}}};
}

StateLine runtime_line(const AgentState& state) {
  const std::string who =
      state.runtime_version.empty() ? "a runtime of unknown version" : state.runtime_version;
  const std::string answers =
      state.runtime_error.empty() ? "answers" : "does not answer: " + state.runtime_error;
  return {.message = fmt::format("runtime {}: {} {}", state.runtime_endpoint, who, answers),
          .fields = {{"PART", "runtime"}}};
}

StateLine stream_line(const AgentState& state) {
  std::string open = state.events_connected ? "open" : "not open";
  if (!state.events_error.empty())
    open += fmt::format(" ({}{})", state.events_connected ? "before: " : "", state.events_error);
  return {
      .message = fmt::format("event stream: {}; listing found {} changes that no event had "
                             "reported",
                             open, state.missed_events),
      .fields = {{"PART", "event-stream"}, {"MISSED_EVENTS", std::to_string(state.missed_events)}}};
}

StateLine store_line(const StoreHealth& store, SteadyTime now) {
  std::string waits = "everything is written";
  if (store.silent_since) {
    waits = fmt::format("nothing has been written for {}", seconds(now - *store.silent_since));
    if (!store.error.empty()) waits += ": " + store.error;
  }
  return {
      .message = fmt::format("store: {}; {} commits in {} transactions, {} events and decisions "
                             "written, {} dropped",
                             waits, store.commits, store.transactions, store.history_written,
                             store.history_dropped),
      .fields = {{"PART", "store"}}};
}

StateLine manifests_line(const AgentState& state) {
  const ManifestReport& report = state.manifests;
  std::string what = report.exists
                         ? fmt::format("{} files, {} problems, {} ignored", report.files,
                                       report.problems.size(), report.ignored_files.size())
                         : "does not exist";
  if (!report.unreadable.empty()) what = "cannot be read: " + report.unreadable;
  return {.message = fmt::format("manifest folder {}: {}", report.path, what),
          .fields = {{"PART", "manifests"}}};
}

StateLine probes_line(const AgentState& state) {
  return {.message = fmt::format("probes: {}, of them {} under way and {} execs waiting for their "
                                 "turn; {} runs",
                                 state.probes.probes, state.probes.under_way,
                                 state.probes.exec_waiting, state.probes.runs),
          .fields = {{"PART", "probes"}}};
}

std::string word_of(const api::ContainerState& state) {
  if (state.running) return "running";
  if (state.terminated) return "terminated:" + std::to_string(state.terminated->exitCode);
  if (state.waiting && !state.waiting->reason.empty()) return "waiting:" + state.waiting->reason;
  return "waiting";
}

std::string containers_of(const api::PodStatus& status) {
  std::string text;
  for (const auto* list : {&status.initContainerStatuses, &status.containerStatuses,
                           &status.ephemeralContainerStatuses}) {
    for (const auto& container : *list) {
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : " ", container.name, word_of(container.state));
    }
  }
  return text;
}

StateLine pod_line(const lifecycle::PodActivity& activity, SteadyTime now) {
  const api::ObjectMeta& meta = activity.pod->metadata;
  const std::string& phase = activity.pod->status.phase;
  std::string text = fmt::format("pod {}/{}: {}, {}", meta.namespace_, meta.name,
                                 phase.empty() ? "new" : phase, activity.state);
  if (!activity.shown) text += ", not published";
  const std::string containers = containers_of(activity.pod->status);
  if (!containers.empty()) text += "; " + containers;
  text += "; under way: " + or_nothing(activity.under_way);
  if (!activity.stopping.empty()) text += "; being stopped: " + or_nothing(activity.stopping);
  if (activity.wakes_at) text += "; next turn in " + seconds(*activity.wakes_at - now);
  if (activity.last) {
    const auto& [subject, rule, why] = activity.last->reason;
    const std::string container = subject == "pod" ? "" : " " + subject;
    text += fmt::format("; last: {} {}{}: {}", api::Time{activity.last->at}.to_string(), rule,
                        container, why);
  }
  return {.message = std::move(text),
          .fields = {{"PART", "pod"},
                     {"NAMESPACE", meta.namespace_},
                     {"POD", meta.name},
                     {"POD_UID", meta.uid},
                     {"PHASE", phase},
                     {"WORKER", activity.state}}};
}

}  // namespace

HealthInput health_input(const ControlSources& sources, const LoopBeat& loop) {
  HealthInput input{.now = sources.clock.steady_now(),
                    .runtime_endpoint = sources.settings.runtime.endpoint,
                    .runtime_silent_since = sources.node.silent_since(),
                    .runtime_error = sources.node.runtime_error()};
  if (sources.store != nullptr) {
    StoreHealth store = sources.store->health();
    input.store_silent_since = store.silent_since;
    input.store_error = std::move(store.error);
  }
  input.loop_late = loop.late(input.now);
  return input;
}

AgentState agent_state(const ControlSources& sources, const LoopBeat& loop,
                       std::vector<std::string> tasks) {
  const HealthInput health = health_input(sources, loop);
  const cri::ConnectionState& stream = sources.stream.state();
  AgentState state{.now = health.now,
                   .up = sources.clock.wall_now() - sources.started_at,
                   .node_name = sources.settings.node_name,
                   .waits_for = waiting_for(sources),
                   .health = health_checks(health),
                   .loop_late = health.loop_late,
                   .runtime_endpoint = health.runtime_endpoint,
                   .runtime_error = health.runtime_error,
                   .events_connected = stream.connected,
                   .missed_events = sources.pods.missed_events(),
                   .manifests = sources.manifests.report(),
                   .probes = sources.pods.prober().counts(),
                   .events_kept = sources.events.store().list().size(),
                   .tasks = std::move(tasks),
                   .pods = sources.pods.activities()};
  if (const auto& version = sources.node.version())
    state.runtime_version = version->runtime_name + " " + version->runtime_version;
  if (stream.last_error) state.events_error = stream.last_error->message;
  if (sources.store != nullptr) state.store = sources.store->health();
  for (std::string& name : sources.pods.tasks()) state.tasks.push_back(std::move(name));
  return state;
}

std::vector<StateLine> state_lines(const AgentState& state) {
  std::vector<StateLine> lines = {agent_line(state), loop_line(state), tasks_line(state),
                                  runtime_line(state), stream_line(state)};
  if (state.store) lines.push_back(store_line(*state.store, state.now));
  lines.push_back(manifests_line(state));
  lines.push_back(probes_line(state));
  for (const auto& activity : state.pods) lines.push_back(pod_line(activity, state.now));
  lines.push_back({.message = fmt::format("that is all: {} pods, {} events kept", state.pods.size(),
                                          state.events_kept),
                   .fields = {{"PART", "end"}}});
  return lines;
}

}  // namespace berth::agent
