// SPDX-License-Identifier: Apache-2.0

// Small pods and runtime records for tables of decisions: a healthy base, to which each test adds
// its differences.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle::test {

inline constexpr std::chrono::seconds kEpoch{1'700'000'000};

// The instant some seconds into the test.
inline WallTime at(double seconds) {
  return WallTime{std::chrono::duration_cast<Nanoseconds>(kEpoch) +
                  std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds))};
}

inline api::Container container(std::string name) {
  api::Container out;
  out.image = name + ":1";
  out.name = std::move(name);
  out.imagePullPolicy = "IfNotPresent";
  return out;
}

inline api::Container sidecar(std::string name) {
  api::Container out = container(std::move(name));
  out.restartPolicy = "Always";
  return out;
}

inline api::Pod pod(std::vector<api::Container> containers, std::string restart_policy = "Always") {
  api::Pod out;
  out.metadata.name = "web";
  out.metadata.namespace_ = "default";
  out.metadata.uid = "uid-1";
  out.spec.containers = std::move(containers);
  out.spec.restartPolicy = std::move(restart_policy);
  out.spec.terminationGracePeriodSeconds = 30;
  return out;
}

inline RuntimeSandbox ready_sandbox(std::string id = "box", std::uint32_t attempt = 0) {
  return RuntimeSandbox{.id = cri::SandboxId{std::move(id)},
                        .attempt = attempt,
                        .state = cri::SandboxState::kReady,
                        .has_network = true,
                        .ip = "10.0.0.7"};
}

inline RuntimeContainer record(std::string name, cri::ContainerState state, std::string id = "") {
  if (id.empty()) id = name + "-id";
  return RuntimeContainer{.id = cri::ContainerId{std::move(id)},
                          .name = std::move(name),
                          .sandbox = cri::SandboxId{"box"},
                          .state = state};
}

inline RuntimeContainer running(std::string name) {
  return record(std::move(name), cri::ContainerState::kRunning);
}

inline RuntimeContainer exited(std::string name, std::int32_t code, WallTime when = at(0)) {
  RuntimeContainer out = record(std::move(name), cri::ContainerState::kExited);
  out.exit_code = code;
  out.reason = code == 0 ? "Completed" : "Error";
  out.finished_at = when.time_since_epoch().count();
  return out;
}

inline RuntimePod runtime(std::vector<RuntimeContainer> containers) {
  return RuntimePod{
      .sandboxes = {ready_sandbox()}, .containers = std::move(containers), .ips = {"10.0.0.7"}};
}

}  // namespace berth::lifecycle::test
