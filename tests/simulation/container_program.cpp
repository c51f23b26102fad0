// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/container_program.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/core.h>

namespace berth::simulation {
namespace {

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void read_word(std::string_view word, ContainerProgram& program) {
  const auto equals = word.find('=');
  const auto key = word.substr(0, equals);
  const auto value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
  const auto milliseconds = [&] { return std::chrono::milliseconds(number(value)); };
  if (key == "exit") program.exit_code = static_cast<std::int32_t>(number(value));
  if (key == "after") program.ends_after = milliseconds();
  if (key == "oom") program.out_of_memory = true;
  if (key == "fails") program.failing_attempts = static_cast<std::uint32_t>(number(value));
  if (key == "recovers") program.recovers = true;
  if (key == "later") program.later_code = static_cast<std::int32_t>(number(value));
  if (key == "on") program.obeys = value;
  if (key == "code") program.term_code = static_cast<std::int32_t>(number(value));
  if (key == "term" && value == "ignore") program.ignores_term = true;
  if (key == "term" && value != "ignore") program.term_delay = milliseconds();
}

}  // namespace

ContainerProgram read_program(const std::vector<std::string>& command) {
  ContainerProgram program;
  if (command.empty() || command.front() != "sim") return program;
  for (const auto& word : command) read_word(word, program);
  if (program.out_of_memory) program.exit_code = 137;
  return program;
}

std::vector<std::string> write_program(const ContainerProgram& program) {
  const auto milliseconds = [](Nanoseconds duration) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  };
  std::vector<std::string> words{"sim"};
  if (program.ends_after) {
    words.push_back(program.out_of_memory ? "oom" : fmt::format("exit={}", program.exit_code));
    words.push_back(fmt::format("after={}", milliseconds(*program.ends_after)));
  }
  if (program.failing_attempts) words.push_back(fmt::format("fails={}", *program.failing_attempts));
  if (program.recovers) words.emplace_back("recovers");
  if (program.later_code != 0) words.push_back(fmt::format("later={}", program.later_code));
  if (program.obeys != "SIGTERM") words.push_back("on=" + program.obeys);
  if (program.ignores_term) {
    words.emplace_back("term=ignore");
  } else if (program.term_delay.count() > 0 || program.term_code != 143) {
    words.push_back(fmt::format("term={}", milliseconds(program.term_delay)));
    words.push_back(fmt::format("code={}", program.term_code));
  }
  return words;
}

std::vector<std::string> write_hook(const Hook& hook) {
  return {"hook", hook.kind == HookKind::kPreStop ? "preStop" : "postStart",
          std::to_string(hook.takes.count()), std::to_string(hook.exit_code)};
}

std::optional<Hook> read_hook(const std::vector<std::string>& command) {
  if (command.size() != 4 || command.front() != "hook") return std::nullopt;
  return Hook{.kind = command[1] == "preStop" ? HookKind::kPreStop : HookKind::kPostStart,
              .takes = Nanoseconds(std::stoll(command[2])),
              .exit_code = std::stoi(command[3])};
}

// container/type/up/down/shift/takes/manner, times in nanoseconds
std::string write_probe(const ProbeWords& words) {
  const ProbeScript& script = words.script;
  return fmt::format("{}/{}/{}/{}/{}/{}/{}", words.container, words.type, script.up.count(),
                     script.down.count(), script.shift.count(), script.takes.count(),
                     script.stalls ? "stalls" : "fails");
}

std::optional<ProbeWords> read_probe(std::string_view text) {
  constexpr std::size_t kWords = 7;
  std::vector<std::string_view> words;
  for (std::size_t from = 0; from <= text.size();) {
    const auto slash = std::min(text.find('/', from), text.size());
    words.push_back(text.substr(from, slash - from));
    from = slash + 1;
  }
  if (words.size() != kWords) return std::nullopt;
  return ProbeWords{.container = std::string(words[0]),
                    .type = std::string(words[1]),
                    .script = {.up = Nanoseconds(number(words[2])),
                               .down = Nanoseconds(number(words[3])),
                               .shift = Nanoseconds(number(words[4])),
                               .takes = Nanoseconds(number(words[5])),
                               .stalls = words[6] == "stalls"}};
}

// From the lowest bit on: the container (3 bits, never 0), the type (2), up and down in units of
// two seconds (4 and 3), the shift in units of four (3).
ProbeWords fit_for_port(ProbeWords words) {
  using std::chrono::seconds;
  const auto whole = [](Nanoseconds time, std::int64_t unit, std::int64_t most) {
    const auto units = std::chrono::duration_cast<seconds>(time).count() / unit;
    return Nanoseconds(seconds(std::clamp<std::int64_t>(units, 0, most) * unit));
  };
  auto& script = words.script;
  script.up = std::max<Nanoseconds>(whole(script.up, 2, 15), seconds(2));
  script.down = whole(script.down, 2, 7);
  script.shift = whole(script.shift, 4, 7);
  script.takes = std::chrono::milliseconds(1);
  script.stalls = false;
  return words;
}

namespace {

constexpr std::array<std::string_view, 3> kProbeTypes = {"startup", "readiness", "liveness"};
constexpr std::array<std::string_view, 6> kProbed = {"main0", "main1", "main2",
                                                     "side0", "side1", "side2"};

template <std::size_t kSize>
std::uint16_t place_of(const std::array<std::string_view, kSize>& all, std::string_view one) {
  return static_cast<std::uint16_t>(std::ranges::find(all, one) - all.begin());
}

}  // namespace

std::uint16_t write_probe_port(const ProbeWords& words) {
  const auto units = [](Nanoseconds time, std::int64_t unit) {
    return static_cast<unsigned>(std::chrono::duration_cast<std::chrono::seconds>(time).count() /
                                 unit);
  };
  const auto& script = words.script;
  const unsigned port = (place_of(kProbed, words.container) + 1U) |
                        unsigned{place_of(kProbeTypes, words.type)} << 3U |
                        units(script.up, 2) << 5U | units(script.down, 2) << 9U |
                        units(script.shift, 4) << 12U;
  return static_cast<std::uint16_t>(port);
}

std::optional<ProbeWords> read_probe_port(std::uint16_t port) {
  using std::chrono::seconds;
  const unsigned container = port & 7U;
  const unsigned type = port >> 3U & 3U;
  if (container == 0 || container > kProbed.size() || type >= kProbeTypes.size())
    return std::nullopt;
  return ProbeWords{.container = std::string(kProbed.at(container - 1)),
                    .type = std::string(kProbeTypes.at(type)),
                    .script = {.up = seconds(2 * (port >> 5U & 15U)),
                               .down = seconds(2 * (port >> 9U & 7U)),
                               .shift = seconds(4 * (port >> 12U & 7U))}};
}

std::optional<ProbeWords> read_probe(const std::vector<std::string>& command) {
  if (command.size() != 2 || command.front() != "probe") return std::nullopt;
  return read_probe(std::string_view(command[1]));
}

}  // namespace berth::simulation
