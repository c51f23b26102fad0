// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/disk_uses.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace berth::agent {
namespace {

// One to two periods, always the same for a path.
Nanoseconds spread(Nanoseconds period, const std::string& path) {
  constexpr std::size_t kParts = 1000;
  const auto part = static_cast<std::int64_t>(std::hash<std::string>{}(path) % kParts);
  return period + period * part / static_cast<std::int64_t>(kParts);
}

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
  watch_also(paths);
}

void DiskUses::watch_also(const std::vector<std::string>& paths) {
  if (period_ <= Nanoseconds::zero()) return;
  const SteadyTime now = clock_.steady_now();
  for (const std::string& path : paths) places_.try_emplace(path, Place{.due = now});
}

std::optional<MeasuredUse> DiskUses::of(const std::string& path) const {
  const auto found = places_.find(path);
  if (found == places_.end() || !found->second.measured) return std::nullopt;
  const MeasuredUse& measured = *found->second.measured;
  const Nanoseconds allowed = kPeriodsAllowed * period_ + (measured.ended - measured.began);
  if (clock_.steady_now() - measured.ended > allowed) return std::nullopt;
  return measured;
}

std::optional<SteadyTime> DiskUses::next_step() const {
  if (places_.empty()) return std::nullopt;
  const auto soonest =
      std::ranges::min_element(places_, {}, [](const auto& place) { return place.second.due; });
  return std::max(soonest->second.due, rested_until_);
}

std::vector<NamedWalk> DiskUses::move_out_due() {
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
      place.began = now;
    }
    walks.push_back({path, std::move(*place.walk), place.began});
    place.walk.reset();
  }
  return walks;
}

void DiskUses::move_back(NamedWalk named) {
  const auto found = places_.find(named.path);
  if (found == places_.end()) return;  // forgotten meanwhile
  Place& place = found->second;
  if (place.measured && place.measured->began > named.began) return;  // renewed meanwhile
  if (!named.walk.over()) {
    place.walk = std::move(named.walk);
    return;
  }
  place.walk.reset();
  place.measured.reset();
  if (named.walk.result())
    place.measured = MeasuredUse{
        .used = *named.walk.result(), .began = named.began, .ended = clock_.steady_now()};
  place.due = clock_.steady_now() + spread(period_, named.path);
}

boost::asio::awaitable<std::size_t> DiskUses::step() {
  std::vector<NamedWalk> walks = move_out_due();
  if (walks.empty()) co_return 0;
  const std::string what = "measuring " + walks.front().path;
  std::function<Walked()> work = [walks = std::move(walks)]() mutable {
    return walk_all(std::move(walks), kEntriesAStep);
  };
  Walked walked = co_await pool_.run(what, std::move(work));
  for (NamedWalk& named : walked.walks) move_back(std::move(named));
  rested_until_ = clock_.steady_now() + kStepPause;
  co_return walked.entries;
}

// Small ones first, by their last size; those of unknown size come last.
std::vector<NamedWalk> DiskUses::begin_anew(std::vector<std::string> paths) const {
  const auto size = [this](const std::string& path) {
    const auto& measured = places_.at(path).measured;
    return measured ? measured->used.inodes.value_or(0) : std::numeric_limits<std::int64_t>::max();
  };
  std::erase_if(paths, [this](const std::string& path) { return !places_.contains(path); });
  std::ranges::stable_sort(paths, {}, size);
  std::vector<NamedWalk> walks;
  for (std::string& path : paths) {
    DiskWalk walk(path);
    walks.push_back({std::move(path), std::move(walk), clock_.steady_now()});
  }
  return walks;
}

boost::asio::awaitable<void> DiskUses::renew(std::vector<std::string> paths, SteadyTime until,
                                             PatientWork<Walked>& by) {
  std::vector<NamedWalk> walks = begin_anew(std::move(paths));
  while (!walks.empty() && clock_.steady_now() < until) {
    const std::string what = "measuring " + walks.front().path + " anew";
    std::function<Walked()> work = [walks = std::move(walks)]() mutable {
      return walk_all(std::move(walks), kEntriesAStep);
    };
    auto stepping = by.run(what, std::move(work), until - clock_.steady_now());
    std::optional<Walked> walked = co_await std::move(stepping);
    if (!walked) co_return;
    walks.clear();
    for (NamedWalk& named : walked->walks) {
      if (named.walk.over())
        move_back(std::move(named));
      else
        walks.push_back(std::move(named));
    }
  }
}

}  // namespace berth::agent
