// What the runtime says happened, as it happens: hints to look, never the state itself.
//
// Implemented over a real runtime (cri/client_events.hpp) and by the simulation. One reader, on
// the loop thread. Events may be lost, doubled, late, or ahead of what CRI shows; a reader that
// gets kResubscribed, or whose relist finds what no event told, looks at everything.
#pragma once

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "cri/types.hpp"

namespace berth::cri {

// For `status`, metrics and the log.
struct ConnectionState {
  bool connected = false;
  // Of the runtime that answered last; none before the first answer.
  std::optional<Features> features{};
  // Why the stream is not open, or why it was opened again last; none if it never failed.
  std::optional<Error> last_error{};
};

class EventStream {
 public:
  EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  virtual ~EventStream() = default;

  // The next event, in the order in which they came; waits for one. The first event of every
  // (re)opened stream is kResubscribed. Cancelled, it throws system_error(operation_aborted).
  [[nodiscard]] virtual boost::asio::awaitable<Event> next() = 0;

  // A relist found a change that the stream should have told: the stream is broken although it is
  // open. Closes it and opens another, without waiting.
  virtual void reconnect(std::string reason) = 0;

  [[nodiscard]] virtual const ConnectionState& state() const = 0;
  [[nodiscard]] bool connected() const { return state().connected; }
};

}  // namespace berth::cri
