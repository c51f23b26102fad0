// SPDX-License-Identifier: Apache-2.0

// Pods as a kubelet showed them on /pods, compared with ours field by field: the recorded
// manifests, run through the decisions with what the recorded runtime did and when.
//
// Excluded is what only a node without a control plane shows: the addresses of the host, the pod
// address of a pod in the host's network, and the uid, which is a kubelet's own.
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "api/codec.hpp"
#include "api/lists.hpp"
#include "api/manifest/static_pod.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "node/qos.hpp"
#include "tests/test_paths.hpp"

namespace berth::lifecycle {
namespace {

namespace json = boost::json;

constexpr const char* kHostIp = "192.168.7.1";

std::string contents(const std::string& file) {
  std::ifstream in(test_data() / "cri-recordings" / file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

api::Pod recorded_pod(const std::string& file, const std::string& name) {
  const auto tree = api::parse_first_document(contents(file));
  const auto list = api::decode<api::PodList>(*tree, api::FieldValidation::kStrict);
  for (const api::Pod& pod : list->object.items)
    if (pod.metadata.name == name + "-node1") return pod;
  ADD_FAILURE() << name << " is not in " << file;
  return {};
}

// The pod as berthd makes it from the manifest, under the kubelet's rules.
api::Pod our_pod(const std::string& name, const api::Pod& recorded) {
  const auto tree = api::parse_first_document(contents("manifests/" + name + ".yaml"));
  auto stated = api::decode<api::Pod>(*tree, api::FieldValidation::kStrict);
  EXPECT_TRUE(stated);
  api::Pod pod = api::make_static_pod(
      stated->object,
      {.node_name = "node1", .file_name = name + ".yaml", .uid = recorded.metadata.uid},
      api::ManifestRules::kKubelet);
  pod.metadata.annotations["kubernetes.io/config.source"] = "file";
  pod.metadata.annotations["kubernetes.io/config.seen"] =
      recorded.metadata.annotations.at("kubernetes.io/config.seen");
  return pod;
}

// 2026-11-21T03:MM:SSZ.
WallTime at(int minute, int second) {
  constexpr std::chrono::seconds kThree{1'795'230'000};
  return WallTime{kThree + std::chrono::minutes(minute) + std::chrono::seconds(second)};
}

// The input from which a status was computed.
struct Look {
  WallTime when{};
  RuntimePod runtime{};
  StartErrors errors{};
  ProbeResults probes{};
};

RuntimeSandbox sandbox(const api::Pod& pod, bool ready = true) {
  const bool host = pod.spec.hostNetwork;
  return {.id = cri::SandboxId("box"),
          .state = ready ? cri::SandboxState::kReady : cri::SandboxState::kNotReady,
          .network = host ? cri::NamespaceMode::kNode : cri::NamespaceMode::kPod,
          .has_network = !host,
          .ip = host ? "" : "10.88.0.9"};
}

RuntimePod only_sandbox(const api::Pod& pod, const std::string& ip) {
  RuntimePod out{.sandboxes = {sandbox(pod)}};
  if (!ip.empty()) out.ips = {ip};
  return out;
}

RuntimeContainer instance(const api::ContainerStatus& shown) {
  return {.id = bare_container_id(shown.containerID),
          .name = shown.name,
          .sandbox = cri::SandboxId("box"),
          .state = cri::ContainerState::kRunning,
          .restart_count = shown.restartCount,
          .image = shown.image,
          .image_ref = shown.imageID};
}

// The runtime's record of a container, derived from its shown status.
RuntimeContainer running_record(const api::ContainerStatus& shown) {
  RuntimeContainer out = instance(shown);
  out.started_at = shown.state.running->startedAt->at.time_since_epoch().count();
  return out;
}

RuntimeContainer record(const api::ContainerStatus& shown, const api::ContainerState& end) {
  RuntimeContainer out = instance(shown);
  out.state = cri::ContainerState::kExited;
  const api::ContainerStateTerminated& ended = *end.terminated;
  out.exit_code = ended.exitCode;
  out.reason = ended.reason;
  out.message = ended.message;
  out.started_at = ended.startedAt->at.time_since_epoch().count();
  out.finished_at = ended.finishedAt->at.time_since_epoch().count();
  return out;
}

RuntimeContainer as_running(RuntimeContainer record) {
  record.start_again = StartAgain::kByPolicy;
  record.state = cri::ContainerState::kRunning;
  record.exit_code = 0;
  record.reason = record.message = "";
  record.finished_at = 0;
  return record;
}

api::PodStatus status_after(const api::Pod& pod, const std::vector<Look>& looks) {
  api::PodStatus status;
  for (const Look& look : looks) {
    const ActuatedResources actuated = actuated_as_specified(pod);
    status = stamp_status(
        pod, status,
        compute_pod_status({.pod = pod,
                            .previous = &status,
                            .runtime = look.runtime,
                            .actuated = actuated,
                            .start_errors = look.errors,
                            .probes = look.probes,
                            .addresses = {.host_ips = {kHostIp}},
                            .qos_class = std::string(node::to_string(node::qos_class(pod))),
                            .options = {.static_pod_rules = true}}),
        look.when);
  }
  return status;
}

// Removes exactly the fields that only berth sets; they must be present.
void take_out_our_own(api::Pod& pod) {
  EXPECT_EQ(std::exchange(pod.status.hostIP, ""), kHostIp);
  EXPECT_EQ(std::exchange(pod.status.hostIPs, {}).size(), 1U);
  if (!pod.spec.hostNetwork) return;
  EXPECT_EQ(std::exchange(pod.status.podIP, ""), kHostIp);
  EXPECT_EQ(std::exchange(pod.status.podIPs, {}).size(), 1U);
}

// The message for the window of the fourth start, from the starts and exits before it.
std::string crash_loop_message(const api::Pod& pod) {
  const RestartIdentity identity = restart_identity(pod, pod.spec.containers[0]);
  const RestartBackoffPolicy policy;
  RestartBackoff history;
  history = record_start(history, policy, identity, at(32, 40), at(32, 41));
  history = record_start(history, policy, identity, at(32, 42), at(32, 55));
  history = record_start(history, policy, identity, at(32, 56), at(33, 22));
  return check_restart(history, policy, identity, at(33, 23), at(33, 24)).message;
}

// Init containers and a sidecar in turn, then the main container: startup, then readiness passes.
std::vector<Look> lifecycle_looks(const api::Pod& recorded, const RuntimePod& ready) {
  const auto& inits = recorded.status.initContainerStatuses;
  const RuntimeContainer first = record(inits[0], inits[0].state);
  const RuntimeContainer sidecar = running_record(inits[1]);
  const RuntimeContainer second = record(inits[2], inits[2].state);
  const RuntimeContainer main = running_record(recorded.status.containerStatuses[0]);
  std::vector<Look> looks;
  const auto look = [&](WallTime when, std::vector<RuntimeContainer> newest_first,
                        ProbeResults probes) {
    RuntimePod runtime = ready;
    runtime.containers = std::move(newest_first);
    looks.push_back({.when = when, .runtime = std::move(runtime), .probes = std::move(probes)});
  };
  look(at(32, 40), {as_running(first)}, {});
  look(at(32, 41), {sidecar, first}, {.startup = {{sidecar.id, ProbeResult::kUnknown}}});
  ProbeResults probes{.startup = {{sidecar.id, ProbeResult::kSuccess}}};
  look(at(32, 43), {as_running(second), sidecar, first}, probes);
  look(at(32, 44), {second, sidecar, first}, probes);
  probes.startup[main.id] = ProbeResult::kUnknown;
  probes.readiness[main.id] = ProbeResult::kFailure;
  probes.liveness[main.id] = ProbeResult::kSuccess;
  look(at(32, 45), {main, second, sidecar, first}, probes);
  probes.startup[main.id] = ProbeResult::kSuccess;
  look(at(32, 45), {main, second, sidecar, first}, probes);
  probes.readiness[main.id] = ProbeResult::kSuccess;
  look(at(32, 46), {main, second, sidecar, first}, probes);
  return looks;
}

// The fourth instance fails its liveness probe and is killed; the fifth starts after its backoff.
std::vector<Look> liveness_looks(const api::ContainerStatus& shown, const RuntimePod& ready) {
  RuntimeContainer fourth = record(shown, shown.lastState);
  fourth.id = bare_container_id(shown.lastState.terminated->containerID);
  fourth.restart_count = shown.restartCount - 1;
  fourth.start_again = StartAgain::kStopped;
  const RuntimeContainer fifth = running_record(shown);
  const auto with = [&](std::vector<RuntimeContainer> newest_first) {
    RuntimePod runtime = ready;
    runtime.containers = std::move(newest_first);
    return runtime;
  };
  const auto liveness = [](const RuntimeContainer& container, ProbeResult result) {
    return ProbeResults{.liveness = {{container.id, result}}};
  };
  const StartErrors waits = {{shown.name, {.reason = std::string(kCrashLoopBackOff)}}};
  return {{.when = at(32, 40), .runtime = ready},
          {.when = at(33, 9),
           .runtime = with({as_running(fourth)}),
           .probes = liveness(fourth, ProbeResult::kSuccess)},
          {.when = at(33, 15),
           .runtime = with({as_running(fourth)}),
           .probes = liveness(fourth, ProbeResult::kFailure)},
          {.when = at(33, 18),
           .runtime = with({fourth}),
           .errors = waits,
           .probes = liveness(fourth, ProbeResult::kFailure)},
          {.when = at(33, 47),
           .runtime = with({fifth, fourth}),
           .probes = liveness(fifth, ProbeResult::kSuccess)}};
}

void append(std::vector<Look>& looks, std::vector<Look> more) {
  looks.insert(looks.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

std::vector<Look> looks_at(const std::string& name, const api::Pod& pod, const api::Pod& recorded) {
  const api::ContainerStatus& shown = recorded.status.containerStatuses[0];
  std::vector<Look> looks = {{.when = at(32, 38)}};
  const RuntimePod ready = only_sandbox(pod, recorded.status.podIP);
  if (name == "crashloop") {
    const RuntimeContainer ended = record(shown, shown.lastState);
    RuntimePod runs = ready;
    runs.containers = {as_running(ended)};
    RuntimePod over = ready;
    over.containers = {ended};
    looks.push_back({.when = at(32, 40), .runtime = ready});
    looks.push_back({.when = at(33, 22), .runtime = runs});
    looks.push_back({.when = at(33, 23), .runtime = over});
    looks.push_back({.when = at(33, 24),
                     .runtime = over,
                     .errors = {{shown.name,
                                 {.reason = std::string(kCrashLoopBackOff),
                                  .message = crash_loop_message(pod)}}}});
  } else if (name == "job") {
    const RuntimeContainer ended = record(shown, shown.state);
    RuntimePod runs = ready;
    runs.containers = {as_running(ended)};
    RuntimePod over = ready;
    over.containers = {ended};
    looks.push_back({.when = at(32, 40), .runtime = runs});
    looks.push_back({.when = at(32, 42), .runtime = over});
    over.sandboxes = {sandbox(pod, false)};
    looks.push_back({.when = at(32, 43), .runtime = over});
  } else if (name == "lifecycle") {
    append(looks, lifecycle_looks(recorded, ready));
  } else if (name == "liveness") {
    append(looks, liveness_looks(shown, ready));
  } else {
    // Nothing was created: there is only the failure.
    const auto& waiting = *shown.state.waiting;
    looks.push_back(
        {.when = at(32, 40),
         .runtime = ready,
         .errors = {{shown.name, {.reason = waiting.reason, .message = waiting.message}}}});
  }
  return looks;
}

class RecordedPod : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(RecordedPod, is_shown_as_the_kubelet_showed_it) {
  const auto& [file, name] = GetParam();
  const api::Pod recorded = recorded_pod(file, name);
  api::Pod pod = our_pod(name, recorded);
  pod.status = status_after(pod, looks_at(name, pod, recorded));
  take_out_our_own(pod);
  const json::object ours = api::to_json(pod).as_object();
  const json::object theirs = api::to_json(recorded).as_object();
  for (const char* part : {"metadata", "spec", "status"}) {
    const json::object& is = ours.at(part).as_object();
    const json::object& was = theirs.at(part).as_object();
    for (const auto& [field, value] : was) {
      const json::value* found = is.if_contains(field);
      EXPECT_EQ(found == nullptr ? json::value() : *found, value) << part << "." << field;
    }
    for (const auto& [field, value] : is)
      EXPECT_TRUE(was.contains(field)) << part << "." << field << " is " << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, RecordedPod,
                         testing::Values(std::pair("pods-running.json", "badimage"),
                                         std::pair("pods-running.json", "crashloop"),
                                         std::pair("pods-running.json", "job"),
                                         std::pair("pods-running.json", "lifecycle"),
                                         std::pair("pods-running.json", "liveness"),
                                         std::pair("pods-running.json", "mounterror"),
                                         std::pair("pods-terminating.json", "badimage"),
                                         std::pair("pods-terminating.json", "crashloop"),
                                         std::pair("pods-terminating.json", "job"),
                                         std::pair("pods-terminating.json", "mounterror")),
                         [](const auto& test) {
                           const std::string file = test.param.first;
                           return std::string(test.param.second) +
                                  (file == "pods-running.json" ? "_running" : "_terminating");
                         });

}  // namespace
}  // namespace berth::lifecycle
