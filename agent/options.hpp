// The command line of berthd, and what it starts with: flags, configuration file, settings.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "agent/settings.hpp"

namespace berth::agent {

// sysexits.h: a configuration that is refused; something required that is missing for good.
inline constexpr int kExitConfig = 78;
inline constexpr int kExitUnavailable = 69;
inline constexpr int kExitUsage = 2;

struct Options {
  std::optional<std::string> config_file{};  // none: the default one, if it is there
  FlagSettings flags{};
  bool check_config = false;
};

// Prints help, version or what is wrong; then the program is to end with the code given.
[[nodiscard]] std::expected<Options, int> parse_options(int argc, char** argv);

// What the configuration comes to, and everything that is wrong with it: where there is anything,
// the settings are the best that could be made of it, for those who look and start nothing.
struct LoadedSettings {
  Settings settings{};
  std::vector<ConfigProblem> problems{};
};
[[nodiscard]] LoadedSettings read_settings(const Options& options);

// Reads and checks everything again; used at start and at a reload. Blocking, small.
[[nodiscard]] std::expected<Settings, std::vector<ConfigProblem>> load_settings(
    const Options& options);

}  // namespace berth::agent
