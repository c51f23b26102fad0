// SPDX-License-Identifier: Apache-2.0

// Ends of containers and sandboxes that the runtime is asked for until it shows them.
//
// An event, an answered stop or a newer instance says that something has ended before CRI shows it:
// containerd 1.6 tells of an exit 30 to 200 ms ahead. It is asked again after 2, 4, 8 to 100 ms;
// ten seconds later what said so is taken for wrong, and everything is read anew. Steady time. A
// plain value.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/clock_types.hpp"

namespace berth::lifecycle {

class AwaitedEnds {
 public:
  struct End {
    SteadyTime ask_at{};
    Nanoseconds delay{};  // until it is asked again
    SteadyTime give_up_at{};
    bool by_event = false;  // otherwise that it has only just started ends the asking, too
  };

  // From now on, if it is not awaited already.
  void expect(const std::string& id, SteadyTime now);
  // The same after an event. `ahead`: the event's stream may run ahead of what the runtime shows.
  void expect_after_event(const std::string& id, SteadyTime now, bool ahead);
  void over(const std::string& id) { ends_.erase(id); }
  // It does not show yet. False: it is given up.
  [[nodiscard]] bool ask_later(const std::string& id, SteadyTime now);

  // By container or sandbox id.
  [[nodiscard]] const std::map<std::string, End>& all() const { return ends_; }
  [[nodiscard]] bool contains(const std::string& id) const { return ends_.contains(id); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  // None: it is not awaited.
  [[nodiscard]] std::optional<SteadyTime> ask_at(const std::string& id) const;
  [[nodiscard]] bool by_event(const std::string& id) const;

 private:
  End& awaited(const std::string& id, SteadyTime ask_at, SteadyTime now);

  std::map<std::string, End> ends_{};
};

}  // namespace berth::lifecycle
