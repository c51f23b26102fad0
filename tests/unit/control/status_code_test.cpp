// SPDX-License-Identifier: Apache-2.0

#include "control/status_code.hpp"

#include <gtest/gtest.h>

namespace berth::control {
namespace {

TEST(StatusCode, every_error_survives_the_wire) {
  for (const auto code : {ErrorCode::kNotFound, ErrorCode::kAlreadyExists, ErrorCode::kInvalid,
                          ErrorCode::kUnavailable, ErrorCode::kTimeout, ErrorCode::kCancelled,
                          ErrorCode::kUnimplemented, ErrorCode::kPermission, ErrorCode::kUnknown}) {
    const Error error{.code = code, .message = "pod \"web\" not found"};
    EXPECT_EQ(to_error(to_status(error)), error);
  }
}

TEST(StatusCode, a_failed_precondition_is_an_invalid_request) {
  const grpc::Status status(grpc::StatusCode::FAILED_PRECONDITION, "not now");
  EXPECT_EQ(to_error(status), (Error{ErrorCode::kInvalid, "not now"}));
}

TEST(StatusCode, a_message_that_grpc_would_not_carry_is_shortened) {
  const std::string fits(2000, 'x');
  EXPECT_EQ(to_status({ErrorCode::kUnknown, fits}).error_message(), fits);
  EXPECT_EQ(to_status({ErrorCode::kUnknown, fits + "y"}).error_message(), fits + "...");
  // Never half a character.
  const std::string wide = std::string(1999, 'x') + "\xc3\xa9";
  EXPECT_EQ(to_status({ErrorCode::kUnknown, wide}).error_message(), std::string(1999, 'x') + "...");
}

}  // namespace
}  // namespace berth::control
