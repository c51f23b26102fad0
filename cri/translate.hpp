// SPDX-License-Identifier: Apache-2.0

// Converts between CRI's messages and our plain structs: decides nothing, and loses nothing that we
// use.
//
// Private to the client: only this folder's sources include `.pb.h`. A value that we do not know (a
// new enum value) is converted to one that nobody acts on: a state kUnknown, a sandbox kNotReady.
#pragma once

#include <optional>

#include "cri/cri.pb.h"
#include "cri/runtime_setup.hpp"
#include "cri/types.hpp"

namespace berth::cri {

namespace pb = runtime::v1;

// Messages that we send to the runtime.
[[nodiscard]] pb::NamespaceOption to_message(const NamespaceOptions& options);
[[nodiscard]] pb::SecurityProfile to_message(const SecurityProfile& profile);
[[nodiscard]] pb::SELinuxOption to_message(const SelinuxOption& option);
[[nodiscard]] pb::LinuxContainerResources to_message(const LinuxContainerResources& resources);
[[nodiscard]] pb::ImageSpec to_message(const ImageSpec& image);
[[nodiscard]] pb::PodSandboxConfig to_message(const PodSandboxConfig& config);
[[nodiscard]] pb::ContainerConfig to_message(const ContainerConfig& config);
[[nodiscard]] pb::AuthConfig to_message(const AuthConfig& auth);
[[nodiscard]] pb::PodSandboxFilter to_message(const SandboxFilter& filter);
[[nodiscard]] pb::ContainerFilter to_message(const ContainerFilter& filter);

// Messages that the runtime sends.
[[nodiscard]] Version from_message(const pb::VersionResponse& message);
[[nodiscard]] RuntimeStatus from_message(const pb::StatusResponse& message);
// Read from a verbose status; empty if not reported.
[[nodiscard]] std::string sandbox_image(const pb::StatusResponse& message);
// Read from a verbose status, which does not contain the version.
[[nodiscard]] RuntimeSetup setup_from(const pb::StatusResponse& message);
[[nodiscard]] PodSandbox from_message(const pb::PodSandbox& message);
[[nodiscard]] PodSandboxStatus from_message(const pb::PodSandboxStatus& message);
[[nodiscard]] Container from_message(const pb::Container& message);
[[nodiscard]] ContainerStatus from_message(const pb::ContainerStatus& message);
[[nodiscard]] LinuxContainerResources from_message(const pb::LinuxContainerResources& message);
[[nodiscard]] ImageSpec from_message(const pb::ImageSpec& message);
[[nodiscard]] Image from_message(const pb::Image& message);
[[nodiscard]] std::optional<std::string> cgroup_driver(const pb::RuntimeConfigResponse& message);

}  // namespace berth::cri
