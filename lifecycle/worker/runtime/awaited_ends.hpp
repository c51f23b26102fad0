// SPDX-License-Identifier: Apache-2.0

// Ends of containers and sandboxes for which the runtime is polled until it shows them.
//
// An event, an answered stop or a newer instance can indicate an end before CRI shows it:
// containerd 1.6 reports an exit 30 to 200 ms ahead. The runtime is polled again after 2, 4, 8 to
// 100 ms; after ten seconds the indication is considered wrong, and everything is read anew. Steady
// time. A plain value.
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
    Nanoseconds delay{};  // until the next poll
    SteadyTime give_up_at{};
    bool by_event = false;  // otherwise a recent start ends the polling, too
  };

  // Awaits the end from now on, if it is not awaited already.
  void expect(const std::string& id, SteadyTime now);
  // The same after an event. `ahead`: the event stream may run ahead of what the runtime shows.
  void expect_after_event(const std::string& id, SteadyTime now, bool ahead);
  void over(const std::string& id) { ends_.erase(id); }
  // The end does not show yet. False if it is given up.
  [[nodiscard]] bool ask_later(const std::string& id, SteadyTime now);

  // By container or sandbox id.
  [[nodiscard]] const std::map<std::string, End>& all() const { return ends_; }
  [[nodiscard]] bool contains(const std::string& id) const { return ends_.contains(id); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  // Unset if the end is not awaited.
  [[nodiscard]] std::optional<SteadyTime> ask_at(const std::string& id) const;
  [[nodiscard]] bool by_event(const std::string& id) const;

 private:
  End& awaited(const std::string& id, SteadyTime ask_at, SteadyTime now);

  std::map<std::string, End> ends_{};
};

}  // namespace berth::lifecycle
