// gRPC calls to a server on a unix socket, made by the loop alone.
//
// The bytes are read and written on our own loop, with nghttp2 for HTTP/2: a call costs one write
// and one wake-up, no thread takes part, and without calls nothing wakes up. (gRPC's library hands
// every call to threads of its own and back, which costs more than all that berthd itself does
// between two calls to a runtime.)
//
// Nothing is opened before the first call. A call on a connection that has ended opens another
// one; where nobody listens it ends at once, UNAVAILABLE. A server that accepts and does not speak
// HTTP/2 within 5 s (a socket accepts before the server behind it does, and a busy one needs a
// while) is given up, and what was asked of it is UNAVAILABLE.
//
// What a server says wrong is never a success, and ends no more than it must: the call, or the
// connection if it is not HTTP/2.
//
// Loop thread only. The channel outlives its calls; between calls it does not keep the loop going.
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

  // The next message; none: the call has ended. Cancelled, it cancels the call. One reader.
  [[nodiscard]] virtual boost::asio::awaitable<std::optional<std::string>> next() = 0;
  // Once it has ended.
  [[nodiscard]] virtual const grpc::Status& status() const = 0;
  // Ends it here at once, and tells the server.
  virtual void cancel() = 0;
};

class LoopChannel {
 public:
  struct Limits {
    std::size_t receive_bytes = std::size_t{4} << 20;  // of one message; gRPC's own default
    Nanoseconds handshake = std::chrono::seconds(5);   // until the server speaks HTTP/2
    // While calls wait, a server that says nothing for so long is asked whether it is there, and
    // given up if it does not answer in time. grpc-go ends connections that ask more than once in
    // five minutes.
    Nanoseconds silence = std::chrono::seconds(310);
    Nanoseconds sign_of_life = std::chrono::seconds(20);
  };

  // `endpoint`: a path, or "unix:///...".
  LoopChannel(boost::asio::any_io_executor loop, const std::string& endpoint, Limits limits);
  LoopChannel(const LoopChannel&) = delete;
  LoopChannel& operator=(const LoopChannel&) = delete;
  ~LoopChannel();

  // `method`: "/package.Service/Method"; `request`: its message's bytes. `limit`: from now.
  [[nodiscard]] std::shared_ptr<LoopCall> start(const std::string& method,
                                                const std::string& request,
                                                std::optional<Nanoseconds> limit);

 private:
  class Call;
  class Session;

  boost::asio::any_io_executor loop_;
  std::string path_;
  Limits limits_;
  std::shared_ptr<Session> session_{};  // the newest connection; none: there was none yet
};

}  // namespace berth
