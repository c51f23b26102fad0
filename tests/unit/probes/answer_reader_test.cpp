// SPDX-License-Identifier: Apache-2.0

#include "probes/answer_reader.hpp"

#include <random>

#include <gtest/gtest.h>

namespace berth::probes {
namespace {

// The result of `text`, fed in pieces of `piece` bytes, followed by the end.
struct Read {
  int status = 0;
  std::string body;
  std::string error;
  bool complete_before_end = false;
};

Read read(std::string_view text, std::size_t piece) {
  AnswerReader reader;
  for (std::size_t at = 0; at < text.size() && !reader.complete() && reader.error().empty();
       at += piece) {
    reader.take(text.substr(at, piece));
  }
  Read out{.complete_before_end = reader.complete()};
  if (!reader.complete() && reader.error().empty()) reader.end_of_input();
  out.error = reader.error();
  if (!reader.head_read()) return out;
  out.status = reader.answer().status;
  out.body = reader.answer().body;
  return out;
}

TEST(AnswerReaderTest, answers_are_read_whatever_pieces_they_come_in) {
  struct Case {
    std::string text, body;
    bool complete;
  };
  for (const auto& [text, body, complete] : {
           Case{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok", true},
           Case{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", true},
           Case{"HTTP/1.0 200 OK\r\n\r\nuntil the end", "until the end", false},
           Case{"HTTP/1.1 200 OK\n\nuntil the end", "until the end", false},
           Case{"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "ok", true},
           Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: "
                "chunked\r\n\r\n2\r\nok\r\n3\r\n123\r\n0\r\n\r\n",
                "ok123", true},
           Case{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "", true},
           Case{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "x",
                true},
       }) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, text.size()}) {
      const Read got = read(text, piece);
      EXPECT_EQ(got.error, "") << text;
      EXPECT_EQ(got.status, 200) << text;
      EXPECT_EQ(got.body, body) << text << " in pieces of " << piece;
      EXPECT_EQ(got.complete_before_end, complete) << text;
    }
  }
}

TEST(AnswerReaderTest, no_more_than_the_limit_of_a_body_is_read) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n";
  const Read got = read(head + std::string(20'000, 'x'), 4'096);
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.body.size(), kOutputLimit);
  EXPECT_TRUE(got.complete_before_end);
}

TEST(AnswerReaderTest, no_more_than_the_limit_of_a_body_in_chunks_is_read) {
  const std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n" +
                           std::string(20'000, 'x') + "no chunk";
  for (const std::size_t piece : {std::size_t{4'096}, text.size()}) {
    const Read got = read(text, piece);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(got.body.size(), kOutputLimit);
    EXPECT_TRUE(got.complete_before_end);
  }
}

TEST(AnswerReaderTest, what_is_no_answer_is_reported_in_nethttps_words) {
  const std::string broken = "net/http: HTTP/1.x transport connection broken: ";
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "EOF"},
      {"HTTP/1.1 200 OK\r\nA: b\r\n", broken + "unexpected EOF"},
      {"SSH-2.0-x\r\n", broken + "malformed HTTP response \"SSH-2.0-x\""},
      {std::string("\x15\x03\x01\0", 4),
       broken + "malformed HTTP response \"\\x15\\x03\\x01\\x00\""},
      {"HTTP/1.1 abc\r\n\r\n", broken + "malformed HTTP response \"HTTP/1.1 abc\""},
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok", "unexpected EOF"},
      {chunked + "5\r\nok", "unexpected EOF"},
      {chunked + "2\r\nok\r\n0\r\n", "http: unexpected EOF reading trailer"},
      {chunked + "2\r\nok!\r\n0\r\n", "malformed chunked encoding"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(read(text, 1'024).error, error) << text;
}

TEST(AnswerReaderTest, a_head_without_an_end_is_given_up) {
  AnswerReader reader;
  const std::string line = "A: " + std::string(1'000, 'x') + "\r\n";
  reader.take("HTTP/1.1 200 OK\r\n");
  for (int lines = 0; lines < 1'000 && reader.error().empty(); ++lines) reader.take(line);
  EXPECT_NE(reader.error(), "");
}

// Whatever a server sends, in whatever pieces, the reader respects its limits and terminates.
TEST(AnswerReaderTest, any_bytes_at_all_end_within_the_limits) {
  const std::vector<std::string> seeds = {
      "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nA: b\r\n c\r\n\r\nhello world!",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nT: u\r\n\r\n",
      "HTTP/1.0 302 Found\nLocation: http://10.0.0.5:80/x\n\nmoved",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nno",
  };
  constexpr std::string_view kTricky("\r\n :;%0f9\0\xFF", 12);
  std::minstd_rand random(1);
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seeds[below(seeds.size())];
    for (auto changes = below(6); changes > 0; --changes) {
      const auto at = below(text.size());
      const char c = kTricky[below(kTricky.size())];
      if (below(3) == 0) {
        text.insert(at, below(40), c);
      } else if (below(2) == 0) {
        text.erase(at, below(8));
      } else {
        text[at] = c;
      }
      if (text.empty()) text = "H";
    }
    const Read got = read(text, 1 + below(50));
    ASSERT_LE(got.body.size(), kOutputLimit);
    ASSERT_TRUE(got.status != 0 || !got.error.empty()) << text;
    const HttpTarget first{.url = *parse_url("http://10.0.0.5:80/")};
    AnswerReader whole;
    whole.take(text);
    if (!whole.head_read()) continue;
    const auto follow = redirect(whole.answer(), first, first, 1);
    ASSERT_TRUE(!follow.next || follow.next->url.hostname() == "10.0.0.5") << text;
  }
}

}  // namespace
}  // namespace berth::probes
