// SPDX-License-Identifier: Apache-2.0

#include "probes/chunked_body.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace berth::probes {
namespace {

constexpr std::size_t kNoLimit = 1'000'000;

struct Decoded {
  std::string body{};
  std::string error{};
  std::string rest{};  // what came behind the body
  bool complete = false;
};

Decoded decode(std::string_view text, std::size_t piece) {
  ChunkedBody chunks;
  Decoded out;
  while (!text.empty()) {
    out.rest += text.substr(0, piece);
    text.remove_prefix(std::min(piece, text.size()));
    out.rest.erase(0, chunks.decode(out.rest, out.body, kNoLimit));
  }
  out.complete = chunks.complete();
  out.error = chunks.error();
  if (!out.complete && out.error.empty()) out.error = chunks.error_at_end(out.rest);
  return out;
}

Decoded decode_in_any_pieces(const std::string& text) {
  const Decoded whole = decode(text, text.size() + 1);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    const Decoded parts = decode(text, piece);
    EXPECT_EQ(parts.body, whole.body) << text.substr(0, 40) << " in pieces of " << piece;
    EXPECT_EQ(parts.error, whole.error) << text.substr(0, 40) << " in pieces of " << piece;
    EXPECT_EQ(parts.rest, whole.rest) << text.substr(0, 40) << " in pieces of " << piece;
    EXPECT_EQ(parts.complete, whole.complete) << text.substr(0, 40) << " in pieces of " << piece;
  }
  return whole;
}

TEST(ChunkedBodyTest, data_is_joined_and_all_else_is_left_out) {
  struct Case {
    std::string text;
    std::string body;
  };
  for (const auto& [text, body] : {
           Case{"0\r\n\r\nNEXT", ""},
           Case{"2\r\nok\r\n3\r\n123\r\n0\r\n\r\nNEXT", "ok123"},
           Case{"2;a=b\r\nok\r\n0;c\r\n\r\nNEXT", "ok"},
           Case{"2;a=\"\r\nok\r\n0\r\n\r\nNEXT", "ok"},
           Case{"2 \t\r\n\r\n\r\n00\r\n\r\nNEXT", "\r\n"},
           Case{"A\r\n0123456789\r\n0\r\nT: u\r\nV: w\r\n\r\nNEXT", "0123456789"},
           Case{"0000000000000001\r\nx\r\n0\r\n\r\nNEXT", "x"},
       }) {
    const Decoded got = decode_in_any_pieces(text);
    EXPECT_EQ(got.error, "") << text;
    EXPECT_TRUE(got.complete) << text;
    EXPECT_EQ(got.body, body) << text;
    EXPECT_EQ(got.rest, "NEXT") << text;
  }
}

TEST(ChunkedBodyTest, what_is_no_chunk_is_reported_in_gos_words) {
  struct Case {
    std::string text;
    const char* error;
  };
  for (const auto& [text, error] : {
           Case{"\r\n", "empty hex number for chunk length"},
           Case{";a=b\r\n", "empty hex number for chunk length"},
           Case{"x\r\n", "invalid byte in chunk length"},
           Case{"2 ;a\r\n", "invalid byte in chunk length"},
           Case{"-1\r\n", "invalid byte in chunk length"},
           Case{"00000000000000001\r\n", "http chunk length too large"},
           Case{"2\nok", "chunked line ends with bare LF"},
           Case{"2\ra\r\n", "invalid CR in chunked line"},
           Case{"2\r\nok!\r\n", "malformed chunked encoding"},
           Case{"2;" + std::string(4'096, 'a'), "header line too long"},
           Case{"2;" + std::string(4'095, 'a') + "\r\n", "header line too long"},
           Case{"0\r\n" + std::string(4'096, 'a'),
                "http: suspiciously long trailer after chunked body"},
           Case{"2", "unexpected EOF"},
           Case{"2\r\no", "unexpected EOF"},
           Case{"2\r\nok", "unexpected EOF"},
           Case{"0\r\n", "http: unexpected EOF reading trailer"},
           Case{"0\r\nT: u\r\n", "http: suspiciously long trailer after chunked body"},
       }) {
    const Decoded got = decode_in_any_pieces(text);
    EXPECT_EQ(got.error, error) << text.substr(0, 40);
    EXPECT_FALSE(got.complete) << text.substr(0, 40);
  }
}

// A chunk of `data` bytes whose line has `line` bytes, without its end.
std::string padded_chunk(std::size_t data, std::size_t line) {
  std::string text = fmt::format("{:x}", data);
  if (line > text.size()) text += ";" + std::string(line - text.size() - 1, 'p');
  return text + "\r\n" + std::string(data, 'x') + "\r\n";
}

TEST(ChunkedBodyTest, a_line_and_a_trailer_may_have_4096_bytes) {
  const std::string end = "0\r\n\r\n";
  EXPECT_EQ(decode_in_any_pieces(padded_chunk(1, 4'094) + end).error, "");
  EXPECT_EQ(decode_in_any_pieces(padded_chunk(1, 4'095) + end).error, "header line too long");
  const auto trailer = [](std::size_t bytes) {
    return "0\r\nT: " + std::string(bytes - 7, 't') + "\r\n\r\n";
  };
  EXPECT_TRUE(decode_in_any_pieces(trailer(4'096)).complete);
  EXPECT_EQ(decode_in_any_pieces(trailer(4'097)).error,
            "http: suspiciously long trailer after chunked body");
}

TEST(ChunkedBodyTest, sixteen_bytes_and_twice_the_data_of_overhead_are_free) {
  std::string free;
  for (int i = 0; i < 2'000; ++i) free += padded_chunk(10, 34);  // and two for the line's end
  EXPECT_EQ(decode(free + "0\r\n\r\n", 4'096).error, "");
  std::string counted;
  for (int i = 0; i < 20'000; ++i) counted += padded_chunk(10, 35);
  EXPECT_EQ(decode(counted, 4'096).error, "chunked encoding contains too much non-data");
}

TEST(ChunkedBodyTest, beyond_that_sixteen_kib_of_overhead_are_too_much) {
  std::string most;
  for (int i = 0; i < 16; ++i) most += padded_chunk(1, 1'024 + 16);  // 1,024 of it are counted
  EXPECT_EQ(decode_in_any_pieces(most + "0\r\n\r\n").error, "");
  EXPECT_EQ(decode_in_any_pieces(most + padded_chunk(1, 17)).error,
            "chunked encoding contains too much non-data");
  const Decoded last = decode_in_any_pieces(most + "0;" + std::string(1'000, 'p') + "\r\n\r\n");
  EXPECT_TRUE(last.complete) << "the last chunk's overhead does not count";
}

TEST(ChunkedBodyTest, no_more_than_the_limit_is_decoded) {
  ChunkedBody chunks;
  std::string body;
  EXPECT_EQ(chunks.decode("5\r\nhello\r\nnonsense", body, 4), 7U);
  EXPECT_EQ(body, "hell");
  EXPECT_EQ(chunks.error(), "");
}

}  // namespace
}  // namespace berth::probes
