// SPDX-License-Identifier: Apache-2.0

// The status of one container: states, restarts, identity (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.hpp"
#include "api/resources.hpp"
#include "api/time.hpp"

namespace berth::api {

struct ContainerStateWaiting {
  std::string reason{};
  std::string message{};

  bool operator==(const ContainerStateWaiting&) const = default;
};

struct ContainerStateRunning {
  std::optional<Time> startedAt{};

  bool operator==(const ContainerStateRunning&) const = default;
};

struct ContainerStateTerminated {
  std::int32_t exitCode = 0;
  std::int32_t signal = 0;
  std::string reason{};
  std::string message{};
  std::optional<Time> startedAt{};
  std::optional<Time> finishedAt{};
  std::string containerID{};

  bool operator==(const ContainerStateTerminated&) const = default;
};

struct ContainerState {
  std::optional<ContainerStateWaiting> waiting{};
  std::optional<ContainerStateRunning> running{};
  std::optional<ContainerStateTerminated> terminated{};

  bool operator==(const ContainerState&) const = default;
};

struct VolumeMountStatus {
  std::string name{};
  std::string mountPath{};
  bool readOnly = false;
  std::optional<std::string> recursiveReadOnly{};

  bool operator==(const VolumeMountStatus&) const = default;
};

struct LinuxContainerUser {
  std::int64_t uid = 0;
  std::int64_t gid = 0;
  std::vector<std::int64_t> supplementalGroups{};

  bool operator==(const LinuxContainerUser&) const = default;
};

struct ContainerUser {
  std::optional<LinuxContainerUser> linux{};

  bool operator==(const ContainerUser&) const = default;
};

struct ResourceHealth {
  std::string resourceID{};
  std::string health{};

  bool operator==(const ResourceHealth&) const = default;
};

struct ResourceStatus {
  std::string name{};
  std::vector<ResourceHealth> resources{};

  bool operator==(const ResourceStatus&) const = default;
};

struct ContainerStatus {
  std::string name{};
  ContainerState state{};
  ContainerState lastState{};
  bool ready = false;
  std::int32_t restartCount = 0;
  std::string image{};
  std::string imageID{};
  std::string containerID{};
  std::optional<bool> started{};
  ResourceList allocatedResources{};
  std::optional<ResourceRequirements> resources{};
  std::vector<VolumeMountStatus> volumeMounts{};
  std::optional<ContainerUser> user{};
  std::vector<ResourceStatus> allocatedResourcesStatus{};
  std::optional<std::string> stopSignal{};

  bool operator==(const ContainerStatus&) const = default;
};

}  // namespace berth::api
