// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/pull_outcome.hpp"

#include <string_view>

#include <fmt/core.h>

namespace berth::lifecycle {

PullFailure classify_pull_failure(const std::string& image, const std::string& error_text) {
  constexpr std::string_view kRegistry = "RegistryUnavailable";
  constexpr std::string_view kSignature = "SignatureValidationFailed";
  if (error_text.starts_with(kRegistry))
    return {std::string(kRegistry),
            fmt::format("image pull failed for {} because the registry is unavailable{}", image,
                        error_text.substr(kRegistry.size()))};
  if (error_text.starts_with(kSignature))
    return {std::string(kSignature),
            fmt::format("image pull failed for {} because the signature validation failed{}", image,
                        error_text.substr(kSignature.size()))};
  return {"ErrImagePull", error_text};
}

}  // namespace berth::lifecycle
