#include "lifecycle/stops_under_way.hpp"

namespace berth::lifecycle {

void StopsUnderWay::begin(const std::string& id, const std::string& name, SteadyTime now,
                          SteadyTime kill_at) {
  last_told_.insert_or_assign(id, now);
  Stop& stop = stops_[id];
  stop.name = name;
  stop.kill_at.insert(kill_at);
}

std::vector<StopsUnderWay::Called> StopsUnderWay::shorten(SteadyTime kill_at) {
  std::vector<Called> again;
  for (const auto& [id, stop] : stops_)
    if (shorten(id, kill_at)) again.push_back({.id = id, .name = stop.name});
  return again;
}

bool StopsUnderWay::shorten(const std::string& id, SteadyTime kill_at) {
  const auto stop = stops_.find(id);
  if (stop == stops_.end() || *stop->second.kill_at.begin() <= kill_at) return false;
  stop->second.kill_at.insert(kill_at);
  stop->second.failed = false;
  return true;
}

std::optional<std::string> StopsUnderWay::end(const StopReport& report) {
  const auto stop = stops_.find(report.id);
  if (stop == stops_.end()) return std::nullopt;
  auto& calls = stop->second.kill_at;
  if (const auto call = calls.find(report.kill_at); call != calls.end()) calls.erase(call);
  if (report.error) stop->second.failed = true;
  std::string name = stop->second.name;
  if (calls.empty()) stops_.erase(stop);
  return name;
}

bool StopsUnderWay::partly_failed(const std::string& id) const {
  const auto stop = stops_.find(id);
  return stop != stops_.end() && stop->second.failed;
}

std::optional<SteadyTime> StopsUnderWay::last_told(const std::string& id) const {
  const auto told = last_told_.find(id);
  return told == last_told_.end() ? std::nullopt : std::optional(told->second);
}

std::vector<std::string> StopsUnderWay::ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, stop] : stops_) ids.push_back(id);
  return ids;
}

std::vector<std::string> StopsUnderWay::names() const {
  std::vector<std::string> names;
  for (const auto& [id, stop] : stops_) names.push_back(stop.name);
  return names;
}

}  // namespace berth::lifecycle
