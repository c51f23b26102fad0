// The cgroup file system, both versions: making, setting, emptying and removing cgroups.
//
// Blocking. Version 1 has a tree for each controller below the mount point, and a cgroup is one
// directory in each of them; version 2 has one tree, where controllers are handed down level by
// level. Only directories named by the caller are touched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "node/cgroup_name.hpp"
#include "node/cgroup_values.hpp"
#include "node/file_io.hpp"

namespace berth::node {

class CgroupTree {
 public:
  // `page_sizes`: the huge page sizes that the machine has, in bytes.
  CgroupTree(std::string mount, int version, std::vector<std::int64_t> page_sizes);

  // The directories of a cgroup, one for each tree.
  [[nodiscard]] std::vector<std::string> directories(const CgroupName& name) const;

  // In every tree (version 2: and with the controllers that it should have).
  [[nodiscard]] bool exists(const CgroupName& name) const;

  // Makes the directories that miss, with the controllers handed down to them from the root.
  [[nodiscard]] Result<Nothing> create(const CgroupName& name) const;

  // Writes what is given. A controller that the machine does not have is passed over. With
  // `close_huge_pages`, page sizes that are not given are set to 0.
  [[nodiscard]] Result<Nothing> apply(const CgroupName& name, const CgroupValues& values,
                                      bool close_huge_pages) const;

  // Processes in the cgroup and those below it.
  [[nodiscard]] std::vector<pid_t> processes(const CgroupName& name) const;
  // SIGKILL to all of them; how many there were.
  std::size_t kill_all(const CgroupName& name) const;

  // Removes the cgroup and those below it, deepest first. Gone already is fine; one that still
  // has processes fails, naming it.
  [[nodiscard]] Result<Nothing> remove(const CgroupName& name) const;

  // Names of the cgroups directly below.
  [[nodiscard]] std::vector<std::string> children(const CgroupName& name) const;

 private:
  [[nodiscard]] std::vector<std::string> roots_with_unified() const;
  [[nodiscard]] Result<Nothing> create_v1(const std::string& root, const CgroupName& name) const;
  [[nodiscard]] Result<Nothing> create_v2(const CgroupName& name) const;
  [[nodiscard]] Result<Nothing> write(const CgroupName& name, const std::string& file,
                                      const std::string& text) const;

  std::string mount_;
  int version_;
  std::vector<std::int64_t> page_sizes_;
  std::vector<std::string> roots_{};  // of each tree
};

}  // namespace berth::node
