// SPDX-License-Identifier: Apache-2.0

// The stops of one pod's containers: a record for each container id, and the answers of the runtime
// that the worker has not processed yet; and the stops of its sandboxes.
//
// The worker decides what to do next (stops_step.hpp), records here what it does, and makes the
// calls itself. A plain value; loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "lifecycle/worker/stops/container_stop.hpp"
#include "lifecycle/worker/stops/sandbox_stops.hpp"

namespace berth::lifecycle {

// What an order to end the pod means for the stops already under way.
struct StopsOrder {
  SteadyTime ordered_at{};   // when the end of the pod was first asked for
  std::int64_t seconds = 0;  // the grace period that it gives
  bool overtakes = false;    // the pod lived: its period replaces that of a stop that has
                             // not reached its container
};

// A StopContainer call that has been answered.
struct StopReport {
  std::string id{};
  SteadyTime kill_at{};          // which of the container's calls
  std::optional<Error> error{};  // unset if it is stopped, or did not exist
};

class ContainerStops {
 public:
  [[nodiscard]] SandboxStops& sandboxes() { return sandboxes_; }

  // Loads the stored stops, by container id; those in `resumed` continue with their grace period,
  // the others begin again when they are asked for, and stay stored until then.
  void recall(const std::map<std::string, StopMemory>& stored,
              const std::map<std::string, StopMemory>& resumed, const Instant& now);
  // The stops to store, by container id.
  [[nodiscard]] std::map<std::string, StopMemory> stored() const;

  // Null if the container is not being stopped.
  [[nodiscard]] const ContainerStop* find(const std::string& id) const;
  [[nodiscard]] const std::map<std::string, ContainerStop>& all() const { return stops_; }

  // Asks to stop a single container; the first request stands.
  void ask(ContainerKill kill);
  // The ids of containers whose single stop was asked for.
  [[nodiscard]] std::vector<std::string> singles() const;
  // The ids of containers that an earlier berthd was stopping, and whose stop has not been asked
  // for alone since.
  [[nodiscard]] std::vector<std::string> unasked() const;
  // The ids of all containers of which something is known here.
  [[nodiscard]] std::set<std::string> ids() const;
  void single_over(const std::string& id);
  void singles_over();

  // Returns the period in force; begins one now if there is none.
  StopPeriod begin(const std::string& id, const std::string& name, std::int64_t seconds,
                   const Instant& now);
  void order(const StopsOrder& order, const Instant& now);
  // A hook or signal is about to reach these containers. Returns those of them that neither had
  // reached before.
  [[nodiscard]] std::vector<std::string> reach(const std::vector<std::string>& ids);
  // Reverts reach(): neither hook nor signal was sent.
  void unreach(const std::vector<std::string>& ids);
  // True once for each stop.
  [[nodiscard]] bool report_killing(const std::string& id);

  void pre_stop_begun(const std::string& id);
  // The hook returned, or is no longer waited for. No effect if it does not run.
  void pre_stop_done(const std::string& id, SteadyTime now);
  // The outcome of the hook is unknown: it counts as done.
  void pre_stop_settled(const std::string& id, std::optional<SteadyTime> done_at);

  // StopContainer is called at `now`; the runtime kills at `kill_at`. From now on it is too late
  // for a preStop hook that has not begun.
  void call(const std::string& id, SteadyTime now, SteadyTime kill_at);
  // Adds another call that kills earlier; false if it would not kill earlier, or no call is under
  // way.
  [[nodiscard]] bool shorten(const std::string& id, SteadyTime kill_at);
  void answered(StopReport report) { reports_.push_back(std::move(report)); }
  [[nodiscard]] std::vector<StopReport> reports() { return std::exchange(reports_, {}); }
  // The call is over. Returns the container's name; unset if nobody waits for the call.
  std::optional<std::string> call_over(const StopReport& report);

  [[nodiscard]] bool under_way(const std::string& id) const;
  [[nodiscard]] bool any_under_way() const;
  // The containers with calls under way: ids and names, by id.
  [[nodiscard]] std::vector<std::string> ids_under_way() const;
  [[nodiscard]] std::vector<std::string> names_under_way() const;

  // The container has ended: only calls that are still under way are waited for.
  void ended(const std::string& id);
  // The stop begins again, as if nothing had been done for it yet.
  void begin_again(const std::string& id);

 private:
  ContainerStop* known(const std::string& id);
  // Removes the record if it holds nothing.
  void tidy(const std::string& id);

  std::map<std::string, ContainerStop> stops_{};  // by container id
  // As an earlier berthd stored them, by container id, until the container has ended.
  std::map<std::string, StopMemory> interrupted_{};
  std::vector<StopReport> reports_{};
  SandboxStops sandboxes_{};
};

}  // namespace berth::lifecycle
