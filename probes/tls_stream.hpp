// SPDX-License-Identifier: Apache-2.0

// TLS over a connected socket, without verifying certificates, as probes use it.
//
// Loop thread. Only for the sources that run attempts: its headers are heavy.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "base/result.hpp"
#include "probes/attempt.hpp"

namespace berth::probes {

// Verifies nothing; TLS 1.2 at least, any key size, as the kubelet's client. Created on demand: it
// is not cheap.
class TlsContext {
 public:
  [[nodiscard]] boost::asio::ssl::context& get();

 private:
  std::optional<boost::asio::ssl::context> context_{};
};

struct TlsFailure {
  std::string text{};
  Cause cause = Cause::kProtocol;
  bool plain_http = false;  // the server answered in plain HTTP
};

class TlsStream {
 public:
  TlsStream(boost::asio::ip::tcp::socket& socket, boost::asio::ssl::context& context);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;
  ~TlsStream() = default;

  // `std::nullopt` if done. Never an Error: the value describes the failure. `host`: named in the
  // handshake unless it is an address.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<TlsFailure>>> handshake(
      std::string host);

  [[nodiscard]] boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>& stream() {
    return stream_;
  }

 private:
  static void note_record(int sent, int version, int type, const void* data, std::size_t size,
                          SSL* ssl, void* self);
  [[nodiscard]] TlsFailure failure(const boost::system::error_code& error) const;

  boost::asio::ssl::stream<boost::asio::ip::tcp::socket&> stream_;
  std::string first_bytes_{};  // received from the server
};

}  // namespace berth::probes
