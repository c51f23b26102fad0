// SPDX-License-Identifier: Apache-2.0

// The cgroup file system, both versions: creating, configuring, emptying and removing cgroups.
//
// Blocking. Version 1 has a tree per controller below the mount point, and a cgroup is one
// directory in each of them; version 2 has a single tree, in which controllers are enabled level by
// level. Only directories named by the caller are touched.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "node/cgroups/cgroup_name.hpp"
#include "node/cgroups/cgroup_values.hpp"
#include "node/file_io.hpp"

namespace berth::node {

class CgroupTree {
 public:
  // `page_sizes`: the machine's huge page sizes, in bytes.
  CgroupTree(std::string mount, int version, std::vector<std::int64_t> page_sizes);

  // The directories of a cgroup, one per tree.
  [[nodiscard]] std::vector<std::string> directories(const CgroupName& name) const;

  // Whether it exists in every tree (version 2: also with the controllers that it should have).
  [[nodiscard]] bool exists(const CgroupName& name) const;

  // Creates missing directories, and enables their controllers from the root down.
  [[nodiscard]] Result<Nothing> create(const CgroupName& name) const;

  // What `apply` needs but is missing: directories, or (version 2) controllers in them.
  [[nodiscard]] std::vector<std::string> missing(const CgroupName& name, const CgroupValues& values,
                                                 bool close_huge_pages) const;

  // Writes the given values. Skips controllers that the machine does not have. With
  // `close_huge_pages`, page sizes that are not given are set to 0.
  [[nodiscard]] Result<Nothing> apply(const CgroupName& name, const CgroupValues& values,
                                      bool close_huge_pages) const;

  // The processes in the cgroup and those below it.
  [[nodiscard]] std::vector<pid_t> processes(const CgroupName& name) const;
  // SIGKILLs all of these processes, frozen ones included; returns their number.
  std::size_t kill_all(const CgroupName& name) const;

  // Removes the cgroup and its descendants, deepest first. Succeeds if it is already gone; fails,
  // naming the cgroup, if one still has processes.
  [[nodiscard]] Result<Nothing> remove(const CgroupName& name) const;

  // The names of the cgroups directly below.
  [[nodiscard]] std::vector<std::string> children(const CgroupName& name) const;

 private:
  [[nodiscard]] std::vector<std::string> roots_with_unified() const;
  // The directories of a cgroup and of those below it, in every tree, the deepest first.
  [[nodiscard]] std::vector<std::string> with_descendants(const CgroupName& name) const;
  void thaw(const CgroupName& name) const;
  [[nodiscard]] Result<Nothing> create_v1(const std::string& root, const CgroupName& name) const;
  [[nodiscard]] Result<Nothing> create_v2(const CgroupName& name) const;
  // File names and the texts to write to them, in order.
  using Writes = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] Writes writes_of(const CgroupValues& values, bool close_huge_pages) const;
  [[nodiscard]] Result<Nothing> write(const CgroupName& name, const std::string& file,
                                      const std::string& text) const;

  std::string mount_;
  int version_;
  std::vector<std::int64_t> page_sizes_;
  std::vector<std::string> roots_{};  // of the trees
};

}  // namespace berth::node
