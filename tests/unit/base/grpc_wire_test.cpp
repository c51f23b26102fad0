// SPDX-License-Identifier: Apache-2.0

#include "base/grpc_wire.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace berth {
namespace {

using namespace std::chrono_literals;

TEST(GrpcWire, messages_are_cut_out_of_bytes_that_come_in_any_pieces) {
  const std::string bytes = framed("one") + framed("") + framed(std::string(300, 'x'));
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    MessageReader reader(1000);
    std::vector<std::size_t> sizes;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.take(std::string_view(bytes).substr(at, piece));
      while (const auto message = reader.next()) sizes.push_back(message->size());
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 0, 300})) << "pieces of " << piece;
    EXPECT_FALSE(reader.failure());
  }
}

TEST(GrpcWire, a_message_that_is_too_long_is_refused_before_it_is_there) {
  MessageReader reader(9);
  reader.take(framed("0123456789").substr(0, 6));
  EXPECT_FALSE(reader.next());
  ASSERT_TRUE(reader.failure());
  EXPECT_EQ(reader.failure()->error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(GrpcWire, a_compressed_message_is_refused) {
  MessageReader reader(9);
  reader.take(std::string("\1\0\0\0\0", 5));
  EXPECT_FALSE(reader.next());
  ASSERT_TRUE(reader.failure());
  EXPECT_EQ(reader.failure()->error_code(), grpc::StatusCode::INTERNAL);
}

TEST(GrpcWire, a_time_limit_is_written_with_eight_digits_at_most_and_never_shortened) {
  const std::pair<Nanoseconds, const char*> cases[] = {
      {1ns, "1n"},
      {99'999'999ns, "99999999n"},
      {100'000'000ns, "100000u"},
      {100'000'001ns, "100001u"},
      {2min, "120000m"},
      {std::chrono::hours(28), "100800S"},
      {std::chrono::hours(24 * 365 * 100), "52560000M"},
  };
  for (const auto& [limit, text] : cases) EXPECT_EQ(timeout_text(limit), text);
}

EndOfCall ended(std::optional<std::string> status, std::string message = {}) {
  return {.http_status = 200,
          .content_type = "application/grpc",
          .grpc_status = std::move(status),
          .grpc_message = std::move(message)};
}

TEST(GrpcWire, many_messages_cost_as_much_as_their_bytes) {
  // Removing each byte from the front of a string would move all later ones: an hour.
  std::string bytes;
  for (int i = 0; i < 1'000'000; ++i) bytes += framed("x");
  MessageReader reader(10);
  reader.take(bytes);
  int count = 0;
  while (reader.next()) ++count;
  EXPECT_EQ(count, 1'000'000);
  EXPECT_FALSE(reader.inside());
}

TEST(GrpcWire, the_end_of_a_call_says_how_it_went) {
  struct Case {
    EndOfCall end;
    grpc::StatusCode code;
    const char* text;
  };
  const Case cases[] = {
      {ended("0"), grpc::StatusCode::OK, ""},
      {ended("5", "no \"a%25b\" %C3%A9 100%"), grpc::StatusCode::NOT_FOUND,
       "no \"a%b\" \u00e9 100%"},
      {ended(std::nullopt), grpc::StatusCode::UNKNOWN, "the answer has no grpc-status"},
      {ended("16"), grpc::StatusCode::UNAUTHENTICATED, ""},
      {ended("17", "new"), grpc::StatusCode::UNKNOWN, "the answer has grpc-status 17: new"},
      {ended("-1"), grpc::StatusCode::UNKNOWN, "the answer's grpc-status cannot be read: -1"},
      {ended("-0"), grpc::StatusCode::UNKNOWN, "the answer's grpc-status cannot be read: -0"},
      {ended(""), grpc::StatusCode::UNKNOWN, "the answer's grpc-status cannot be read: "},
      {ended("OK"), grpc::StatusCode::UNKNOWN, "the answer's grpc-status cannot be read: OK"},
      {ended("0x"), grpc::StatusCode::UNKNOWN, "the answer's grpc-status cannot be read: 0x"},
      {ended("0,0"), grpc::StatusCode::UNKNOWN, "the answer's grpc-status cannot be read: 0,0"},
      {ended("99999999999"), grpc::StatusCode::UNKNOWN,
       "the answer's grpc-status cannot be read: 99999999999"},
      {{.http_status = 200, .content_type = "text/html", .grpc_status = "0"},
       grpc::StatusCode::UNKNOWN,
       "the answer is text/html, not gRPC"},
      {{.http_status = 200, .content_type = "application/grpc-web", .grpc_status = "0"},
       grpc::StatusCode::UNKNOWN,
       "the answer is application/grpc-web, not gRPC"},
      {{.http_status = 200, .grpc_status = "0"},
       grpc::StatusCode::UNKNOWN,
       "the answer does not say that it is gRPC"},
      {{.http_status = 200, .content_type = "application/grpc+proto", .grpc_status = "0"},
       grpc::StatusCode::OK,
       ""},
      {{.http_status = 404},
       grpc::StatusCode::UNIMPLEMENTED,
       "no gRPC server answered, but HTTP status 404"},
      {{.http_status = 503},
       grpc::StatusCode::UNAVAILABLE,
       "no gRPC server answered, but HTTP status 503"},
  };
  for (const Case& given : cases) {
    EXPECT_EQ(status_of(given.end).error_code(), given.code);
    EXPECT_EQ(status_of(given.end).error_message(), given.text);
  }
}

TEST(GrpcWire, a_reset_stream_says_whether_it_was_ours_to_reset) {
  EXPECT_EQ(status_of_reset(0x7).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status_of_reset(0x8).error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(status_of_reset(0x2).error_code(), grpc::StatusCode::INTERNAL);
}

}  // namespace
}  // namespace berth
