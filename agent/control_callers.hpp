// Who is connected to the control socket, and who goes when there is no more room.
//
// A connection without a call costs its caller nothing and berthd two descriptors and some memory.
// So when a user has as many as one may have, or all have, or descriptors are short, the one goes
// that has had no call for the longest; one that has a call (a watch, an exec) stays. Nobody's
// connections and calls keep another user out, and nobody has berthd keep answers without end by
// asking and never reading. Loop thread only.
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
  // Of answers that a user's callers have not taken yet; one answer may be larger.
  std::size_t unread_bytes_of_user = std::size_t{32} << 20;
};

class ControlCallers {
  // Of a user, over all connections.
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

  // One connection, for as long as it lives.
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

  // One call, for as long as it lives; it may outlive its connection.
  class Call {
   public:
    Call(const Clock& clock, std::shared_ptr<Place> place, std::size_t most_unread);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call();

    [[nodiscard]] uid_t user() const { return place_->user; }
    // Whether an answer of so many bytes may wait to be read, which it then does as long as this
    // lives. Once.
    [[nodiscard]] bool may_answer(std::size_t bytes);

   private:
    const Clock& clock_;
    std::shared_ptr<Place> place_;
    std::size_t most_unread_;
    std::size_t unread_ = 0;
  };

  // Whether there is room for one more of the user's, if need be because another goes (soon, not at
  // once). `short_of_descriptors`: one has to go in any case.
  [[nodiscard]] bool make_room(uid_t user, bool short_of_descriptors);
  // One that has come; `peer`: what its calls will say they come from. `close` ends it soon.
  [[nodiscard]] std::unique_ptr<Connection> connected(uid_t user, std::string peer,
                                                      std::function<void()> close);
  // Null: its connection was gone before it was taken.
  [[nodiscard]] std::unique_ptr<Call> begun(const std::string& peer) const;
  // The one, of this user if one is given, that has had no call for the longest; false: all have.
  bool close_idlest(std::optional<uid_t> user);
  // All that have no call.
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
