// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "agent/exec/exec_session.hpp"

namespace berth::agent {
namespace {

TEST(StreamUrl, is_taken_apart) {
  EXPECT_EQ(*parse_stream_url("http://127.0.0.1:41219/exec/aB"),
            (StreamUrl{.host = "127.0.0.1", .port = "41219", .target = "/exec/aB"}));
  EXPECT_EQ(*parse_stream_url("http://[::1]:99/exec/x"),
            (StreamUrl{.host = "::1", .port = "99", .target = "/exec/x"}));
  EXPECT_EQ(parse_stream_url("http://localhost/exec/x")->port, "80");
  EXPECT_EQ(*parse_stream_url("//10.0.0.5:99/exec/x?a=b#c"),
            (StreamUrl{.host = "10.0.0.5", .port = "99", .target = "/exec/x?a=b"}))
      << "without a scheme it is http";
  EXPECT_EQ(*parse_stream_url("https://127.0.0.1/exec/x"),
            (StreamUrl{.host = "127.0.0.1", .port = "443", .target = "/exec/x", .over_tls = true}));
  EXPECT_EQ(*parse_stream_url("http://user@[fd00::5]/exec/x"),
            (StreamUrl{.host = "fd00::5", .port = "80", .target = "/exec/x"}));
}

TEST(StreamUrl, what_cannot_be_used_is_refused) {
  EXPECT_EQ(parse_stream_url("http://127.0.0.1").error().code, ErrorCode::kInvalid);
  for (const char* url : {"", "http:///exec/x", "http://[::1/x", "http://h:port/x", "/exec/x"})
    EXPECT_EQ(parse_stream_url(url).error().code, ErrorCode::kInvalid) << url;
}

}  // namespace
}  // namespace berth::agent
