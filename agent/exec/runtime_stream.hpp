// SPDX-License-Identifier: Apache-2.0

// A connection to the container runtime's streaming server, plain or over TLS, as a stream that
// Beast can use.
//
// A failed write counts as success and makes the stream `deaf`, because Beast reads nothing more
// after a failure: a command that ends without reading all its input makes the runtime close the
// connection, and its result must still be read.
//
// Over TLS the certificate is not verified. The runtime makes one of its own at each start, and the
// address with its one-time token came from the runtime itself, through its socket, which only root
// can use. Loop thread only.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include "base/no_throw.hpp"

namespace berth::agent {

class RuntimeStream {
 public:
  using executor_type = boost::beast::tcp_stream::executor_type;
  using next_layer_type = boost::beast::tcp_stream;

  explicit RuntimeStream(boost::asio::any_io_executor executor) : tcp_(std::move(executor)) {}

  [[nodiscard]] executor_type get_executor() { return tcp_.get_executor(); }
  [[nodiscard]] next_layer_type& next_layer() { return tcp_; }
  // Whether the peer no longer receives what is written.
  [[nodiscard]] bool deaf() const { return deaf_; }

  // Call before anything has been sent on the connection.
  boost::asio::awaitable<boost::system::error_code> start_tls() {
    tls_.emplace(tcp_);
    const auto shaken =
        co_await tls_->stream.async_handshake(boost::asio::ssl::stream_base::client, kNoThrow);
    co_return std::get<0>(shaken);
  }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    if (tls_) return tls_->stream.async_read_some(buffers, std::forward<Token>(token));
    return tcp_.async_read_some(buffers, std::forward<Token>(token));
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    auto write = [this, buffers, begun = false](auto& self, boost::system::error_code error = {},
                                                std::size_t count = 0) mutable {
      if (!std::exchange(begun, true)) {
        if (tls_)
          tls_->stream.async_write_some(buffers, std::move(self));
        else
          tcp_.async_write_some(buffers, std::move(self));
      } else if (error && error != boost::asio::error::operation_aborted) {
        deaf_ = true;
        self.complete({}, boost::asio::buffer_size(buffers));
      } else {
        self.complete(error, count);
      }
    };
    return boost::asio::async_compose<Token, void(boost::system::error_code, std::size_t)>(
        std::move(write), token, tcp_);
  }

 private:
  struct Tls {
    explicit Tls(boost::beast::tcp_stream& tcp) : stream(tcp, context) {
      context.set_verify_mode(boost::asio::ssl::verify_none);
    }
    boost::asio::ssl::context context{boost::asio::ssl::context::tls_client};
    boost::asio::ssl::stream<boost::beast::tcp_stream&> stream;
  };

  boost::beast::tcp_stream tcp_;
  std::optional<Tls> tls_{};  // unset if plain
  bool deaf_ = false;
};

// The customisation point that Beast requires of a stream type it does not know.
[[maybe_unused]] inline void teardown(boost::beast::role_type role, RuntimeStream& stream,
                                      boost::system::error_code& error) {
  using boost::beast::websocket::teardown;
  teardown(role, stream.next_layer(), error);
}
template <class Handler>
void async_teardown(boost::beast::role_type role, RuntimeStream& stream, Handler&& handler) {
  using boost::beast::websocket::async_teardown;
  async_teardown(role, stream.next_layer(), std::forward<Handler>(handler));
}

}  // namespace berth::agent
