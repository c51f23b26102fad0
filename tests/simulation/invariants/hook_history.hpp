// SPDX-License-Identifier: Apache-2.0

// When the hooks of containers ran, as the runtime saw it: commands only, not HTTP requests.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "tests/simulation/runtime/runtime_record.hpp"

namespace berth::simulation {

class HookHistory {
 public:
  struct Run {
    SteadyTime at{};    // of the first call
    SteadyTime ends{};  // with the container at the latest
    int calls = 0;
  };

  void called(const Instance& instance, HookKind kind, SteadyTime now, Nanoseconds takes) {
    auto& runs = kind == HookKind::kPostStart ? post_starts_ : pre_stops_;
    ++runs.try_emplace(instance.id.str(), Run{.at = now, .ends = now + takes}).first->second.calls;
  }
  void container_ended(const Instance& instance, SteadyTime now) {
    for (auto* runs : {&post_starts_, &pre_stops_}) {
      const auto run = runs->find(instance.id.str());
      if (run != runs->end()) run->second.ends = std::min(run->second.ends, now);
    }
  }
  void forget_pre_stops() { pre_stops_.clear(); }

  // Null if it was not called.
  [[nodiscard]] const Run* post_start(const Instance& instance) const {
    return find(post_starts_, instance);
  }
  [[nodiscard]] const Run* pre_stop(const Instance& instance) const {
    return find(pre_stops_, instance);
  }
  // False if it was not called.
  [[nodiscard]] bool post_start_ends_after(const Instance& instance, SteadyTime time) const {
    const Run* run = post_start(instance);
    return run != nullptr && run->ends >= time;
  }

 private:
  using Runs = std::map<std::string, Run>;  // by container id
  [[nodiscard]] static const Run* find(const Runs& runs, const Instance& instance) {
    const auto found = runs.find(instance.id.str());
    return found == runs.end() ? nullptr : &found->second;
  }

  Runs post_starts_{};
  Runs pre_stops_{};
};

}  // namespace berth::simulation
