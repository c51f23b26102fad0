// The StopContainer calls that a worker waits for, by container.
//
// Each call takes as long as its container does. A shortened grace period adds a second one to a
// container that is being stopped already: the stop is over when both have been answered. Answers
// wait here until the worker takes them in. A plain value.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::lifecycle {

struct StopReport {
  std::string id{};
  SteadyTime kill_at{};          // which of its calls
  std::optional<Error> error{};  // none: it is stopped, or was not there
};

class StopsUnderWay {
 public:
  struct Called {
    std::string id{};
    std::string name{};  // of the container
  };

  // A call was made at `now`; the runtime kills at `kill_at`.
  void begin(const std::string& id, const std::string& name, SteadyTime now, SteadyTime kill_at);
  // Who would be killed later than that has another call to be made, which is counted already.
  [[nodiscard]] std::vector<Called> shorten(SteadyTime kill_at);
  // The same of one container; false: its end is no later.
  [[nodiscard]] bool shorten(const std::string& id, SteadyTime kill_at);

  void answered(StopReport report) { reports_.push_back(std::move(report)); }
  [[nodiscard]] std::vector<StopReport> take_reports() { return std::exchange(reports_, {}); }
  // That call for the container is over: the container's name; none: nobody waits for it.
  std::optional<std::string> end(const StopReport& report);
  // One of its calls has failed since the last was made, and another one goes on.
  [[nodiscard]] bool partly_failed(const std::string& id) const;

  [[nodiscard]] bool contains(const std::string& id) const { return stops_.contains(id); }
  [[nodiscard]] bool empty() const { return stops_.empty(); }
  [[nodiscard]] std::vector<std::string> ids() const;
  // When it was told to stop the last time, whatever came of that; none: it was not.
  [[nodiscard]] std::optional<SteadyTime> last_told(const std::string& id) const;
  void forget(const std::string& id) { last_told_.erase(id); }
  // Of the containers.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Stop {
    std::string name{};
    std::multiset<SteadyTime> kill_at{};  // of each call; the runtime goes by the earliest
    bool failed = false;                  // one of them, since the last was made
  };
  std::map<std::string, Stop> stops_{};            // by container id
  std::map<std::string, SteadyTime> last_told_{};  // by container id
  std::vector<StopReport> reports_{};
};

}  // namespace berth::lifecycle
