// SPDX-License-Identifier: Apache-2.0

// Whether a pod needs a new sandbox. Shared by the pass's decision and by the condition
// PodReadyToStartContainers, which is True if it does not. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

struct SandboxNeed {
  bool needed = false;
  std::uint32_t attempt = 0;  // of the new one, or of the one kept
  cri::SandboxId sandbox_id{};
  Reason reason{};  // why it is needed
};

[[nodiscard]] SandboxNeed sandbox_need(const api::Pod& pod,
                                       const std::vector<RuntimeSandbox>& newest_first);

}  // namespace berth::lifecycle
