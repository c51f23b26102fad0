// SPDX-License-Identifier: Apache-2.0

#include "ctl/run.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/nearest_name.hpp"
#include "base/text.hpp"
#include "ctl/command.hpp"
#include "ctl/command_line.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/words.hpp"

namespace berth::ctl {
namespace {

// CLI11 only reports that a subcommand is missing; suggest the one that was meant.
std::optional<std::string> mistyped_command(const CLI::App& app,
                                            const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  bool may_be_value = false;  // may be the value of the preceding option
  for (const auto& word : words) {
    const bool option = word.starts_with("-");
    const bool value = std::exchange(may_be_value, option && word.find('=') == std::string::npos);
    if (std::ranges::find(known, word) != known.end()) return std::nullopt;
    if (option || value) continue;
    const auto near = api::nearest_name(word, known);
    return fmt::format("unknown command \"{}\"{}", word,
                       near ? fmt::format(" (did you mean \"{}\"?)", *near) : "");
  }
  return std::nullopt;
}

// Reports arguments that cannot be sent; protobuf accepts only UTF-8 and would report no more than
// a failure.
std::optional<std::string> unsendable(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (valid_text(arguments[i]) == arguments[i]) continue;
    return fmt::format("argument {} (\"{}\") is not UTF-8, and cannot be sent", i + 1,
                       one_line(arguments[i]));
  }
  return std::nullopt;
}

int finish(const Outcome& outcome) {
  // Output lost to a full disk was never read.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fputs(fmt::format("error: writing the output: {}\n", std::strerror(errno)).c_str(),
               stderr);
    return kFailed;
  }
  if (outcome) return *outcome;
  const Error& error = outcome.error();
  complain(fmt::format("error: {}\n", error.message));
  return exit_code(error.code);
}

}  // namespace

int run(const std::vector<std::string>& arguments) {
  if (const auto problem = unsendable(arguments)) return usage_error(*problem);
  CommandLine line;
  // Words after `--` are exec's command and not ours to parse.
  std::vector<std::string> words = arguments;
  const auto separator = std::ranges::find(words, "--");
  if (separator != words.end()) {
    line.exec.command.assign(separator + 1, words.end());
    words.erase(separator, words.end());
  }
  words = without_equals(std::move(words));

  CLI::App app{"berthctl controls the pods that berthd runs on this machine.", "berthctl"};
  describe_commands(app, line);
  if (words.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return kUsage;
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& asked) {  // help or version
    return app.exit(asked);
  } catch (const CLI::ParseError& problem) {
    return usage_error(mistyped_command(app, words).value_or(problem.what()));
  }
  const auto timeout = request_timeout(line.request_timeout);
  if (!timeout) return usage_error(timeout.error().message);
  line.options.request_timeout = *timeout;
  return finish(line.run(line));
}

}  // namespace berth::ctl
