// SPDX-License-Identifier: Apache-2.0

// gRPC calls to a server on a unix socket, made on the loop alone.
//
// Our own loop reads and writes the bytes, using nghttp2 for HTTP/2: a call costs one write and one
// wake-up and involves no thread, and an idle channel causes no wake-ups. (gRPC's library hands
// every call to threads of its own and back, which costs more than everything berthd itself does
// between two calls to a runtime.)
//
// The first call opens the connection. A call on a connection that has ended opens another one; if
// nobody listens, it ends at once with UNAVAILABLE. If a server accepts but does not speak HTTP/2
// within 5 s (a socket accepts before the server behind it does, and a busy server needs a while),
// the channel gives up the connection, and its calls end with UNAVAILABLE.
//
// Giving up a call while no other is under way closes the connection: the server may be in the
// middle of a write that nobody would read, and would keep the call until that write is done.
//
// A malformed answer is never a success, and ends as little as possible: only the call, or the
// connection if the bytes are not HTTP/2.
//
// Loop thread only. The channel outlives its calls; between calls it does not keep the loop
// running.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <grpcpp/support/status.h>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"

namespace berth {

// One call, from its start to its end; the typed forms are in base/loop_call.hpp.
class LoopCall {
 public:
  virtual ~LoopCall() = default;

  // The next message; `std::nullopt` once the call has ended. Cancelling the wait cancels the call.
  // One reader at a time.
  [[nodiscard]] virtual boost::asio::awaitable<std::optional<std::string>> next() = 0;
  // Valid once the call has ended.
  [[nodiscard]] virtual const grpc::Status& status() const = 0;
  // Ends the call here at once, and notifies the server.
  virtual void cancel() = 0;
};

class LoopChannel {
 public:
  struct Limits {
    std::size_t receive_bytes = std::size_t{4} << 20;  // per message; gRPC's own default
    Nanoseconds handshake = std::chrono::seconds(5);   // until the server speaks HTTP/2
    // While calls wait, a server that is silent for this long is pinged, and the connection is
    // given up if it does not answer in time. grpc-go ends connections that ping more than once in
    // five minutes.
    Nanoseconds silence = std::chrono::seconds(310);
    Nanoseconds sign_of_life = std::chrono::seconds(20);
  };

  // `endpoint`: a path, or "unix:///...".
  LoopChannel(boost::asio::any_io_executor loop, const std::string& endpoint, Limits limits);
  LoopChannel(const LoopChannel&) = delete;
  LoopChannel& operator=(const LoopChannel&) = delete;
  ~LoopChannel();

  // `method`: "/package.Service/Method"; `request`: the serialized message. `limit` counts from
  // now.
  [[nodiscard]] std::shared_ptr<LoopCall> start(const std::string& method,
                                                const std::string& request,
                                                std::optional<Nanoseconds> limit);

 private:
  class Call;
  class Session;

  boost::asio::any_io_executor loop_;
  std::string path_;
  Limits limits_;
  std::shared_ptr<Session> session_{};  // the newest connection; null before the first
};

}  // namespace berth
