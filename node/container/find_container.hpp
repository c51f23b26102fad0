// SPDX-License-Identifier: Apache-2.0

// A container of a pod by its name, whether it is an init container or not. Pure.
#pragma once

#include <string_view>

#include "api/pod.hpp"

namespace berth::node {

// Null if the pod has none of that name. The pod owns it.
[[nodiscard]] inline const api::Container* find_container(const api::Pod& pod,
                                                          std::string_view name) {
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    for (const api::Container& container : *list)
      if (container.name == name) return &container;
  }
  return nullptr;
}

}  // namespace berth::node
