// SPDX-License-Identifier: Apache-2.0

// A number of bytes as the quantity used in comparisons and texts: "100Mi".
#pragma once

#include <cstdint>

#include "api/quantity.hpp"

namespace berth::eviction {

[[nodiscard]] inline api::Quantity bytes(std::int64_t amount) {
  return api::Quantity::from_int(amount, api::Quantity::Format::kBinarySI);
}

}  // namespace berth::eviction
