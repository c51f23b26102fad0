// SPDX-License-Identifier: Apache-2.0

#include "base/result.hpp"

namespace berth {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kAlreadyExists:
      return "already exists";
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kTimeout:
      return "timed out";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kUnimplemented:
      return "not implemented";
    case ErrorCode::kPermission:
      return "not permitted";
    case ErrorCode::kUnknown:
      return "unknown failure";
  }
  return "unknown failure";
}

Error wrap(std::string_view clause, Error error) {
  error.message = std::string(clause) + ": " + error.message;
  return error;
}

}  // namespace berth
