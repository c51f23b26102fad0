// SPDX-License-Identifier: Apache-2.0

// The request that `delete` sends to berthd, by kubectl's rules. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/result.hpp"

namespace berth::ctl {

struct DeleteOptions {
  std::optional<std::int64_t> grace{};  // --grace-period; negative: the pod's own
  bool now = false;                     // --now: 1 s
  bool force = false;
  bool wait = true;
  std::optional<std::chrono::seconds> timeout{};  // unset: no limit

  bool operator==(const DeleteOptions&) const = default;
};

// Applies kubectl's rules: 0 without --force becomes 1, --force alone means 0, and waiting never
// exceeds --timeout. Contradictory options are refused (kInvalid).
[[nodiscard]] Result<DeleteOptions> as_kubectl_asks(DeleteOptions asked);

}  // namespace berth::ctl
