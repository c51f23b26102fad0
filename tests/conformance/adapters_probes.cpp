// SPDX-License-Identifier: Apache-2.0

// Probes: probe_worker, probe_pod.
#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lifecycle/status/container_statuses.hpp"
#include "probes/probe_state.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/lifecycle_input.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using namespace lifecycle_input;
using probes::ProbeResult;
using probes::ProbeType;

constexpr auto kTypes = {ProbeType::kStartup, ProbeType::kReadiness, ProbeType::kLiveness};

std::string type_name(ProbeType type) {
  switch (type) {
    case ProbeType::kStartup:
      return "startup";
    case ProbeType::kReadiness:
      return "readiness";
    case ProbeType::kLiveness:
      break;
  }
  return "liveness";
}

template <class Container>
auto& probe_of(Container& container, ProbeType type) {
  if (type == ProbeType::kStartup) return container.startupProbe;
  return type == ProbeType::kReadiness ? container.readinessProbe : container.livenessProbe;
}

// Regular containers, then sidecars.
std::vector<api::Container*> probed_containers(api::Pod& pod) {
  std::vector<api::Container*> out;
  for (auto& container : pod.spec.containers) out.push_back(&container);
  for (auto& container : pod.spec.initContainers) {
    if (container.restartPolicy == "Always") out.push_back(&container);
  }
  return out;
}

// The texts of the recording's handlers.
probes::Attempt attempt(const std::string& word) {
  using probes::Outcome;
  if (word == "success") return {.outcome = Outcome::kSuccess, .output = "ok"};
  if (word == "warning") return {.outcome = Outcome::kWarning, .output = "warned"};
  if (word == "failure") return {.outcome = Outcome::kFailure, .output = "bad"};
  if (word == "unknown") return {.outcome = Outcome::kUnknown, .output = "bad"};
  if (word == "error") return {.outcome = Outcome::kUnknown, .errored = true, .output = "boom"};
  throw std::runtime_error("no such attempt: " + word);
}

std::string bare_id(const std::string& id) {
  const auto scheme = id.find("://");
  return scheme == std::string::npos ? id : id.substr(scheme + 3);
}

