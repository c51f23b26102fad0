// SPDX-License-Identifier: Apache-2.0

// The stops of one pod's containers: a record for each container id, and the answers of the
// runtime that the worker has not come to yet; and the stops of its sandboxes.
//
// The worker decides what comes next (stops_step.hpp), notes here what it does, and makes the
// calls itself. A plain value; loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "lifecycle/worker/container_stop.hpp"
#include "lifecycle/worker/sandbox_stops.hpp"

namespace berth::lifecycle {

// What an order to end the pod means for the stops that it finds.
struct StopsOrder {
  SteadyTime ordered_at{};   // when the end of the pod was first asked for
  std::int64_t seconds = 0;  // the grace period that it gives
  bool overtakes = false;    // the pod lived: its period replaces that of a stop which has
                             // not reached its container
};

// A StopContainer call that has been answered.
struct StopReport {
  std::string id{};
  SteadyTime kill_at{};          // which of the container's calls
  std::optional<Error> error{};  // unset: it is stopped, or was not there
};

class ContainerStops {
 public:
  [[nodiscard]] SandboxStops& sandboxes() { return sandboxes_; }

  // By container id, as the store had them; and as it is to have them.
  void recall(const std::map<std::string, StopMemory>& stops, const Instant& now);
  [[nodiscard]] std::map<std::string, StopMemory> stored() const;

  // Null: nobody stops it.
  [[nodiscard]] const ContainerStop* find(const std::string& id) const;
  [[nodiscard]] const std::map<std::string, ContainerStop>& all() const { return stops_; }

  // A single container is to stop; what was asked first stands.
  void ask(ContainerKill kill);
  // Those that were asked for singly, by container id.
  [[nodiscard]] std::vector<std::string> singles() const;
  void single_over(const std::string& id);
  void singles_over();

  // The period in force; one that begins now if there is none.
  StopPeriod begin(const std::string& id, const std::string& name, std::int64_t seconds,
                   const Instant& now);
  void order(const StopsOrder& order, const Instant& now);
  // Hook or signal is about to reach these containers: those of them that nothing had reached.
  [[nodiscard]] std::vector<std::string> reach(const std::vector<std::string>& ids);
  // It did not come to that.
  void unreach(const std::vector<std::string>& ids);
  // True once for each stop.
  [[nodiscard]] bool report_killing(const std::string& id);

  void pre_stop_begun(const std::string& id);
  // It returned, or is not waited for any more; nothing if it does not run.
  void pre_stop_done(const std::string& id, SteadyTime now);
  // Nobody knows what became of it: it counts as done.
  void pre_stop_settled(const std::string& id, std::optional<SteadyTime> done_at);

  // StopContainer is called at `now`; the runtime kills at `kill_at`. From now on a preStop hook
  // that was not begun comes too late.
  void call(const std::string& id, SteadyTime now, SteadyTime kill_at);
  // Another call with an earlier end, which is counted; false: its end is no later, or no call is
  // under way.
  [[nodiscard]] bool shorten(const std::string& id, SteadyTime kill_at);
  void answered(StopReport report) { reports_.push_back(std::move(report)); }
  [[nodiscard]] std::vector<StopReport> reports() { return std::exchange(reports_, {}); }
  // The call is over: the container's name; unset: nobody waits for it.
  std::optional<std::string> call_over(const StopReport& report);

  [[nodiscard]] bool under_way(const std::string& id) const;
  [[nodiscard]] bool any_under_way() const;
  // Of the containers whose calls are under way: ids and names, by id.
  [[nodiscard]] std::vector<std::string> ids_under_way() const;
  [[nodiscard]] std::vector<std::string> names_under_way() const;

  // The container has ended: nothing but calls that are still under way is waited for.
  void ended(const std::string& id);
  // Nothing has been asked of it yet.
  void begin_again(const std::string& id);

 private:
  ContainerStop* known(const std::string& id);
  // Without a record that holds nothing.
  void tidy(const std::string& id);

  std::map<std::string, ContainerStop> stops_{};  // by container id
  std::vector<StopReport> reports_{};
  SandboxStops sandboxes_{};
};

}  // namespace berth::lifecycle
