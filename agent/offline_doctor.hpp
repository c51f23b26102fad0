// What `berthctl doctor` finds while berthd does not answer: configuration, manifest folder and
// runtime are read and asked here, by the code that berthd reads and asks them with.
//
// Blocking; changes nothing. The only thing of this folder that berthctl uses.
#pragma once

#include <string>
#include <vector>

#include "agent/finding.hpp"

namespace berth::agent {

struct OfflineQuestion {
  std::string config_file{};  // empty: the default one, if it is there
  std::string why{};          // what became of asking berthd
};

// The first finding is that berthd does not answer.
[[nodiscard]] std::vector<Finding> examine_offline(const OfflineQuestion& question);

}  // namespace berth::agent
