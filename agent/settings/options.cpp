// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <sstream>

#include <CLI/CLI.hpp>

#include "agent/settings/config_files.hpp"
#include "base/version.hpp"

namespace berth::agent {
namespace {

// "a=b,c=d", as in the kubelet; CLI11 reports problems with the flag's name.
std::string parse_labels(const std::string& text, std::map<std::string, std::string>& labels) {
  std::istringstream pairs(text);
  for (std::string pair; std::getline(pairs, pair, ',');) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0)
      return "expected KEY=VALUE, not \"" + pair + "\"";
    labels[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return {};
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

}  // namespace

std::expected<Options, int> parse_options(int argc, char** argv) {
  Options options;
  CLI::App app("berthd runs Kubernetes pods on this machine.", "berthd");
  app.set_version_flag("--version", "berthd " + std::string(build_version()));
  app.add_option("--config", options.config_file,
                 std::string("The configuration file (default ") + kDefaultConfigFile +
                     ", if it exists); *.yaml in the folder of that name and \".d\" apply over it");
  app.add_option("--root-dir", options.flags.root_directory,
                 "The folder of the pods' data (default /var/lib/berth)");
  app.add_option("--hostname-override", options.flags.node_name,
                 "The name of the node (default: the host name)");
  app.add_option_function<std::string>(
         "--node-labels",
         [&](const std::string& text) {
           const auto wrong = parse_labels(text, options.flags.node_labels);
           if (!wrong.empty()) throw CLI::ValidationError("--node-labels", wrong);
         },
         "Labels of the node, KEY=VALUE,...")
      ->type_name("TEXT");
  auto* check_config = app.add_flag_function(
      "--check-config", [&](auto) { options.check = Check::kConfiguration; },
      "Check configuration and options, print every problem, and exit");
  auto* check = app.add_flag_function(
      "--check", [&](auto) { options.check = Check::kMachine; },
      "Check what berthd needs to run pods here: the machine, the configuration, the container "
      "runtime and the manifests; print what is found, and exit");
  check->excludes(check_config);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11's own codes are over 100; wrong usage is 2 everywhere in berth.
    const int code = app.exit(error, std::cout, std::cerr);
    return std::unexpected(code == 0 ? 0 : kExitUsage);
  }
  return options;
}

LoadedSettings read_settings(const Options& options) {
  auto files = read_config_files(options.config_file.value_or(kDefaultConfigFile),
                                 options.config_file ? MainFile::kRequired : MainFile::kIfItExists);
  auto [documents, problems] = parse_configuration(files.texts);
  std::ranges::move(files.warnings, std::back_inserter(documents.warnings));
  LoadedSettings loaded{.problems = std::move(files.problems)};
  std::ranges::move(problems, std::back_inserter(loaded.problems));
  // Values are checked even if the file has other problems, and flags with them.
  loaded.settings = resolve_settings(documents, options.flags, host_name(), loaded.problems);
  return loaded;
}

std::expected<Settings, std::vector<ConfigProblem>> load_settings(const Options& options) {
  LoadedSettings loaded = read_settings(options);
  if (!loaded.problems.empty()) return std::unexpected(std::move(loaded.problems));
  return std::move(loaded.settings);
}

}  // namespace berth::agent
