// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/unclaimed_stops.hpp"

#include <cstddef>

namespace berth::lifecycle {
namespace {

constexpr std::size_t kKept = 256;

}  // namespace

void UnclaimedStops::add(const std::string& id, const StopNews& news) {
  if (!stops_.try_emplace(id, news).second) return;
  order_.push_back(id);
  if (order_.size() <= kKept) return;
  stops_.erase(order_.front());
  order_.pop_front();
}

std::optional<StopNews> UnclaimedStops::claim(const std::string& id) {
  const auto found = stops_.find(id);
  if (found == stops_.end()) return std::nullopt;
  const StopNews news = found->second;
  stops_.erase(found);
  std::erase(order_, id);
  return news;
}

}  // namespace berth::lifecycle
