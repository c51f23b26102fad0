// The PriorityClasses of the manifest folder that are in force: each edit of the folder is put to
// the rules by which the API server creates and changes them.
//
// One of them at most is the default for pods that name none: the one that was it first stays it;
// of several that are new, the first by file and place. A class that is refused is not there; if it
// was there before, it stays as it was (its value may not be changed: remove it, then add it anew).
// Nothing is remembered beyond berthd's own end: what the folder says then is new. A value with
// memory, and no I/O.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/manifest_report.hpp"
#include "api/priority_class.hpp"

namespace berth::agent {

struct StatedClass {
  std::string file{};
  int line = 0;
  api::PriorityClass object{};
};

class ClassesInForce {
 public:
  // All that the folder states now, by file and place in it; what is refused.
  [[nodiscard]] std::vector<ManifestProblem> update(const std::vector<StatedClass>& stated);

  // By name.
  [[nodiscard]] std::vector<api::PriorityClass> classes() const;

 private:
  std::map<std::string, api::PriorityClass> classes_{};
};

}  // namespace berth::agent
