// The PriorityClasses of the manifest folder that are in force: as the API server has it, one of
// them at most is the default for pods that name none.
//
// The one that was the default first stays it; of several that are new, the first by file and
// place. Another one that says globalDefault is refused: it is not there, or stays as it was before
// it said so. A value with memory, and no I/O.
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
  std::string default_{};  // the name of the default; empty: there is none
  std::map<std::string, api::PriorityClass> classes_{};
};

}  // namespace berth::agent
