// What `delete` asks berthd for, in kubectl's manner. Pure.
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
  std::optional<std::chrono::seconds> timeout{};  // none: however long it takes

  bool operator==(const DeleteOptions&) const = default;
};

// With kubectl's rules applied: 0 without --force becomes 1, --force alone means 0, and nobody
// waits longer than --timeout. Refused (kInvalid) is what contradicts itself.
[[nodiscard]] Result<DeleteOptions> as_kubectl_asks(DeleteOptions asked);

}  // namespace berth::ctl
