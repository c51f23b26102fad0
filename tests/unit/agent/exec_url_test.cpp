#include <gtest/gtest.h>

#include "agent/exec_session.hpp"

namespace berth::agent {
namespace {

TEST(StreamUrl, is_taken_apart) {
  EXPECT_EQ(*parse_stream_url("http://127.0.0.1:41219/exec/aB"),
            (StreamUrl{.host = "127.0.0.1", .port = "41219", .target = "/exec/aB"}));
  EXPECT_EQ(*parse_stream_url("http://[::1]:99/exec/x"),
            (StreamUrl{.host = "::1", .port = "99", .target = "/exec/x"}));
  EXPECT_EQ(parse_stream_url("http://localhost/exec/x")->port, "80");
}

TEST(StreamUrl, what_cannot_be_used_is_refused) {
  EXPECT_EQ(parse_stream_url("https://127.0.0.1:1/x").error().code, ErrorCode::kUnimplemented);
  EXPECT_EQ(parse_stream_url("http://127.0.0.1").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(parse_stream_url("").error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace berth::agent
