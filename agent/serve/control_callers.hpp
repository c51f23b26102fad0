// SPDX-License-Identifier: Apache-2.0

// Who is connected to the control socket, and which connection is closed when there is no more
// room.
//
// A connection without a call costs its caller nothing and berthd two descriptors and some memory.
// So when a user, or all users together, reach their limit, or descriptors are short, the
// connection without a call for the longest time is closed; one with a call (a watch, an exec)
// stays. No user's connections and calls can keep another user out, and nobody can make berthd hold
// unlimited answers by never reading them. Loop thread only.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.hpp"

namespace berth::agent {

struct CallerLimits {
  std::size_t connections = 512;
  std::size_t connections_of_user = 256;
  // Limits the answers that a user's callers have not read yet; a single answer may be larger.
  std::size_t unread_bytes_of_user = std::size_t{32} << 20;
};

class ControlCallers {
  // Per user, over all connections.
  struct Account {
    std::size_t unread_bytes = 0;
  };
  struct Place {
    uid_t user = 0;
    std::shared_ptr<Account> account{};
    std::string peer{};
    std::function<void()> close{};
    SteadyTime idle_since{};
    std::size_t calls = 0;
    bool closing = false;
  };

 public:
  explicit ControlCallers(const Clock& clock, CallerLimits limits = {})
      : clock_(clock), limits_(limits) {}

  // One connection, for its lifetime.
  class Connection {
   public:
    Connection(ControlCallers& callers, std::shared_ptr<Place> place)
        : callers_(callers), place_(std::move(place)) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() { callers_.places_.remove(place_); }

   private:
    ControlCallers& callers_;
    std::shared_ptr<Place> place_;
  };

  // One call, for its lifetime; it may outlive its connection.
  class Call {
   public:
    Call(const Clock& clock, std::shared_ptr<Place> place, std::size_t most_unread);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call();

    [[nodiscard]] uid_t user() const { return place_->user; }
    // Whether an answer of this size may wait to be read; if so, it counts until this is destroyed.
    // Call once.
    [[nodiscard]] bool may_answer(std::size_t bytes);

   private:
    const Clock& clock_;
    std::shared_ptr<Place> place_;
    std::size_t most_unread_;
    std::size_t unread_ = 0;
  };

  // Whether there is room for one more connection of the user, if necessary by closing another
  // (soon, not at once). `short_of_descriptors`: one must be closed in any case.
  [[nodiscard]] bool make_room(uid_t user, bool short_of_descriptors);
  // A new connection; `peer`: the peer that its calls will report. `close` ends it soon.
  [[nodiscard]] std::unique_ptr<Connection> connected(uid_t user, std::string peer,
                                                      std::function<void()> close);
  // Null if the connection was gone before the call was accepted.
  [[nodiscard]] std::unique_ptr<Call> begun(const std::string& peer) const;
  // Closes the connection (of this user if given) that has been without a call for the longest;
  // false if all have calls.
  bool close_idlest(std::optional<uid_t> user);
  // Closes all connections without a call.
  void close_idle();

 private:
  [[nodiscard]] std::size_t open(std::optional<uid_t> user) const;
  [[nodiscard]] std::shared_ptr<Account> account_of(uid_t user);

  const Clock& clock_;
  CallerLimits limits_;
  std::list<std::shared_ptr<Place>> places_{};
  std::map<uid_t, std::weak_ptr<Account>> accounts_{};
};

}  // namespace berth::agent
