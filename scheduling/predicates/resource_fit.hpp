// SPDX-License-Identifier: Apache-2.0

// Whether a node has room for a pod's requests.
//
// Pure. cpu is in thousandths, everything else in whole units, both rounded up. A pod that requests
// nothing fits on an overcommitted node, as long as the node accepts one more pod.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/resources.hpp"
#include "base/wrapping.hpp"

namespace berth::scheduling {

// An amount of a resource other than cpu, memory, ephemeral-storage and pods.
struct ScalarAmount {
  std::string name{};
  std::int64_t amount = 0;

  bool operator==(const ScalarAmount&) const = default;
};

struct ResourceAmounts {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
  std::int64_t ephemeral_storage = 0;
  std::vector<ScalarAmount> scalars{};  // by name, in byte order; includes resources named with 0

  // The amount of any resource by name; 0 if it is absent.
  [[nodiscard]] std::int64_t of(std::string_view name) const;
  [[nodiscard]] std::int64_t scalar(std::string_view name) const;
  [[nodiscard]] bool has_scalar(std::string_view name) const;

  ResourceAmounts& operator+=(const ResourceAmounts& other);
  // Removes scalars that reach 0.
  ResourceAmounts& operator-=(const ResourceAmounts& other);
  bool operator==(const ResourceAmounts&) const = default;
};

[[nodiscard]] ResourceAmounts amounts_of(const api::ResourceList& list);

// The number of pods that a node accepts; 0 if unset.
[[nodiscard]] std::int64_t allowed_pods(const api::ResourceList& allocatable);

// A resource outside Kubernetes' own domain, provided by device plugins.
[[nodiscard]] bool is_extended_resource(std::string_view name);
// A counted resource other than cpu, memory, ephemeral-storage and pods: extended resources, huge
// pages, names of Kubernetes' domain, attachable volumes.
[[nodiscard]] bool is_scalar_resource(std::string_view name);

// A node's capacity and usage. Does not own the amounts.
struct NodeRoom {
  const ResourceAmounts& allocatable;
  const ResourceAmounts& used;
  std::int64_t allowed_pods = 0;
  std::int64_t pods = 0;
};

// Calls visit(resource, requested, used, capacity) for every shortage, in the order pods, cpu,
// memory, ephemeral-storage, scalars by name.
template <class Visit>
void for_each_shortage(const ResourceAmounts& request, const NodeRoom& room, Visit&& visit) {
  const auto check = [&](std::string_view name, std::int64_t requested, std::int64_t used,
                         std::int64_t capacity) {
    if (requested > 0 && requested > wrapping_difference(capacity, used))
      visit(name, requested, used, capacity);
  };
  if (room.pods + 1 > room.allowed_pods) visit("pods", 1, room.pods, room.allowed_pods);
  const ResourceAmounts& all = room.allocatable;
  check("cpu", request.milli_cpu, room.used.milli_cpu, all.milli_cpu);
  check("memory", request.memory, room.used.memory, all.memory);
  check("ephemeral-storage", request.ephemeral_storage, room.used.ephemeral_storage,
        all.ephemeral_storage);
  for (const ScalarAmount& scalar : request.scalars) {
    check(scalar.name, scalar.amount, room.used.scalar(scalar.name), all.scalar(scalar.name));
  }
}

struct Shortage {
  std::string resource{};
  std::int64_t requested = 0;
  std::int64_t used = 0;
  std::int64_t capacity = 0;

  // Whether even an empty node would not suffice. A shortage of pods is always resolvable.
  [[nodiscard]] bool is_unresolvable() const { return exceeds(resource, requested, capacity); }
  [[nodiscard]] static bool exceeds(std::string_view resource, std::int64_t requested,
                                    std::int64_t capacity) {
    return resource != "pods" && requested > capacity;
  }

  bool operator==(const Shortage&) const = default;
};

[[nodiscard]] std::vector<Shortage> shortages(const ResourceAmounts& request, const NodeRoom& room);

enum class Fit : std::uint8_t { kFits, kShort, kUnresolvable };

// The same check, with a single verdict.
[[nodiscard]] Fit fit(const ResourceAmounts& request, const NodeRoom& room);

}  // namespace berth::scheduling
