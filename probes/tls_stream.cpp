// SPDX-License-Identifier: Apache-2.0

#include "probes/tls_stream.hpp"

#include <utility>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/no_throw.hpp"
#include "probes/dial.hpp"

namespace berth::probes {

namespace asio = boost::asio;

asio::ssl::context& TlsContext::get() {
  if (context_) return *context_;
  context_.emplace(asio::ssl::context::tls_client);
  context_->set_verify_mode(asio::ssl::verify_none);
  SSL_CTX* native = context_->native_handle();
  SSL_CTX_set_security_level(native, 0);  // otherwise a short key would fail the handshake
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_IGNORE_UNEXPECTED_EOF);
  return *context_;
}

TlsStream::TlsStream(asio::ip::tcp::socket& socket, asio::ssl::context& context)
    : stream_(socket, context) {
  SSL_set_msg_callback(stream_.native_handle(), &TlsStream::note_record);
  SSL_set_msg_callback_arg(stream_.native_handle(), this);
}

void TlsStream::note_record(int sent, int /*version*/, int type, const void* data, std::size_t size,
                            SSL* /*ssl*/, void* self) {
  auto* stream = static_cast<TlsStream*>(self);
  if (sent != 0 || type != SSL3_RT_HEADER || !stream->first_bytes_.empty()) return;
  stream->first_bytes_.assign(static_cast<const char*>(data), size);
}

asio::awaitable<Result<std::optional<TlsFailure>>> TlsStream::handshake(std::string host) {
  boost::system::error_code not_an_address;
  asio::ip::make_address(host, not_an_address);
  if (not_an_address) {
    SSL_ctrl(stream_.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             host.data());
  }
  auto shaking = stream_.async_handshake(asio::ssl::stream_base::client, kNoThrow);
  const auto outcome = co_await std::move(shaking);
  const auto error = std::get<0>(outcome);
  if (!error) co_return std::nullopt;
  co_return failure(error);
}

TlsFailure TlsStream::failure(const boost::system::error_code& error) const {
  if (first_bytes_ == "HTTP/") {
    return {.text = "http: server gave HTTP response to HTTPS client", .plain_http = true};
  }
  if (error == asio::error::eof || error == asio::ssl::error::stream_truncated) {
    return {.text = "EOF", .cause = Cause::kClosed};
  }
  if (error.category() != asio::error::get_ssl_category()) {
    return {.text = error_text(error), .cause = cause_of(error)};
  }
  if (ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_WRONG_VERSION_NUMBER) {
    return {.text = "tls: first record does not look like a TLS handshake"};
  }
  const char* reason = ERR_reason_error_string(static_cast<unsigned long>(error.value()));
  return {.text = std::string("tls: ") + (reason == nullptr ? "handshake failed" : reason)};
}

}  // namespace berth::probes
