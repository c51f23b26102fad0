// SPDX-License-Identifier: Apache-2.0

// The runtime's events as they happen: hints to look again, never the state itself.
//
// Implemented over a real runtime (cri/client_events.hpp) and by the simulation. One reader, on the
// loop thread. Events may be lost, duplicated, late, or ahead of what CRI shows; a reader that
// receives kResubscribed, or whose relist finds a change without an event, lists everything.
#pragma once

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "cri/types.hpp"

namespace berth::cri {

// Reported by `status`, metrics and the log.
struct ConnectionState {
  bool connected = false;
  // Those of the runtime that answered last; unset before the first answer.
  std::optional<Features> features{};
  // Why the stream is not open, or why it was last reopened; unset if it never failed.
  std::optional<Error> last_error{};
};

class EventStream {
 public:
  EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  virtual ~EventStream() = default;

  // Waits for the next event, in order of arrival. The first event of every (re)opened stream is
  // kResubscribed. If cancelled, throws system_error(operation_aborted).
  [[nodiscard]] virtual boost::asio::awaitable<Event> next() = 0;

  // Closes the stream and opens another one at once. Call it when a relist found a change that the
  // stream should have reported: the stream is then broken although it is open. If no stream is
  // open, retries at once: call it when the runtime may have been replaced by another one.
  virtual void reconnect(std::string reason) = 0;

  [[nodiscard]] virtual const ConnectionState& state() const = 0;
  [[nodiscard]] bool connected() const { return state().connected; }
};

}  // namespace berth::cri
