// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/container_status.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/container_status.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ContainerStateWaiting, (), (reason, message))
BOOST_DESCRIBE_STRUCT(ContainerStateRunning, (), (startedAt))
constexpr auto printed_when_empty(const ContainerStateRunning*) {
  return std::to_array<std::string_view>({"startedAt"});
}
BOOST_DESCRIBE_STRUCT(ContainerStateTerminated, (),
                      (exitCode, signal, reason, message, startedAt, finishedAt, containerID))
constexpr auto printed_when_empty(const ContainerStateTerminated*) {
  return std::to_array<std::string_view>({"exitCode", "startedAt", "finishedAt"});
}
BOOST_DESCRIBE_STRUCT(ContainerState, (), (waiting, running, terminated))
BOOST_DESCRIBE_STRUCT(VolumeMountStatus, (), (name, mountPath, readOnly, recursiveReadOnly))
constexpr auto printed_when_empty(const VolumeMountStatus*) {
  return std::to_array<std::string_view>({"name", "mountPath"});
}
BOOST_DESCRIBE_STRUCT(LinuxContainerUser, (), (uid, gid, supplementalGroups))
constexpr auto printed_when_empty(const LinuxContainerUser*) {
  return std::to_array<std::string_view>({"uid", "gid"});
}
BOOST_DESCRIBE_STRUCT(ContainerUser, (), (linux))
BOOST_DESCRIBE_STRUCT(ResourceHealth, (), (resourceID, health))
constexpr auto printed_when_empty(const ResourceHealth*) {
  return std::to_array<std::string_view>({"resourceID"});
}
BOOST_DESCRIBE_STRUCT(ResourceStatus, (), (name, resources))
constexpr auto printed_when_empty(const ResourceStatus*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(ContainerStatus, (),
                      (name, state, lastState, ready, restartCount, image, imageID, containerID,
                       started, allocatedResources, resources, volumeMounts, user,
                       allocatedResourcesStatus, stopSignal))
constexpr auto printed_when_empty(const ContainerStatus*) {
  return std::to_array<std::string_view>({"name", "ready", "restartCount", "image", "imageID"});
}

}  // namespace berth::api
