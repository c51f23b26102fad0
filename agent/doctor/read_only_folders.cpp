// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/read_only_folders.hpp"

#include <sys/statvfs.h>

#include <filesystem>

namespace berth::agent {
namespace {

bool is_read_only(std::filesystem::path folder) {
  struct statvfs found {};
  while (::statvfs(folder.c_str(), &found) != 0) {
    if (!folder.has_relative_path()) return false;
    folder = folder.parent_path();
  }
  return (found.f_flag & ST_RDONLY) != 0;
}

}  // namespace

std::vector<std::string> read_only_folders(const Paths& paths) {
  std::vector<std::string> folders;
  for (const std::string& folder : {paths.root, paths.pod_logs, paths.container_logs})
    if (!folder.empty() && is_read_only(folder)) folders.push_back(folder);
  return folders;
}

}  // namespace berth::agent
