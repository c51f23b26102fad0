// SPDX-License-Identifier: Apache-2.0

// The runtime's configuration of a pod's sandbox: what the kubelet sends, field by field, plus
// berth's own annotations.
//
// Pure. Fails with kInvalid if the pod's hostname cannot be formed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Set if the pod's uid does not follow from its manifest, because the manifest states a uid or a
// kubelet assigned it: the uid that the pod would have had, which identifies the manifest's text.
inline constexpr const char* kAnnotationManifest = "berth.dev/manifest-hash";
// The incarnation number of the pod, from 1. Every sandbox of ours carries it.
inline constexpr const char* kAnnotationIncarnation = "berth.dev/incarnation";
// Set on a pod that a kubelet created and assigned its uid to.
inline constexpr const char* kAnnotationAdopted = "berth.dev/adopted";

struct SandboxRequest {
  std::uint32_t attempt = 0;
  std::uint64_t incarnation = 1;
  // The host's resolver configuration. Unset: as berthd found it at its start, which is enough
  // where the sandbox exists, as its runtime keeps the resolver configuration that it was created
  // with.
  std::optional<cri::DnsConfig> host_dns{};
};

[[nodiscard]] Result<cri::PodSandboxConfig> sandbox_config(const NodeView& node,
                                                           const api::Pod& pod,
                                                           const SandboxRequest& request);

// Ports of regular containers. On the host's network the runtime maps nothing, but it receives them
// all the same: admission plugins and tools read them there.
[[nodiscard]] std::vector<cri::PortMapping> port_mappings(const api::Pod& pod);

}  // namespace berth::node
