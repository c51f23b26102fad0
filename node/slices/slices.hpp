// SPDX-License-Identifier: Apache-2.0

// systemd's slices, as the cgroup driver "systemd" needs them: what the node asks of the service
// manager, and a pod's limits as the properties of its slice.
//
// With that driver the service manager owns the upper levels of the hierarchy. It would undo limits
// that it was not told of, when a unit is reloaded or a property of a neighbour changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "node/cgroup_values.hpp"
#include "node/file_io.hpp"

namespace berth::node {

// Of org.freedesktop.systemd1; all that we set are unsigned 64-bit numbers.
struct SliceProperty {
  std::string name{};
  std::uint64_t value = 0;

  bool operator==(const SliceProperty&) const = default;
};

// As runc sets them. Pure. Hugepages have no property.
[[nodiscard]] std::vector<SliceProperty> slice_properties(const CgroupValues& values,
                                                          int cgroup_version);

// Blocking, any thread. `slice`: "kubepods-burstable.slice".
class Slices {
 public:
  Slices() = default;
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;
  virtual ~Slices() = default;

  // Returns once it is active; sets the properties of one that is active already.
  [[nodiscard]] virtual Result<Nothing> start(const std::string& slice,
                                              const std::vector<SliceProperty>& properties) = 0;
  [[nodiscard]] virtual Result<Nothing> set(const std::string& slice,
                                            const std::vector<SliceProperty>& properties) = 0;
  // With everything in it. Succeeds if there is none.
  [[nodiscard]] virtual Result<Nothing> stop(const std::string& slice) = 0;
};

}  // namespace berth::node
