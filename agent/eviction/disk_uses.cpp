// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/disk_uses.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace berth::agent {
namespace {

// One to two periods, the same for a path whenever it is asked.
Nanoseconds spread(Nanoseconds period, const std::string& path) {
  constexpr std::size_t kParts = 1000;
  const auto part = static_cast<std::int64_t>(std::hash<std::string>{}(path) % kParts);
  return period + period * part / static_cast<std::int64_t>(kParts);
}

struct Walked {
  std::vector<NamedWalk> walks{};
  std::size_t entries = 0;
};

Walked walk_all(std::vector<NamedWalk> walks, std::size_t entries) {
  Walked out{.walks = std::move(walks)};
  for (NamedWalk& named : out.walks) {
    if (out.entries >= entries) break;
    out.entries += std::max<std::size_t>(named.walk.step(entries - out.entries), 1);
  }
  return out;
}

}  // namespace

void DiskUses::watch(const std::vector<std::string>& paths) {
  const std::set<std::string> wanted(paths.begin(), paths.end());
  std::erase_if(places_, [&](const auto& place) { return !wanted.contains(place.first); });
  if (period_ <= Nanoseconds::zero()) return;
  const SteadyTime now = clock_.steady_now();
  for (const std::string& path : wanted) places_.try_emplace(path, Place{.due = now});
}

std::optional<MeasuredUse> DiskUses::of(const std::string& path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? std::nullopt : found->second.measured;
}

std::optional<SteadyTime> DiskUses::next_step() const {
  if (places_.empty()) return std::nullopt;
  const auto soonest =
      std::ranges::min_element(places_, {}, [](const auto& place) { return place.second.due; });
  return std::max(soonest->second.due, rested_until_);
}

std::vector<NamedWalk> DiskUses::take_due() {
  const SteadyTime now = clock_.steady_now();
  std::vector<std::pair<SteadyTime, std::string>> due;
  for (const auto& [path, place] : places_)
    if (place.due <= now + kTakenAlong) due.emplace_back(place.due, path);
  std::ranges::sort(due);
  std::vector<NamedWalk> walks;
  if (due.empty() || due.front().first > now) return walks;
  for (const auto& [when, path] : due) {
    Place& place = places_.at(path);
    if (!place.walk) {
      place.walk.emplace(path);
      place.began = clock_.wall_now();
    }
    walks.push_back({path, std::move(*place.walk)});
    place.walk.reset();
  }
  return walks;
}

void DiskUses::take_back(NamedWalk named) {
  const auto found = places_.find(named.path);
  if (found == places_.end()) return;  // forgotten meanwhile
  Place& place = found->second;
  if (!named.walk.over()) {
    place.walk = std::move(named.walk);
    return;
  }
  place.measured.reset();
  if (named.walk.result())
    place.measured = MeasuredUse{.used = *named.walk.result(), .time = place.began};
  place.due = clock_.steady_now() + spread(period_, named.path);
}

boost::asio::awaitable<std::size_t> DiskUses::step() {
  std::vector<NamedWalk> walks = take_due();
  if (walks.empty()) co_return 0;
  const std::string what = "measuring " + walks.front().path;
  std::function<Walked()> work = [walks = std::move(walks)]() mutable {
    return walk_all(std::move(walks), kEntriesAStep);
  };
  Walked walked = co_await pool_.run(what, std::move(work));
  for (NamedWalk& named : walked.walks) take_back(std::move(named));
  rested_until_ = clock_.steady_now() + kStepPause;
  co_return walked.entries;
}

}  // namespace berth::agent
