// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/stops/container_stops.hpp"

#include <algorithm>

#include "base/assertion.hpp"

namespace berth::lifecycle {

void ContainerStops::recall(const std::map<std::string, StopMemory>& stored,
                            const std::map<std::string, StopMemory>& resumed, const Instant& now) {
  interrupted_ = stored;
  for (const auto& [id, stop] : resumed)
    stops_[id].in_force = {.period = recalled_period(stop, now), .stored = stop};
}

std::map<std::string, StopMemory> ContainerStops::stored() const {
  std::map<std::string, StopMemory> stored;
  for (const auto& [id, stop] : stops_)
    if (stop.in_force) stored.emplace(id, stop.in_force->stored);
  stored.insert(interrupted_.begin(), interrupted_.end());
  return stored;
}

const ContainerStop* ContainerStops::find(const std::string& id) const {
  const auto stop = stops_.find(id);
  return stop == stops_.end() ? nullptr : &stop->second;
}

ContainerStop* ContainerStops::known(const std::string& id) {
  const auto stop = stops_.find(id);
  return stop == stops_.end() ? nullptr : &stop->second;
}

void ContainerStops::tidy(const std::string& id) {
  const ContainerStop* stop = find(id);
  if (stop == nullptr || stop->single || stop->in_force || stop->calls.under_way()) return;
  if (!stop->killing_reported) stops_.erase(id);
}

void ContainerStops::ask(ContainerKill kill) {
  ContainerStop& stop = stops_[kill.id.str()];
  if (stop.single) return;
  stop.name = kill.name;
  stop.single = std::move(kill);
}

std::vector<std::string> ContainerStops::singles() const {
  std::vector<std::string> ids;
  for (const auto& [id, stop] : stops_)
    if (stop.single) ids.push_back(id);
  return ids;
}

std::vector<std::string> ContainerStops::unasked() const {
  std::vector<std::string> ids;
  for (const auto& [id, memory] : interrupted_) {
    const ContainerStop* stop = find(id);
    if (stop == nullptr || !stop->single) ids.push_back(id);
  }
  return ids;
}

std::set<std::string> ContainerStops::ids() const {
  std::set<std::string> ids;
  for (const auto& [id, stop] : stops_) ids.insert(id);
  for (const auto& [id, memory] : interrupted_) ids.insert(id);
  return ids;
}

void ContainerStops::single_over(const std::string& id) {
  if (ContainerStop* stop = known(id)) stop->single.reset();
  tidy(id);
}

void ContainerStops::singles_over() {
  const std::vector<std::string> ids = singles();
  for (const std::string& id : ids) single_over(id);
}

StopPeriod ContainerStops::begin(const std::string& id, const std::string& name,
                                 std::int64_t seconds, const Instant& now) {
  ContainerStop& stop = stops_[id];
  stop.name = name;
  if (!stop.in_force) {
    const StopPeriod period{.begun_at = now.steady, .seconds = seconds};
    stop.in_force = {.period = period, .stored = stored_as(period, false, now)};
  }
  return stop.in_force->period;
}

void ContainerStops::order(const StopsOrder& order, const Instant& now) {
  for (auto& [id, stop] : stops_) {
    if (!stop.in_force) continue;
    const bool reached = stop.in_force->stored.pre_stop;
    const StopPeriod period = ordered_period({.period = stop.in_force->period,
                                              .untouched = order.overtakes && !reached,
                                              .ordered_at = order.ordered_at,
                                              .seconds = order.seconds},
                                             now.steady);
    stop.in_force = {.period = period, .stored = stored_as(period, reached, now)};
  }
}

std::vector<std::string> ContainerStops::reach(const std::vector<std::string>& ids) {
  std::vector<std::string> newly;
  for (const std::string& id : ids) {
    ContainerStop* stop = known(id);
    if (stop == nullptr || !stop->in_force || stop->in_force->stored.pre_stop) continue;
    stop->in_force->stored.pre_stop = true;
    newly.push_back(id);
  }
  return newly;
}

void ContainerStops::unreach(const std::vector<std::string>& ids) {
  for (const std::string& id : ids)
    if (ContainerStop* stop = known(id); stop != nullptr && stop->in_force)
      stop->in_force->stored.pre_stop = false;
}

bool ContainerStops::report_killing(const std::string& id) {
  return !std::exchange(stops_[id].killing_reported, true);
}

void ContainerStops::pre_stop_begun(const std::string& id) {
  std::optional<PreStop>& hook = stops_[id].pre_stop;
  assert_that(!hook, "a preStop hook runs once in a stop", id);
  hook = PreStop{};
}

void ContainerStops::pre_stop_done(const std::string& id, SteadyTime now) {
  ContainerStop* stop = known(id);
  if (stop != nullptr && stop->pre_stop && !stop->pre_stop->done_at) stop->pre_stop->done_at = now;
}

void ContainerStops::pre_stop_settled(const std::string& id, std::optional<SteadyTime> done_at) {
  stops_[id].pre_stop = PreStop{.done_at = done_at};
}

void ContainerStops::call(const std::string& id, SteadyTime now, SteadyTime kill_at) {
  ContainerStop& stop = stops_[id];
  stop.calls.last_sent = now;
  stop.calls.kill_at.insert(kill_at);
  if (!stop.pre_stop) stop.pre_stop = PreStop{.done_at = now};
}

bool ContainerStops::shorten(const std::string& id, SteadyTime kill_at) {
  ContainerStop* stop = known(id);
  if (stop == nullptr || !stop->calls.under_way()) return false;
  if (*stop->calls.kill_at.begin() <= kill_at) return false;
  stop->calls.kill_at.insert(kill_at);
  stop->calls.one_failed = false;
  return true;
}

std::optional<std::string> ContainerStops::call_over(const StopReport& report) {
  ContainerStop* stop = known(report.id);
  if (stop == nullptr || !stop->calls.under_way()) return std::nullopt;
  StopCalls& calls = stop->calls;
  if (const auto call = calls.kill_at.find(report.kill_at); call != calls.kill_at.end())
    calls.kill_at.erase(call);
  calls.one_failed = calls.under_way() && (calls.one_failed || report.error);
  std::string name = stop->name;
  tidy(report.id);
  return name;
}

bool ContainerStops::under_way(const std::string& id) const {
  const ContainerStop* stop = find(id);
  return stop != nullptr && stop->calls.under_way();
}

bool ContainerStops::any_under_way() const {
  return std::ranges::any_of(stops_,
                             [](const auto& entry) { return entry.second.calls.under_way(); });
}

std::vector<std::string> ContainerStops::ids_under_way() const {
  std::vector<std::string> ids;
  for (const auto& [id, stop] : stops_)
    if (stop.calls.under_way()) ids.push_back(id);
  return ids;
}

std::vector<std::string> ContainerStops::names_under_way() const {
  std::vector<std::string> names;
  for (const auto& [id, stop] : stops_)
    if (stop.calls.under_way()) names.push_back(stop.name);
  return names;
}

void ContainerStops::ended(const std::string& id) {
  interrupted_.erase(id);
  ContainerStop* stop = known(id);
  if (stop == nullptr) return;
  stop->in_force.reset();
  stop->pre_stop.reset();
  stop->killing_reported = false;
  stop->calls.last_sent.reset();
  tidy(id);
}

void ContainerStops::begin_again(const std::string& id) {
  ContainerStop* stop = known(id);
  if (stop == nullptr) return;
  stop->in_force.reset();
  stop->pre_stop.reset();
  stop->calls.last_sent.reset();
  tidy(id);
}

}  // namespace berth::lifecycle
