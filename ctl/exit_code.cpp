// SPDX-License-Identifier: Apache-2.0

#include "ctl/exit_code.hpp"

namespace berth::ctl {

ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return kNotFound;
    case ErrorCode::kUnavailable:
      return kUnreachable;
    case ErrorCode::kPermission:
      return kNotPermitted;
    case ErrorCode::kTimeout:
      return kTimedOut;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kInvalid:
    case ErrorCode::kCancelled:
    case ErrorCode::kUnimplemented:
    case ErrorCode::kUnknown:
      return kFailed;
  }
  return kFailed;
}

}  // namespace berth::ctl
