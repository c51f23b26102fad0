// SPDX-License-Identifier: Apache-2.0

#include <cstdio>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "probe_fixture.hpp"

namespace berth::probes {
namespace {

// An untrustworthy key and certificate: self-signed, expired.
void use_worthless_certificate(asio::ssl::context& context) {
  EVP_PKEY* key = EVP_RSA_gen(2048);
  X509* certificate = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(certificate), -7'200);
  X509_gmtime_adj(X509_getm_notAfter(certificate), -3'600);
  X509_set_pubkey(certificate, key);
  X509_sign(certificate, key, EVP_sha256());
  SSL_CTX_use_certificate(context.native_handle(), certificate);
  SSL_CTX_use_PrivateKey(context.native_handle(), key);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

// Answers the first bytes, like a server without TLS.
class PlainServer {
 public:
  PlainServer(asio::io_context& loop, TaskGroup& tasks)
      : state_(std::make_shared<State>(
            tcp::acceptor(loop, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0)))) {
    tasks.spawn("plain server", serve(state_));
  }

  [[nodiscard]] std::uint16_t port() const { return state_->acceptor.local_endpoint().port(); }
  [[nodiscard]] const std::vector<std::string>& requests() const { return state_->requests; }

 private:
  // Shared, as the task outlives the test's own variable.
  struct State {
    explicit State(tcp::acceptor listening) : acceptor(std::move(listening)) {}

    tcp::acceptor acceptor;
    std::vector<std::string> requests{};
  };

  static asio::awaitable<void> serve(std::shared_ptr<State> state) {
    const std::string reply = "HTTP/1.0 400 Bad Request\r\n\r\n";
    for (;;) {
      auto accepting = state->acceptor.async_accept(asio::use_awaitable);
      auto socket = co_await std::move(accepting);
      std::array<char, 4'096> chunk{};
      auto reading = socket.async_read_some(asio::buffer(chunk), asio::use_awaitable);
      const std::size_t size = co_await std::move(reading);
      state->requests.emplace_back(chunk.data(), size);
      auto writing = asio::async_write(socket, asio::buffer(reply), asio::use_awaitable);
      co_await std::move(writing);
    }
  }

  std::shared_ptr<State> state_;
};

class HttpsTest : public ProbeFixture {
 protected:
  HttpsTest() { use_worthless_certificate(context); }

  HttpTarget https(std::uint16_t port, std::vector<api::HTTPHeader> headers = {}) {
    return *http_hook_target({.path = "/",
                              .port = std::int32_t{port},
                              .scheme = "HTTPS",
                              .httpHeaders = std::move(headers)},
                             {}, "127.0.0.1");
  }

  asio::awaitable<void> serve_once(tcp::acceptor& acceptor) {
    auto accepting = acceptor.async_accept(asio::use_awaitable);
    auto socket = co_await std::move(accepting);
    asio::ssl::stream<tcp::socket> stream(std::move(socket), context);
    auto shaking = stream.async_handshake(asio::ssl::stream_base::server, asio::use_awaitable);
    co_await std::move(shaking);
    std::array<char, 1'024> chunk{};
    auto reading = stream.async_read_some(asio::buffer(chunk), asio::use_awaitable);
    co_await std::move(reading);
    const std::string reply = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret";
    auto writing = asio::async_write(stream, asio::buffer(reply), asio::use_awaitable);
    co_await std::move(writing);
  }

  asio::awaitable<void> keep_hook(HttpTarget target) {
    auto running = run_http_hook(handlers, std::move(target), std::nullopt);
    hook = co_await std::move(running);
  }

  asio::ssl::context context{asio::ssl::context::tls_server};
  std::optional<HttpHookResult> hook;
};

TEST_F(HttpsTest, certificates_are_not_looked_at) {
  tcp::acceptor acceptor(loop, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0));
  tasks.spawn("server", serve_once(acceptor));
  const Attempt got = run(https(acceptor.local_endpoint().port()));
  EXPECT_EQ(got.outcome, Outcome::kSuccess) << got.output;
  EXPECT_EQ(got.output, "secret");
}

TEST_F(HttpsTest, plain_http_instead_is_named) {
  PlainServer server(loop, tasks);
  const Attempt got = run(https(server.port()));
  EXPECT_EQ(got.outcome, Outcome::kFailure);
  EXPECT_EQ(got.output,
            fmt::format("Get \"https://127.0.0.1:{}/\": http: server gave HTTP response "
                        "to HTTPS client",
                        server.port()));
}

TEST_F(HttpsTest, a_hook_answered_in_plain_http_is_repeated_without_credentials) {
  PlainServer server(loop, tasks);
  tasks.spawn("hook", keep_hook(https(server.port(), {{"Authorization", "secret"}})));
  turn_until([this] { return hook.has_value(); });
  EXPECT_TRUE(hook->fell_back);
  EXPECT_EQ(hook->error, std::nullopt);
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.requests()[1].find("secret"), std::string::npos);
  EXPECT_NE(server.requests()[1].find("User-Agent: kube-lifecycle/1.34"), std::string::npos);
}

TEST_F(HttpsTest, a_hooks_status_does_not_count_but_a_refused_connection_does) {
  TestServer server(loop, tasks, {{"HTTP/1.1 500 No\r\n\r\n"}});
  const auto target =
      *http_hook_target({.path = "/", .port = std::int32_t{server.port()}}, {}, "127.0.0.1");
  tasks.spawn("hook", keep_hook(target));
  turn_until([this] { return hook.has_value(); });
  EXPECT_EQ(hook->error, std::nullopt);
  hook.reset();
  const auto port = closed_port(loop);
  tasks.spawn("hook", keep_hook(*http_hook_target({.path = "/", .port = std::int32_t{port}}, {},
                                                  "127.0.0.1")));
  turn_until([this] { return hook.has_value(); });
  EXPECT_EQ(hook->error, fmt::format("Get \"http://127.0.0.1:{0}/\": dial tcp 127.0.0.1:{0}: "
                                     "connect: connection refused",
                                     port));
}

}  // namespace
}  // namespace berth::probes
