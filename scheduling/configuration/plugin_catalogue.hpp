// SPDX-License-Identifier: Apache-2.0

// The plugins of Kubernetes' scheduler: their extension points, which of them berth implements, and
// the successors of older versions' plugins.
//
// Pure; the facts are those of 1.34.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

// In the order of the API.
enum class ExtensionPoint : std::uint8_t {
  kPreEnqueue,
  kQueueSort,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kReserve,
  kPermit,
  kPreBind,
  kBind,
  kPostBind,
};
inline constexpr std::size_t kExtensionPoints = 12;

// In the API's spelling: preEnqueue ...
[[nodiscard]] std::string_view name_of(ExtensionPoint point);

enum class PluginStanding : std::uint8_t {
  kConfigurable,  // enabled by the profile: one of `Plugin`
  kFixed,         // always enabled
  kPreemption,    // DefaultPreemption: can be disabled
  kAbsent,        // in Kubernetes, not in berth: volumes and devices
};

struct KnownPlugin {
  std::string_view name{};
  PluginStanding standing = PluginStanding::kConfigurable;
  std::uint32_t points = 0;  // one bit per extension point
  std::int64_t weight = 0;   // default weight in multiPoint; 0 if unset

  [[nodiscard]] constexpr bool extends(ExtensionPoint point) const {
    return (points & (1U << static_cast<std::uint32_t>(point))) != 0;
  }
};

// In the order of the default profile.
[[nodiscard]] std::span<const KnownPlugin> known_plugins();
// Null if there is no such plugin.
[[nodiscard]] const KnownPlugin* known_plugin(std::string_view name);

// v1's replacement for a plugin of an older version; empty if there is none.
[[nodiscard]] std::string_view successor_of(std::string_view old_plugin);

}  // namespace berth::scheduling
