// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/container_resources_status.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace berth::lifecycle {
namespace {

// Below these the kernel does not distinguish values, so the requested value is shown instead of
// what the runtime reads back: the kubelet's smallest quota (10m) and smallest shares (2).
constexpr std::int64_t kSmallestCpuLimitMilli = 10;
constexpr std::int64_t kSmallestCpuRequestMilli = 2;

// Corrects one list of the spec's resources; a resource that the spec does not name is not shown.
class Correction {
 public:
  Correction(api::ResourceList& shown, const api::ResourceList* before)
      : shown_(shown), before_(before) {}

  void cpu(const std::optional<api::Quantity>& reported, std::int64_t smallest) {
    const auto asked = shown_.find("cpu");
    if (asked == shown_.end()) return;
    if (!reported) return keep(asked);
    if (reported->milli_value() > smallest || asked->second.milli_value() > smallest) {
      asked->second = *reported;
    }
  }

  void memory(const std::optional<api::Quantity>& reported) {
    const auto asked = shown_.find("memory");
    if (asked == shown_.end()) return;
    if (!reported) return keep(asked);
    asked->second = *reported;
  }

 private:
  void keep(api::ResourceList::iterator asked) {
    if (before_ == nullptr) return;
    const auto found = before_->find(asked->first);
    if (found != before_->end()) asked->second = found->second;
  }

  api::ResourceList& shown_;
  const api::ResourceList* before_;
};

// No runtime reports a memory request: the applied value is shown, if known.
void set_memory_request(const ActuatedResources& actuated, const std::string& container,
                        api::ResourceList& shown) {
  const auto asked = shown.find("memory");
  const auto record = actuated.find(container);
  if (asked == shown.end() || record == actuated.end()) return;
  const auto applied = record->second.requests.find("memory");
  asked->second = applied == record->second.requests.end() ? api::Quantity{} : applied->second;
}

}  // namespace

api::ResourceRequirements shown_resources(const RuntimeContainer& record,
                                          const api::ResourceRequirements& asked,
                                          const api::ContainerStatus& status,
                                          const api::ContainerStatus* previous,
                                          const ActuatedResources& actuated) {
  api::ResourceRequirements shown = asked;
  if (!status.state.running) return shown;
  const bool same_instance =
      previous != nullptr && previous->state.running && previous->containerID == status.containerID;
  const api::ResourceRequirements* before =
      same_instance && previous->resources ? &*previous->resources : nullptr;
  const RuntimeResources reported = record.resources.value_or(RuntimeResources{});

  Correction limits(shown.limits, before != nullptr ? &before->limits : nullptr);
  limits.cpu(reported.cpu_limit, kSmallestCpuLimitMilli);
  limits.memory(reported.memory_limit);
  Correction requests(shown.requests, before != nullptr ? &before->requests : nullptr);
  requests.cpu(reported.cpu_request, kSmallestCpuRequestMilli);
  set_memory_request(actuated, record.name, shown.requests);
  return shown;
}

}  // namespace berth::lifecycle
