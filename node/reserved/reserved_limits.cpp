// SPDX-License-Identifier: Apache-2.0

#include "node/reserved/reserved_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth::node {
namespace {

constexpr bool kCloseHugePages = true;

}  // namespace

Result<Nothing> find_cgroup(const CgroupTree& tree, const ReservedCgroup& cgroup) {
  const auto missing = tree.missing(cgroup.name, cgroup.values, kCloseHugePages);
  if (missing.empty()) return Nothing{};
  return fail(ErrorCode::kNotFound,
              fmt::format("\"{}\" cgroup does not exist: there is no {}; create it before berthd "
                          "starts, or leave it out of enforceNodeAllocatable",
                          cgroupfs_path(cgroup.name), fmt::join(missing, ", no ")));
}

Result<Nothing> write_limits(const CgroupTree& tree, const ReservedCgroup& cgroup, Slices* slices,
                             int cgroup_version) {
  auto found = find_cgroup(tree, cgroup);
  if (!found) return found;
  if (slices != nullptr && !cgroup.name.empty()) {
    auto changed = slices->set(cgroup.name.back(), slice_properties(cgroup.values, cgroup_version));
    if (!changed) return changed;
  }
  return tree.apply(cgroup.name, cgroup.values, kCloseHugePages);
}

}  // namespace berth::node
