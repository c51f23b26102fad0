// SPDX-License-Identifier: Apache-2.0

// The PriorityClasses of the manifest folder that are in force: each edit of the folder is checked
// by the rules by which the API server creates and updates them.
//
// At most one of them is the default for pods that name none: the first default keeps that role;
// among several new ones, the first by file and place. A refused class does not exist; if it
// existed before, it stays as it was (its value may not be changed: remove it, then add it again).
// Nothing is persisted: after a restart of berthd everything in the folder is new. A value with
// memory, and no I/O.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/sources/manifest_report.hpp"
#include "api/priority_class.hpp"

namespace berth::agent {

struct StatedClass {
  std::string file{};
  int line = 0;
  api::PriorityClass object{};
};

class ClassesInForce {
 public:
  // `stated`: all classes that the folder defines now, by file and place in it. Returns the
  // problems of those that are refused.
  [[nodiscard]] std::vector<ManifestProblem> update(const std::vector<StatedClass>& stated);

  // By name.
  [[nodiscard]] std::vector<api::PriorityClass> classes() const;

 private:
  std::map<std::string, api::PriorityClass> classes_{};
};

}  // namespace berth::agent
