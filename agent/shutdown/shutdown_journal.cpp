// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/shutdown_journal.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::agent {

// The event's words are the kubelet's.
void ShutdownJournal::announced(bool shutting_down) {
  services_.events.record_node(false, "Shutdown",
                               shutting_down ? "Shutdown manager detected shutdown event"
                                             : "Shutdown manager detected shutdown cancellation");
  services_.show(shutting_down);
  const WallTime now = services_.clock.wall_now();
  change(shutting_down ? begun(now) : ended(times_, now));
}

void ShutdownJournal::ordered(const lifecycle::PlannedStop& stop,
                              const lifecycle::ShutdownGroup& group,
                              const lifecycle::Ending& ending) {
  const std::string why = fmt::format(
      "the machine is about to shut down: the pod has {} s to stop; its group, priority {} and "
      "higher, has {} s",
      stop.grace.count(), group.priority, group.period.count());
  const std::string record =
      lifecycle::PodLedger(services_.ledger)
          .happened(*stop.pod, ending.requested_at, {}, lifecycle::Remark{"NodeShutdown", why});
  services_.log.info("NodeShutdown", why, lifecycle::pod_fields(*stop.pod, record));
}

void ShutdownJournal::left_behind(const lifecycle::ShutdownGroup& group, const LeftBehind& left) {
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& pods) {
    if (pods.empty()) return;
    text += fmt::format("{} within {} s: {}; ", what, group.period.count(), fmt::join(pods, ", "));
  };
  add("not stopped", left.running);
  add("volumes and cgroup not removed", left.unreleased);
  services_.log.warn("ShutdownPeriodOver", text + "the shutdown goes on");
}

void ShutdownJournal::exceeded_grace_period(const api::Pod& pod) {
  const std::string reason(lifecycle::kExceededGracePeriod);
  const std::string message(lifecycle::kExceededGracePeriodMessage);
  services_.events.record(
      pod, {.level = lifecycle::EventLevel::kWarning, .reason = reason, .message = message});
  services_.log.warn(reason,
                     fmt::format("{}/{} was stopped by the shutdown and still runs; berthd keeps "
                                 "trying to stop it. {}",
                                 pod.metadata.namespace_, pod.metadata.name, message),
                     lifecycle::pod_fields(pod));
}

void ShutdownJournal::all_stopped() {
  services_.log.info("NodeShutdown", "every group of pods had its turn: the machine may shut down");
  change(ended(times_, services_.clock.wall_now()));
}

void ShutdownJournal::restore_times(const ShutdownTimes& earlier) {
  if (!times_.start) times_ = earlier;
}

void ShutdownJournal::change(const ShutdownTimes& times) {
  if (times == times_) return;
  times_ = times;
  if (services_.keep) services_.keep(times_);
}

void ShutdownJournal::comes_back(const api::Pod& pod) {
  services_.log.info("StoppedPodReturns",
                     "a shutdown of the node had stopped or refused the pod: berthd starts a new "
                     "incarnation",
                     lifecycle::pod_fields(pod));
}

void ShutdownJournal::complains(const std::string& complaint) {
  services_.log.warn("ShutdownDelay", complaint);
}

}  // namespace berth::agent
