#include "lifecycle/stops_under_way.hpp"

namespace berth::lifecycle {

void StopsUnderWay::begin(const std::string& id, const std::string& name, SteadyTime now,
                          SteadyTime kill_at) {
  last_told_.insert_or_assign(id, now);
  Stop& stop = stops_[id];
  stop.name = name;
  stop.calls += 1;
  stop.kill_at = kill_at;
}

std::vector<StopsUnderWay::Called> StopsUnderWay::shorten(SteadyTime kill_at) {
  std::vector<Called> again;
  for (auto& [id, stop] : stops_) {
    if (stop.kill_at <= kill_at) continue;
    stop.kill_at = kill_at;
    stop.calls += 1;
    again.push_back({.id = id, .name = stop.name});
  }
  return again;
}

std::optional<std::string> StopsUnderWay::end(const std::string& id) {
  const auto stop = stops_.find(id);
  if (stop == stops_.end()) return std::nullopt;
  std::string name = stop->second.name;
  if (--stop->second.calls == 0) stops_.erase(stop);
  return name;
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
