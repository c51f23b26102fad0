// SPDX-License-Identifier: Apache-2.0

// systemd's slices, as the cgroup driver "systemd" needs them: the node's requests to the service
// manager, and a pod's limits as the properties of its slice.
//
// With that driver the service manager owns the upper levels of the hierarchy. When a unit is
// reloaded or a property of a neighbour changes, it reverts limits that were not set through it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "node/cgroups/cgroup_values.hpp"
#include "node/file_io.hpp"

namespace berth::node {

// A property of org.freedesktop.systemd1; all that we set are unsigned 64-bit numbers.
struct SliceProperty {
  std::string name{};
  std::uint64_t value = 0;

  bool operator==(const SliceProperty&) const = default;
};

// The properties that runc would set. Pure. Hugepages have no property.
[[nodiscard]] std::vector<SliceProperty> slice_properties(const CgroupValues& values,
                                                          int cgroup_version);

// Blocking; any thread. `slice`: "kubepods-burstable.slice".
class Slices {
 public:
  Slices() = default;
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;
  virtual ~Slices() = default;

  // Returns once the slice is active; sets the properties of a slice that is already active.
  [[nodiscard]] virtual Result<Nothing> start(const std::string& slice,
                                              const std::vector<SliceProperty>& properties) = 0;
  [[nodiscard]] virtual Result<Nothing> set(const std::string& slice,
                                            const std::vector<SliceProperty>& properties) = 0;
  // Stops the slice with everything in it. Succeeds if there is no such slice.
  [[nodiscard]] virtual Result<Nothing> stop(const std::string& slice) = 0;
};

}  // namespace berth::node
