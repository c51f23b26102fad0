// SPDX-License-Identifier: Apache-2.0

// The manifest folder of the simulated machine, and berthd's copies of it, which outlive berthd.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "agent/sources/manifest_folder.hpp"

namespace berth::simulation {

struct SimulatedFolder {
  std::map<std::string, std::string> files{};  // name → text
  agent::LastGoodTexts copies{};

  // Whether berthd has a copy of the current file.
  [[nodiscard]] bool has_been_read(const std::string& file) const {
    const auto texts = agent::joined(copies);
    const auto copy = texts.find(file);
    return copy != texts.end() && copy->second == files.at(file);
  }
  // Whether every file of which berthd has a copy exists.
  [[nodiscard]] bool nothing_is_gone_unread() const {
    return std::ranges::all_of(agent::joined(copies),
                               [this](const auto& copy) { return files.contains(copy.first); });
  }
};

}  // namespace berth::simulation
