// SPDX-License-Identifier: Apache-2.0

// How a lifecycle hook ended. A plain value.
#pragma once

#include <optional>
#include <string>

namespace berth::lifecycle {

struct HookOutcome {
  std::optional<std::string> failure{};  // the kubelet's words; not for events, it may hold secrets
  std::string fallback{};  // message of LifecycleHTTPFallback, if HTTPS was answered in plain HTTP
};

}  // namespace berth::lifecycle
