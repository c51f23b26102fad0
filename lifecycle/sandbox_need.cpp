// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/sandbox_need.hpp"

#include <algorithm>
#include <string>

namespace berth::lifecycle {
namespace {

SandboxNeed new_sandbox(std::uint32_t attempt, cri::SandboxId old, std::string rule,
                        std::string text) {
  return SandboxNeed{
      .needed = true,
      .attempt = attempt,
      .sandbox_id = std::move(old),
      .reason = {.subject = "sandbox", .rule = std::move(rule), .text = std::move(text)}};
}

}  // namespace

SandboxNeed sandbox_need(const api::Pod& pod, const std::vector<RuntimeSandbox>& newest_first) {
  if (newest_first.empty()) {
    return new_sandbox(0, {}, "NoSandbox", "the pod has no sandbox yet");
  }
  const RuntimeSandbox& newest = newest_first.front();
  const std::uint32_t next = newest.attempt + 1;
  const auto ready =
      std::ranges::count(newest_first, cri::SandboxState::kReady, &RuntimeSandbox::state);
  if (ready > 1) {
    return new_sandbox(next, newest.id, "ManySandboxes",
                       "more than one sandbox of the pod is ready");
  }
  if (newest.state != cri::SandboxState::kReady) {
    return new_sandbox(next, newest.id, "SandboxNotReady", "the pod's sandbox is not ready");
  }
  const auto wanted = pod.spec.hostNetwork ? cri::NamespaceMode::kNode : cri::NamespaceMode::kPod;
  if (newest.network != wanted) {
    return new_sandbox(next, {}, "NetworkModeChanged",
                       "the pod's sandbox has another network mode than the spec asks for");
  }
  if (!pod.spec.hostNetwork && newest.has_network && newest.ip.empty()) {
    return new_sandbox(next, newest.id, "SandboxWithoutAddress",
                       "the pod's sandbox has no IP address");
  }
  return SandboxNeed{.needed = false, .attempt = newest.attempt, .sandbox_id = newest.id};
}

}  // namespace berth::lifecycle
