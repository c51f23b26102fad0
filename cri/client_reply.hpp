// SPDX-License-Identifier: Apache-2.0

// Converts a call's reply to what the Runtime interface promises. Private to the client.
#pragma once

#include "base/result.hpp"
#include "cri/runtime.hpp"

namespace berth::cri {

template <class Reply>
[[nodiscard]] Result<Done> done(const Result<Reply>& reply) {
  if (!reply) return fail(reply.error());
  return Done{};
}

// For stopping and removing: an object that does not exist counts as stopped or removed.
template <class Reply>
[[nodiscard]] Result<Done> done_or_gone(const Result<Reply>& reply) {
  if (!reply && reply.error().code == ErrorCode::kNotFound) return Done{};
  return done(reply);
}

// The error for a reply without its main content, which is a bug of the runtime.
[[nodiscard]] inline std::unexpected<Error> nothing_in(const std::string& method,
                                                       const std::string& what) {
  return fail(ErrorCode::kUnknown, method + ": the runtime's answer has no " + what);
}

}  // namespace berth::cri
