// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/http_exchange.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace berth::agent {
namespace {

const HttpSources kSources{.pods_json = [] { return std::string("{}"); },
                           .metrics = [] { return std::string(); },
                           .probe_metrics = [] { return std::string(); },
                           .health = [] { return std::vector<HealthCheck>{}; }};

void take(HttpExchange& exchange, std::string_view text, std::size_t piece) {
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    exchange.take(text.substr(0, piece));
  }
}

TEST(HttpExchange, pieces_make_no_difference) {
  for (const std::string text : {
           "GET /pods HTTP/1.1\r\nHost: a\r\n\r\nGET /",
           "GET /pods HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /",
           "GET /pods HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\nGET /",
           "GET /pods HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /",
       }) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, text.size()}) {
      HttpExchange exchange;
      take(exchange, text, piece);
      ASSERT_TRUE(exchange.done()) << text << " in pieces of " << piece;
      EXPECT_EQ(exchange.answer(kSources).body(), "{}") << text << " in pieces of " << piece;
      EXPECT_TRUE(exchange.keeps_connection());
      EXPECT_EQ(exchange.rest(), "GET /") << text << " in pieces of " << piece;
    }
  }
}

TEST(HttpExchange, a_body_that_is_wrong_or_too_large_is_refused_alike_in_any_pieces) {
  const std::string head = "POST /pods HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  struct Case {
    std::string body;
    unsigned status;
  };
  for (const auto& [body, status] : {
           Case{"x\r\n", 400},
           Case{"2\r\nabc\r\n", 400},
           // A quoted extension that never ends.
           Case{"3;x=\"\r\nabc\r\n0\r\nT: u\r\n" + std::string(22'000, 'g'), 400},
           Case{"f000\r\n" + std::string(0xf000, 'a') + "\r\nf000\r\n" + std::string(0xf000, 'a') +
                    "\r\n0\r\n\r\n",
                413},
       }) {
    const std::string text = head + body;
    for (const std::size_t piece : {std::size_t{1}, std::size_t{21}, text.size()}) {
      HttpExchange exchange;
      take(exchange, text, piece);
      ASSERT_TRUE(exchange.done()) << body.substr(0, 20) << " in pieces of " << piece;
      EXPECT_EQ(exchange.answer(kSources).result_int(), status) << body.substr(0, 20);
      EXPECT_FALSE(exchange.keeps_connection());
    }
  }
}

TEST(HttpExchange, a_body_in_chunks_may_be_64_kib_as_sent_and_what_lies_beyond_is_not_looked_at) {
  const std::string head = "GET /pods HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  // Its size's line, two line ends and the last chunk are thirteen bytes.
  const auto body = [](std::size_t bytes) {
    return fmt::format("{:x}\r\n{}\r\n", bytes - 13, std::string(bytes - 13, 'a'));
  };
  const std::string end = "0\r\n\r\n";
  struct Case {
    std::string body;
    unsigned status;
  };
  for (const auto& [sent, status] : {Case{body(65'536) + end, 200}, Case{body(65'537) + end, 413},
                                     Case{body(65'540) + "no chunk\r\n", 413}}) {
    const std::string text = head + sent;
    for (const std::size_t piece : {std::size_t{7}, std::size_t{4'096}, text.size()}) {
      HttpExchange exchange;
      take(exchange, text, piece);
      ASSERT_TRUE(exchange.done()) << sent.size() << " in pieces of " << piece;
      EXPECT_EQ(exchange.answer(kSources).result_int(), status)
          << sent.size() << " in pieces of " << piece;
    }
  }
}

TEST(HttpExchange, what_is_no_request_is_answered_and_closes_the_connection) {
  HttpExchange exchange;
  take(exchange, "nonsense\r\n\r\n", 3);
  ASSERT_TRUE(exchange.done());
  EXPECT_EQ(exchange.answer(kSources).result_int(), 400U);
  EXPECT_FALSE(exchange.keeps_connection());
}

TEST(HttpExchange, nothing_has_begun_before_the_first_byte) {
  HttpExchange exchange;
  exchange.take("");
  EXPECT_FALSE(exchange.begun());
  exchange.take("G");
  EXPECT_TRUE(exchange.begun());
  EXPECT_FALSE(exchange.done());
}

}  // namespace
}  // namespace berth::agent
