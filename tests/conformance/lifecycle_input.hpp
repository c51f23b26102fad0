// SPDX-License-Identifier: Apache-2.0

// The input of lifecycle cases: the runtime block, probe results and what else several kinds share.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "lifecycle/pod_actions.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "tests/conformance/case_input.hpp"

namespace berth::conformance::lifecycle_input {

namespace json = boost::json;

using case_input::decoded;
using case_input::decoded_list;
using case_input::flag;
using case_input::list;
using case_input::maybe_number;
using case_input::number;
using case_input::object;
using case_input::strings;
using case_input::text;

inline lifecycle::RuntimeSandbox sandbox(const json::object& in) {
  return lifecycle::RuntimeSandbox{
      .id = cri::SandboxId{text(in, "id")},
      .attempt = static_cast<std::uint32_t>(number(in, "attempt")),
      .state =
          text(in, "state") == "ready" ? cri::SandboxState::kReady : cri::SandboxState::kNotReady,
      .network =
          text(in, "network") == "node" ? cri::NamespaceMode::kNode : cri::NamespaceMode::kPod,
      .has_network = in.contains("ip"),
      .ip = text(in, "ip")};
}

inline std::vector<lifecycle::RuntimeSandbox> sandboxes(const json::object& in) {
  std::vector<lifecycle::RuntimeSandbox> out;
  for (const json::value& item : list(in, "sandboxes")) out.push_back(sandbox(item.as_object()));
  return out;
}

inline cri::ContainerState container_state(const std::string& name) {
  if (name == "created") return cri::ContainerState::kCreated;
  if (name == "running") return cri::ContainerState::kRunning;
  return name == "exited" ? cri::ContainerState::kExited : cri::ContainerState::kUnknown;
}

inline std::optional<api::Quantity> quantity(const json::object& in, const char* key) {
  if (!in.contains(key)) return std::nullopt;
  auto parsed = api::Quantity::parse(text(in, key));
  if (!parsed) throw std::runtime_error(parsed.error().message);
  return *parsed;
}

inline std::optional<lifecycle::RuntimeResources> runtime_resources(const json::object& in) {
  if (!in.contains("runtimeResources")) return std::nullopt;
  const json::object& resources = object(in, "runtimeResources");
  return lifecycle::RuntimeResources{.cpu_request = quantity(resources, "cpuRequest"),
                                     .cpu_limit = quantity(resources, "cpuLimit"),
                                     .memory_request = quantity(resources, "memoryRequest"),
                                     .memory_limit = quantity(resources, "memoryLimit")};
}

inline std::optional<cri::LinuxUser> user(const json::object& in) {
  if (!in.contains("user")) return std::nullopt;
  const json::object& of = object(in, "user");
  cri::LinuxUser out{.uid = number(of, "uid"), .gid = number(of, "gid")};
  for (const json::value& group : list(of, "groups")) {
    out.supplemental_groups.push_back(group.to_number<std::int64_t>());
  }
  return out;
}

inline lifecycle::RuntimeContainer container(const json::object& in) {
  return lifecycle::RuntimeContainer{
      .id = cri::ContainerId{text(in, "id")},
      .name = text(in, "name"),
      .sandbox = cri::SandboxId{text(in, "sandbox")},
      .state = container_state(text(in, "state")),
      .exit_code = static_cast<std::int32_t>(number(in, "exitCode")),
      .reason = text(in, "reason"),
      .message = text(in, "message"),
      .restart_count = static_cast<std::int32_t>(number(in, "restartCount")),
      .created_at = number(in, "createdAt"),
      .started_at = number(in, "startedAt"),
      .finished_at = number(in, "finishedAt"),
      .image = text(in, "image"),
      .image_ref = text(in, "imageRef"),
      .spec_changed = flag(in, "specChanged"),
      .resources = runtime_resources(in),
      .user = user(in)};
}

inline lifecycle::RuntimePod runtime(const json::object& input) {
  const json::object& in = object(input, "runtime");
  lifecycle::RuntimePod out{.sandboxes = sandboxes(in), .ips = strings(in, "ips")};
  for (const json::value& item : list(in, "containers")) {
    out.containers.push_back(container(item.as_object()));
  }
  return out;
}

inline lifecycle::ResultsById probe_results(const json::object& probes, const char* kind) {
  lifecycle::ResultsById out;
  for (const auto& [id, result] : object(probes, kind)) {
    const std::string word(result.as_string());
    out[cri::ContainerId{std::string(id)}] = word == "success"   ? lifecycle::ProbeResult::kSuccess
                                             : word == "failure" ? lifecycle::ProbeResult::kFailure
                                                                 : lifecycle::ProbeResult::kUnknown;
  }
  return out;
}

inline lifecycle::ProbeResults probe_results(const json::object& input) {
  const json::object& probes = object(input, "probes");
  return lifecycle::ProbeResults{.liveness = probe_results(probes, "liveness"),
                                 .readiness = probe_results(probes, "readiness"),
                                 .startup = probe_results(probes, "startup")};
}

inline lifecycle::ActuatedResources actuated(const json::object& input) {
  lifecycle::ActuatedResources out;
  for (const auto& [name, resources] : object(input, "actuated")) {
    out[std::string(name)] = decoded<api::ResourceRequirements>(resources);
  }
  return out;
}

inline lifecycle::StartErrors start_errors(const json::object& input) {
  lifecycle::StartErrors out;
  for (const auto& [name, error] : object(input, "startErrors")) {
    out[std::string(name)] = lifecycle::StartError{.reason = text(error.as_object(), "reason"),
                                                   .message = text(error.as_object(), "message")};
  }
  return out;
}

inline lifecycle::KillReason kill_reason(const std::string& word) {
  using lifecycle::KillReason;
  for (const KillReason reason : {KillReason::kUnknown, KillReason::kStartupProbe,
                                  KillReason::kLivenessProbe, KillReason::kFailedPostStartHook}) {
    if (to_string(reason) == word) return reason;
  }
  return KillReason::kNone;
}

}  // namespace berth::conformance::lifecycle_input
