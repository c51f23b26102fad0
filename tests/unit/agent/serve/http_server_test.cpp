// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/http_server.hpp"

#include <gtest/gtest.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/real_clock.hpp"
#include "tests/unit/agent/run_on_loop.hpp"

namespace berth::agent {
namespace {

using boost::asio::ip::tcp;
constexpr auto kNoThrow = boost::asio::as_tuple(boost::asio::use_awaitable);

boost::asio::awaitable<void> ask(HttpServer* server, std::string request, std::string* answer) {
  const auto executor = co_await boost::asio::this_coro::executor;
  tcp::socket socket(executor);
  const tcp::endpoint endpoint(boost::asio::ip::make_address("127.0.0.1"), server->port());
  co_await socket.async_connect(endpoint, boost::asio::use_awaitable);
  co_await boost::asio::async_write(socket, boost::asio::buffer(request),
                                    boost::asio::use_awaitable);
  co_await boost::asio::async_read(socket, boost::asio::dynamic_buffer(*answer), kNoThrow);
  co_await server->stop();
}

std::string answer_to(std::string request) {
  boost::asio::io_context loop;
  RealClock clock;
  HttpSources sources{.pods_json = [] { return std::string("{\"kind\":\"PodList\"}"); },
                      .health = [] { return std::vector<HealthCheck>{}; }};
  auto server =
      HttpServer::listen(loop.get_executor(), clock, "127.0.0.1", 0, std::move(sources), rethrow);
  EXPECT_TRUE(server.has_value());
  (*server)->start();
  std::string answer;
  run_on(loop, ask(server->get(), std::move(request), &answer));
  return answer;
}

TEST(HttpServer, answers_over_a_real_socket) {
  const auto answer = answer_to("GET /pods HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.0 200 OK\r\n")) << answer;
  EXPECT_NE(answer.find("Content-Type: application/json\r\n"), std::string::npos);
  EXPECT_TRUE(answer.ends_with("\r\n\r\n{\"kind\":\"PodList\"}"));
}

TEST(HttpServer, keeps_the_connection_for_more) {
  const auto answer = answer_to(
      "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_NE(answer.find("200 OK"), std::string::npos);
  EXPECT_NE(answer.find("404 Not Found"), std::string::npos);
}

TEST(HttpServer, a_405_names_what_is_allowed) {
  EXPECT_NE(answer_to("POST /pods HTTP/1.0\r\nContent-Length: 0\r\n\r\n").find("Allow: GET"),
            std::string::npos);
}

TEST(HttpServer, refuses_what_is_no_http_or_too_large) {
  EXPECT_TRUE(answer_to("nonsense\r\n\r\n").starts_with("HTTP/1.1 400")) << "no HTTP";
  EXPECT_TRUE(answer_to("POST /pods HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n")
                  .starts_with("HTTP/1.1 413"));
  EXPECT_TRUE(answer_to("GET /pods HTTP/1.1\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n")
                  .starts_with("HTTP/1.1 431"));
}

TEST(HttpServer, an_address_that_is_taken_is_named) {
  boost::asio::io_context loop;
  RealClock clock;
  const auto first = HttpServer::listen(loop.get_executor(), clock, "127.0.0.1", 0, {}, rethrow);
  ASSERT_TRUE(first.has_value());
  const auto second =
      HttpServer::listen(loop.get_executor(), clock, "127.0.0.1", (*first)->port(), {}, rethrow);
  ASSERT_FALSE(second.has_value());
  EXPECT_NE(second.error().message.find("127.0.0.1:" + std::to_string((*first)->port())),
            std::string::npos);
}

// Callers that start a request and never finish it.
class SlowCallers {
 public:
  SlowCallers(boost::asio::io_context& loop, std::uint16_t port, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      sockets_.emplace_back(loop);
      sockets_.back().connect({boost::asio::ip::make_address("127.0.0.1"), port});
      boost::asio::write(sockets_.back(), boost::asio::buffer(std::string("GET /pods HT")));
    }
  }

 private:
  std::vector<tcp::socket> sockets_{};
};

std::string answer_behind_slow_callers(HttpLimits limits, std::size_t callers) {
  boost::asio::io_context loop;
  RealClock clock;
  HttpSources sources{.pods_json = [] { return std::string("{\"kind\":\"PodList\"}"); },
                      .health = [] { return std::vector<HealthCheck>{}; }};
  auto server = HttpServer::listen(loop.get_executor(), clock, "127.0.0.1", 0, std::move(sources),
                                   rethrow, limits);
  EXPECT_TRUE(server.has_value());
  (*server)->start();
  const SlowCallers slow(loop, (*server)->port(), callers);
  std::string answer;
  run_on(loop, ask(server->get(), "GET /pods HTTP/1.0\r\n\r\n", &answer));
  return answer;
}

TEST(HttpServer, slow_callers_keep_nobody_out) {
  const HttpLimits patient{.connections = 4, .head = std::chrono::minutes(10)};
  EXPECT_TRUE(answer_behind_slow_callers(patient, 50).starts_with("HTTP/1.0 200 OK\r\n"));
}

boost::asio::awaitable<void> wait_for_the_end(HttpServer* server, std::string* answer) {
  const auto executor = co_await boost::asio::this_coro::executor;
  tcp::socket socket(executor);
  const tcp::endpoint endpoint(boost::asio::ip::make_address("127.0.0.1"), server->port());
  co_await socket.async_connect(endpoint, boost::asio::use_awaitable);
  const std::string half = "GET /pods HT";
  co_await boost::asio::async_write(socket, boost::asio::buffer(half), boost::asio::use_awaitable);
  co_await boost::asio::async_read(socket, boost::asio::dynamic_buffer(*answer), kNoThrow);
  co_await server->stop();
}

TEST(HttpServer, a_request_that_does_not_come_to_its_end_is_dropped) {
  boost::asio::io_context loop;
  RealClock clock;
  auto server = HttpServer::listen(loop.get_executor(), clock, "127.0.0.1", 0, {}, rethrow,
                                   {.head = std::chrono::milliseconds(50)});
  ASSERT_TRUE(server.has_value());
  (*server)->start();
  std::string answer;
  run_on(loop, wait_for_the_end(server->get(), &answer));
  EXPECT_EQ(answer, "");
}

}  // namespace
}  // namespace berth::agent
