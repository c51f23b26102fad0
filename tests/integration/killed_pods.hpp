// The manifests of the pods that live through many kills of berthd. Each says in a label what is
// expected of it (shown_changes.hpp).
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace berth::integration {

// How many pods are stopped in the course of the kills, deaf0 first.
inline constexpr int kDeafPods = 5;

// Manifests by the name of their pod: what is there before the first kill.
[[nodiscard]] std::map<std::string, std::string> killed_pods(const std::filesystem::path& hooks);

// A pod that comes and goes; `generation` makes it another one.
[[nodiscard]] std::string changing_pod(const std::string& name, int generation);

}  // namespace berth::integration
