// TLS over a connected socket, without looking at certificates, as probes do it.
//
// Loop thread. Only for the sources that carry attempts out: its headers are heavy.
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

// Nothing is verified; TLS 1.2 at least, whatever the keys, as the kubelet's client. Made when
// somebody asks for it: it is not cheap.
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

  // Nothing: done. Never an Error: how it failed is the value. `host`: named in the handshake
  // unless it is an address.
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
  std::string first_bytes_{};  // of what the server sent
};

}  // namespace berth::probes
