// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pod_spec.hpp"

#include <algorithm>

namespace berth::lifecycle {
namespace {

const api::Container* find_named(const std::vector<api::Container>& containers,
                                 std::string_view name) {
  const auto found = std::ranges::find(containers, name, &api::Container::name);
  return found == containers.end() ? nullptr : &*found;
}

}  // namespace

bool is_static(const api::Pod& pod) {
  const auto source = pod.metadata.annotations.find(kAnnotationConfigSource);
  return source != pod.metadata.annotations.end() && source->second != "api";
}

bool is_sidecar(const api::Container& init_container) {
  return init_container.restartPolicy == "Always";
}

std::string pod_description(const api::Pod& pod) {
  return pod.metadata.name + "_" + pod.metadata.namespace_ + "(" + pod.metadata.uid + ")";
}

api::Pod named_part(const api::Pod& pod) {
  api::Pod part;
  part.metadata.name = pod.metadata.name;
  part.metadata.namespace_ = pod.metadata.namespace_;
  part.metadata.uid = pod.metadata.uid;
  return part;
}

const api::Container* find_container(const api::Pod& pod, std::string_view name) {
  return find_named(pod.spec.containers, name);
}

const api::Container* find_init_container(const api::Pod& pod, std::string_view name) {
  return find_named(pod.spec.initContainers, name);
}

std::optional<WallTime> active_deadline(const api::Pod& pod,
                                        const std::optional<api::Time>& start_time) {
  if (!pod.spec.activeDeadlineSeconds || !start_time) return std::nullopt;
  return start_time->at + std::chrono::seconds{*pod.spec.activeDeadlineSeconds};
}

}  // namespace berth::lifecycle
