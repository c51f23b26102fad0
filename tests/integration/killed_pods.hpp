// SPDX-License-Identifier: Apache-2.0

// The manifests of the pods that live through many kills of berthd. Each has a label with what the
// test expects of it (shown_changes.hpp).
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace berth::integration {

// How many pods are stopped during the kills, deaf0 first.
inline constexpr int kDeafPods = 5;

// Manifests by pod name: the pods that exist before the first kill.
[[nodiscard]] std::map<std::string, std::string> killed_pods(const std::filesystem::path& hooks);

// A pod that is created, replaced and removed; another `generation` makes it a different pod.
[[nodiscard]] std::string changing_pod(const std::string& name, int generation);

}  // namespace berth::integration
