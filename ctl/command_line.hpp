// SPDX-License-Identifier: Apache-2.0

// All options and arguments of the command line, and the command it selects.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ctl/command.hpp"
#include "ctl/evict/evict.hpp"
#include "ctl/evictions/commands.hpp"
#include "ctl/schedule/explain.hpp"

namespace CLI {
class App;
}

namespace berth::ctl {

// Filled in by the parser; then `run` is called.
struct CommandLine {
  Options options{};
  std::string output{};
  std::string request_timeout = "10s";
  std::vector<std::string> words{};  // positional: a type and names, or pods
  std::string container_word{};      // of `logs POD CONTAINER`
  bool watch = false;
  bool quiet = false;
  DeleteOptions deletion{};
  std::string timeout{};
  EvictOptions eviction{};
  ConditionOptions condition{};
  EventsOptions events{};
  LogsOptions logs{};
  std::string since{};
  ExecOptions exec{};
  WhyOptions why{};
  EvictionsOptions evictions{};
  ExplainOptions explain{};
  bool client_only = false;
  std::string config_file{};  // of berthd
  std::function<Outcome(CommandLine&)> run{};
};

// Declares all commands and options to the parser. Both arguments outlive the parsing.
void describe_commands(CLI::App& app, CommandLine& line);

// Reports wrong usage on stderr; returns the exit code.
[[nodiscard]] int usage_error(const std::string& message);

}  // namespace berth::ctl
