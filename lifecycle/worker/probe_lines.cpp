// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/probe_lines.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/text.hpp"

namespace berth::lifecycle {
namespace {

constexpr auto kForgotten = std::chrono::minutes(10);
constexpr std::size_t kLongest = 200;

// One line of at most that many bytes.
std::string beginning(std::string_view message) {
  while (message.ends_with('\n') || message.ends_with(' ')) message.remove_suffix(1);
  const std::size_t end = std::min(message.find('\n'), message.size());
  if (end <= kLongest && end == message.size()) return std::string(message);
  return fmt::format("{}… ({} bytes)", first_bytes(message.substr(0, end), kLongest),
                     message.size());
}

}  // namespace

std::optional<std::string> ProbeLines::say(const std::string& container, const std::string& message,
                                           SteadyTime now) {
  std::string line = beginning(message);
  Repeated& told = told_[{container, message.substr(0, message.find(':'))}];
  const bool again = told.message == line && now - told.last < kForgotten;
  told.last = now;
  told.times = again ? told.times + 1 : 1;
  told.message = line;
  if (!std::has_single_bit(told.times)) return std::nullopt;
  if (told.times > 1) line += fmt::format(" ({} times)", told.times);
  return line;
}

}  // namespace berth::lifecycle
