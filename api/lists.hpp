// SPDX-License-Identifier: Apache-2.0

// Lists of objects, as returned by `GET /pods` and `kubectl get -o yaml` (meta/v1, core/v1).
//
// Plain aggregates with the field names of the Kubernetes API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/event.hpp"
#include "api/pod.hpp"

namespace berth::api {

struct ListMeta {
  std::string selfLink{};
  std::string resourceVersion{};
  std::string continue_{};
  std::optional<std::int64_t> remainingItemCount{};

  bool operator==(const ListMeta&) const = default;
};

struct PodList {
  std::string kind{};
  std::string apiVersion{};
  ListMeta metadata{};
  std::vector<Pod> items{};

  bool operator==(const PodList&) const = default;
};

struct EventList {
  std::string kind{};
  std::string apiVersion{};
  ListMeta metadata{};
  std::vector<Event> items{};

  bool operator==(const EventList&) const = default;
};

}  // namespace berth::api
