// SPDX-License-Identifier: Apache-2.0

// The outcome of an image pull, and how a failed one is shown. Plain values, pure.
#pragma once

#include <string>

#include "base/clock_types.hpp"

namespace berth::lifecycle {

struct PulledImage {
  std::string image_ref{};  // to create containers with
  Nanoseconds pulling{};
  Nanoseconds including_waiting{};
};

struct PullFailure {
  std::string reason{};   // ErrImagePull, RegistryUnavailable, SignatureValidationFailed
  std::string message{};  // of the waiting state
};

// Some runtimes put the kind of failure into the first word of their message.
[[nodiscard]] PullFailure classify_pull_failure(const std::string& image,
                                                const std::string& error_text);

}  // namespace berth::lifecycle
