// SPDX-License-Identifier: Apache-2.0

// The real event stream: CRI's GetContainerEvents if the runtime implements it and sends events to
// every subscriber, else containerd's own event service (1.6, 1.7).
//
// One task keeps the stream open: it queries the runtime's version and features (the runtime may
// have been upgraded), subscribes, and reads until the stream ends. Then it tries again after 100
// ms, doubling up to 1 s and starting over at 100 ms once a stream was open; or every minute if the
// runtime has no events. kResubscribed is delivered once the subscription has settled, so that a
// reader which then lists everything misses nothing. Unread events are bounded; beyond the bound
// they are dropped and replaced by one kResubscribed, which asks for a superset.
//
// Owned by the agent, on the loop thread; the given task group must be joined before the stream is
// destroyed.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "base/task_group.hpp"
#include "cri/client.hpp"
#include "cri/event_stream.hpp"

namespace berth::cri {

class ClientEvents final : public EventStream {
 public:
  ClientEvents(Clock& clock, boost::asio::any_io_executor loop, TaskGroup& tasks,
               std::shared_ptr<Connection> connection);
  ~ClientEvents() override;

  // Must be called exactly once.
  void start();

  [[nodiscard]] boost::asio::awaitable<Event> next() override;
  void reconnect(std::string reason) override;
  [[nodiscard]] const ConnectionState& state() const override { return state_; }

 private:
  boost::asio::awaitable<void> keep_open();
  boost::asio::awaitable<Error> subscribe();
  boost::asio::awaitable<Error> read_cri();
  boost::asio::awaitable<Error> read_containerd();
  template <class Stream>
  boost::asio::awaitable<Error> read_until_end(Stream& stream);
  boost::asio::awaitable<void> settle(std::uint64_t session);

  void opened(std::uint64_t session);
  void push(Event event);

  Clock& clock_;
  TaskGroup& tasks_;
  std::shared_ptr<Connection> connection_;
  ConnectionState state_{};
  std::deque<Event> unread_{};
  Notification arrived_;
  Notification retry_now_;
  std::uint64_t session_ = 0;                   // counts attempts; a settler of an old session does
                                                // nothing
  bool settled_ = false;                        // kResubscribed was delivered in this session
  bool over_cri_ = false;                       // false: over containerd's own service
  std::function<void()> end_session_{};         // set while a stream is open
  std::optional<std::string> ask_to_reopen_{};  // the reason given to reconnect
};

}  // namespace berth::cri