const api::ContainerStatus* status_of(const api::PodStatus& status, const std::string& name) {
  for (const auto* list : {&status.containerStatuses, &status.initContainerStatuses}) {
    const auto found = std::find_if(list->begin(), list->end(),
                                    [&](const auto& entry) { return entry.name == name; });
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

probes::Sight sight(const api::PodStatus* status, const std::string& container,
                    std::int64_t running_for_ms) {
  probes::Sight out;
  if (status == nullptr) return out;
  out.pod_known = true;
  out.pod_finished = status->phase == "Failed" || status->phase == "Succeeded";
  const api::ContainerStatus* entry = status_of(*status, container);
  if (entry == nullptr) return out;
  out.container = cri::ContainerId{entry->containerID};
  out.running = entry->state.running.has_value();
  out.terminated = entry->state.terminated.has_value();
  out.started = entry->started.value_or(false);
  out.running_for = std::chrono::milliseconds{running_for_ms};
  return out;
}

// One probe, stepped as in the recording.
struct Worker {
  probes::ProbeRules rules{};
  probes::ProbeState state{};
  bool alive = true;
  int calls = 0;                               // of the last step
  std::vector<probes::ProbeUpdate> updates{};  // of the last step
  std::vector<std::string> events{};           // of the last step
};

void step(Worker& worker, const probes::Sight& seen, const std::vector<std::string>& attempts) {
  worker.calls = 0;
  worker.events.clear();
  auto visit = probes::visit(worker.rules, std::move(worker.state), seen);
  worker.state = std::move(visit.state);
  worker.updates = std::move(visit.updates);
  worker.alive = visit.next != probes::Next::kEnd;
  if (visit.next != probes::Next::kProbe) return;
  probes::Attempt last;
  do {
    const auto index = std::min(static_cast<std::size_t>(worker.calls), attempts.size() - 1);
    last = attempt(attempts.at(index));
    ++worker.calls;
  } while (probes::tries_again(last, worker.calls));
  auto judgement =
      probes::judge(worker.rules, std::move(worker.state), last, probes::Weight::kFull);
  worker.state = std::move(judgement.state);
  if (judgement.update) worker.updates.push_back(*judgement.update);
  if (judgement.notice) {
    worker.events.push_back("Warning " + judgement.notice->reason + " " +
                            judgement.notice->message);
  }
}

json::array updates(const std::vector<probes::ProbeUpdate>& list) {
  json::array out;
  for (const auto& update : list) {
    out.push_back(json::object{{"containerID", update.container.str()},
                               {"result", to_string(update.result)}});
  }
  return out;
}

json::array texts(const std::vector<std::string>& list) {
  json::array out;
  for (const std::string& line : list) out.push_back(json::value(line));
  return out;
}

json::value run_probe_worker(const json::object& input) {
  auto pod = decoded<api::Pod>(input, "pod");
  const std::string name = text(input, "container");
  const std::string type_word = text(input, "probeType");
  Worker worker;
  for (const api::Container* container : probed_containers(pod)) {
    for (const ProbeType type : kTypes) {
      if (container->name != name || type_name(type) != type_word) continue;
      worker.rules = probe_rules(type, probe_of(*container, type).value(), *container, pod);
    }
  }
  json::array steps;
  for (const json::value& item : list(input, "steps")) {
    const json::object& in = item.as_object();
    const auto status = decoded<api::PodStatus>(in, "status");
    step(worker, sight(in.contains("status") ? &status : nullptr, name, number(in, "runningForMs")),
         strings(in, "attempts"));
    steps.push_back(
        json::object{{"keepGoing", worker.alive},
                     {"probeCalls", worker.calls},
                     {"containerID", worker.state.container.str()},
                     {"result", worker.state.held ? to_string(*worker.state.held) : "none"},
                     {"updates", updates(worker.updates)},
                     {"onHold", worker.state.on_hold},
                     {"resultRun", worker.state.run},
                     {"events", texts(worker.events)}});
    if (!worker.alive) break;
  }
  return json::object{{"steps", std::move(steps)}};
}

// --- probe_pod -----------------------------------------------------------------------------------

struct PodRun {
  api::Pod pod{};
  std::map<std::string, Worker> workers{};  // "container/type"
};

PodRun begin(const json::object& input) {
  PodRun run{.pod = decoded<api::Pod>(input, "pod")};
  for (const api::Container* container : probed_containers(run.pod)) {
    for (const ProbeType type : kTypes) {
      const auto& probe = probe_of(*container, type);
      if (!probe) continue;
      run.workers[container->name + "/" + type_name(type)].rules =
          probe_rules(type, *probe, *container, run.pod);
    }
  }
  return run;
}

lifecycle::ProbeResult as_lifecycle(ProbeResult result) {
  if (result == ProbeResult::kSuccess) return lifecycle::ProbeResult::kSuccess;
  return result == ProbeResult::kFailure ? lifecycle::ProbeResult::kFailure
                                         : lifecycle::ProbeResult::kUnknown;
}

// Held results enter the status as in the agent; a probe that has ended counts as none.
void merge_results(const PodRun& run, api::PodStatus& status) {
  api::Pod pod = run.pod;
  lifecycle::ProbeResults results;
  for (api::Container* container : probed_containers(pod)) {
    for (const ProbeType type : kTypes) {
      const auto worker = run.workers.find(container->name + "/" + type_name(type));
      if (worker == run.workers.end()) {
        probe_of(*container, type).reset();
        continue;
      }
      if (!worker->second.state.held) continue;
      auto& by_id = type == ProbeType::kStartup     ? results.startup
                    : type == ProbeType::kReadiness ? results.readiness
                                                    : results.liveness;
      by_id[cri::ContainerId{bare_id(worker->second.state.container.str())}] =
          as_lifecycle(*worker->second.state.held);
    }
  }
  lifecycle::ContainerStatusLists lists{.containers = std::move(status.containerStatuses),
                                        .init_containers = std::move(status.initContainerStatuses)};
  lifecycle::merge_probe_results(pod, results, lists);
  status.containerStatuses = std::move(lists.containers);
  status.initContainerStatuses = std::move(lists.init_containers);
}

json::array shown(const std::vector<api::ContainerStatus>& statuses) {
  json::array out;
  for (const auto& status : statuses) {
    out.push_back(json::object{{"name", status.name},
                               {"started", status.started.value_or(false)},
                               {"ready", status.ready}});
  }
  return out;
}

json::array triggered(const PodRun& run, const api::PodStatus& status) {
  json::array out;
  for (const auto* list : {&status.containerStatuses, &status.initContainerStatuses}) {
    for (const auto& entry : *list) {
      const auto worker = run.workers.find(entry.name + "/readiness");
      if (worker == run.workers.end()) continue;
      const auto& state = worker->second.state;
      const bool about_it = state.container.str() == entry.containerID;
      if (probes::wants_readiness_now(entry.started.value_or(false),
                                      entry.state.running.has_value(),
                                      about_it ? state.held : std::nullopt)) {
        out.push_back(json::value(worker->first));
      }
    }
  }
  return out;
}

// Part (3) of a step: the due probes.
json::object run_due(PodRun& run, const json::object& in, const api::PodStatus& status) {
  json::object going, calls,
      changes{
          {"startup", json::array()}, {"readiness", json::array()}, {"liveness", json::array()}};
  for (const std::string& key : strings(in, "due")) {
    const auto worker = run.workers.find(key);
    if (worker == run.workers.end()) continue;
    const auto slash = key.find('/');
    step(worker->second, sight(&status, key.substr(0, slash), number(in, "runningForMs")),
         strings(object(in, "attempts"), key.c_str()));
    going[key] = worker->second.alive;
    calls[key] = worker->second.calls;
    auto& list = changes[key.substr(slash + 1)].as_array();
    for (auto& update : updates(worker->second.updates)) list.push_back(std::move(update));
    if (!worker->second.alive) run.workers.erase(worker);
  }
  return {{"keepGoing", std::move(going)},
          {"probeCalls", std::move(calls)},
          {"updates", std::move(changes)}};
}

json::value run_probe_pod(const json::object& input) {
  PodRun run = begin(input);
  json::array steps;
  for (const json::value& item : list(input, "steps")) {
    const json::object& in = item.as_object();
    auto status = decoded<api::PodStatus>(in, "status");
    merge_results(run, status);
    json::array asked = triggered(run, status);
    json::object out = run_due(run, in, status);
    json::object results;
    for (const auto& [key, worker] : run.workers) {
      if (worker.state.held) results[key] = to_string(*worker.state.held);
    }
    out["containers"] = shown(status.containerStatuses);
    out["initContainers"] = shown(status.initContainerStatuses);
    out["triggered"] = std::move(asked);
    out["results"] = std::move(results);
    steps.push_back(std::move(out));
  }
  return json::object{{"steps", std::move(steps)}};
}

}  // namespace

std::vector<Kind> probes_kinds() {
  return {{"probe_worker", run_probe_worker}, {"probe_pod", run_probe_pod}};
}

}  // namespace berth::conformance
