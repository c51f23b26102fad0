// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_callers.hpp"

#include <algorithm>
#include <ranges>

namespace berth::agent {

ControlCallers::Call::Call(const Clock& clock, std::shared_ptr<Place> place,
                           std::size_t most_unread)
    : clock_(clock), place_(std::move(place)), most_unread_(most_unread) {
  ++place_->calls;
}

ControlCallers::Call::~Call() {
  --place_->calls;
  place_->account->unread_bytes -= unread_;
  place_->idle_since = clock_.steady_now();
}

bool ControlCallers::Call::may_answer(std::size_t bytes) {
  std::size_t& all = place_->account->unread_bytes;
  if (all > 0 && all + bytes > most_unread_) return false;
  unread_ = bytes;
  all += bytes;
  return true;
}

std::shared_ptr<ControlCallers::Account> ControlCallers::account_of(uid_t user) {
  std::erase_if(accounts_, [](const auto& known) { return known.second.expired(); });
  if (const auto known = accounts_[user].lock()) return known;
  const auto account = std::make_shared<Account>();
  accounts_[user] = account;
  return account;
}

std::size_t ControlCallers::open(std::optional<uid_t> user) const {
  return static_cast<std::size_t>(std::ranges::count_if(places_, [&](const auto& place) {
    return !place->closing && (!user || place->user == *user);
  }));
}

bool ControlCallers::close_idlest(std::optional<uid_t> user) {
  auto idle = places_ | std::views::filter([&](const auto& place) {
                return !place->closing && place->calls == 0 && (!user || place->user == *user);
              });
  const auto found =
      std::ranges::min_element(idle, {}, [](const auto& place) { return place->idle_since; });
  if (found == idle.end()) return false;
  (*found)->closing = true;
  (*found)->close();
  return true;
}

bool ControlCallers::make_room(uid_t user, bool short_of_descriptors) {
  if (open(user) >= limits_.connections_of_user) return close_idlest(user);
  if (short_of_descriptors || open({}) >= limits_.connections) return close_idlest({});
  return true;
}

std::unique_ptr<ControlCallers::Connection> ControlCallers::connected(uid_t user, std::string peer,
                                                                      std::function<void()> close) {
  auto place = std::make_shared<Place>(Place{.user = user,
                                             .account = account_of(user),
                                             .peer = std::move(peer),
                                             .close = std::move(close),
                                             .idle_since = clock_.steady_now()});
  places_.push_back(place);
  return std::make_unique<Connection>(*this, std::move(place));
}

std::unique_ptr<ControlCallers::Call> ControlCallers::begun(const std::string& peer) const {
  // A freed descriptor number may be reused before the end of its former connection is seen.
  for (const auto& place : places_ | std::views::reverse)
    if (place->peer == peer)
      return std::make_unique<Call>(clock_, place, limits_.unread_bytes_of_user);
  return nullptr;
}

void ControlCallers::close_idle() {
  while (close_idlest({})) continue;
}

}  // namespace berth::agent
