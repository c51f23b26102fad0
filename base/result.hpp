// SPDX-License-Identifier: Apache-2.0

// Expected failure, as a value.
//
// Expected failures are `Result<T>`; broken invariants abort; exceptions are for bugs and for the
// edges (libraries that throw). A code defines what the caller can do about it, not where it arose;
// the message is for the person who can act on it. Each layer on the way up adds one clause of
// context with `wrap`.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace berth {

enum class ErrorCode : std::uint8_t {
  kNotFound,       // does not exist (often means that it is done already)
  kAlreadyExists,  // the name is taken
  kInvalid,        // the request itself is wrong: do not retry it
  kUnavailable,    // the peer is unavailable now: retry
  kTimeout,        // no answer in time: the outcome is unknown
  kCancelled,      // cancelled: the outcome is unknown
  kUnimplemented,  // the peer does not implement it
  kPermission,     // not allowed
  kUnknown,        // failed, and the peer did not report why
};

[[nodiscard]] std::string_view to_string(ErrorCode code);

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kUnknown;
  std::string message{};

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

// The same failure with one more clause in front: "reading /etc/x: no such file".
[[nodiscard]] Error wrap(std::string_view clause, Error error);

[[nodiscard]] inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

[[nodiscard]] inline std::unexpected<Error> fail(Error error) {
  return std::unexpected(std::move(error));
}

}  // namespace berth
