// What the manifest folder looks like, for `status` and `describe`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace berth::agent {

struct ManifestProblem {
  std::string file{};
  int line = 0;  // 0: unknown
  int column = 0;
  std::string path{};  // of the field; empty: the whole document
  std::string message{};
  bool warning = false;  // the file is in force all the same
  // "namespace/name" of the pods that run from this file's last good version meanwhile.
  std::vector<std::string> kept_pods{};

  bool operator==(const ManifestProblem&) const = default;
};

struct ManifestReport {
  std::string path{};
  bool exists = false;
  std::string unreadable{};  // why the folder cannot be read, if it is there
  std::size_t files = 0;
  std::vector<ManifestProblem> problems{};
  std::vector<std::string> ignored_files{};

  bool operator==(const ManifestReport&) const = default;
};

}  // namespace berth::agent
