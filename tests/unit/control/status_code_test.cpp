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

}  // namespace
}  // namespace berth::control
