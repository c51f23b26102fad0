// SPDX-License-Identifier: Apache-2.0

// berthd's command line and start: flags, configuration file, settings.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "agent/settings/settings.hpp"

namespace berth::agent {

// From sysexits.h: a refused configuration; something required that is missing for good.
inline constexpr int kExitConfig = 78;
inline constexpr int kExitUnavailable = 69;
inline constexpr int kExitUsage = 2;

// What is checked instead of running.
enum class Check : std::uint8_t {
  kNone,
  kConfiguration,  // --check-config: the configuration alone
  kMachine,        // --check: the machine, the runtime and the manifests as well
};

struct Options {
  std::optional<std::string> config_file{};  // unset: the default one, if it exists
  FlagSettings flags{};
  Check check = Check::kNone;
};

// Prints help, version or errors; then the program should end with the returned code.
[[nodiscard]] std::expected<Options, int> parse_options(int argc, char** argv);

// The settings and all problems of the configuration: if there are any, the settings are a best
// effort, for diagnostics that start nothing.
struct LoadedSettings {
  Settings settings{};
  std::vector<ConfigProblem> problems{};
};
[[nodiscard]] LoadedSettings read_settings(const Options& options);

// Reads and checks everything again; used at start and at a reload. Blocking, small.
[[nodiscard]] std::expected<Settings, std::vector<ConfigProblem>> load_settings(
    const Options& options);

}  // namespace berth::agent
