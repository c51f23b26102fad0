// SPDX-License-Identifier: Apache-2.0

// What has to happen within a time: each duty has a name under which it is fulfilled or withdrawn,
// and is reported once if its time runs out first.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::simulation {

class Duties {
 public:
  struct Duty {
    std::string name{};
    SteadyTime since{};
    SteadyTime until{};
    std::string what{};  // has not happened
  };

  // If a duty of that name is already owed, it stays as it is.
  void owe(Duty duty) {
    std::string name = duty.name;
    const SteadyTime until = duty.until;
    if (owed_.try_emplace(name, std::move(duty)).second) ends_.emplace(until, std::move(name));
  }

  [[nodiscard]] bool owes(const std::string& name) const { return owed_.contains(name); }

  void over(const std::string& name) {
    const auto found = owed_.find(name);
    if (found == owed_.end()) return;
    ends_.erase({found->second.until, name});
    owed_.erase(found);
  }

  void forget_all() {
    owed_.clear();
    ends_.clear();
  }

  // The duties whose time has run out, the earliest first; they are no longer owed.
  [[nodiscard]] std::vector<Duty> overdue(SteadyTime now) {
    std::vector<Duty> late;
    while (!ends_.empty() && ends_.begin()->first < now) {
      auto node = owed_.extract(ends_.begin()->second);
      ends_.erase(ends_.begin());
      late.push_back(std::move(node.mapped()));
    }
    return late;
  }

 private:
  std::map<std::string, Duty> owed_{};
  std::set<std::pair<SteadyTime, std::string>> ends_{};
};

}  // namespace berth::simulation
