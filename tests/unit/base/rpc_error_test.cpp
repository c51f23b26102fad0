// SPDX-License-Identifier: Apache-2.0

#include "base/rpc_error.hpp"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(RpcError, has_a_call_a_code_and_a_description) {
  const std::string text = rpc_error_text("StartContainer", 5, "no such container: a desc = b");
  EXPECT_EQ(text,
            "StartContainer: rpc error: code = NotFound desc = no such container: a desc = b");
  EXPECT_EQ(without_call(text), "rpc error: code = NotFound desc = no such container: a desc = b");
  EXPECT_EQ(rpc_description(text), "no such container: a desc = b");
  EXPECT_EQ(without_unknown(text), without_call(text));
}

TEST(RpcError, a_code_that_says_nothing_is_left_out_where_it_is_asked) {
  const std::string text = rpc_error_text("PullImage", 2, "RegistryUnavailable: 503");
  EXPECT_EQ(without_call(text), "rpc error: code = Unknown desc = RegistryUnavailable: 503");
  EXPECT_EQ(without_unknown(text), "RegistryUnavailable: 503");
}

TEST(RpcError, what_is_no_error_of_a_call_stays_as_it_is) {
  for (const std::string text :
       {"", "pull QPS exceeded", "reading /a: rpc error: code = Unknown desc = x",
        "PullImage: the runtime's answer has no image reference"}) {
    EXPECT_EQ(without_call(text), text);
    EXPECT_EQ(rpc_description(text), text);
    EXPECT_EQ(without_unknown(text), text);
  }
}

TEST(RpcError, codes_are_called_as_go_prints_them) {
  EXPECT_EQ(rpc_code_name(1), "Canceled");
  EXPECT_EQ(rpc_code_name(14), "Unavailable");
  EXPECT_EQ(rpc_code_name(99), "Code(99)");
}

}  // namespace
}  // namespace berth
