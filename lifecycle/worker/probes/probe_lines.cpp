// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/probes/probe_lines.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/text.hpp"

namespace berth::lifecycle {
namespace {

constexpr Nanoseconds kForgotten = std::chrono::minutes(10);
// A probe that alternates between failure and success is not new each time.
constexpr Nanoseconds kForgottenOnceWell = std::chrono::minutes(1);
// With more outputs than this, the output contains a date or a counter.
constexpr std::uint64_t kOutputsLogged = 4;
constexpr std::size_t kLongest = 200;

// One line of at most kLongest bytes.
std::string beginning(std::string_view message) {
  while (message.ends_with('\n') || message.ends_with(' ')) message.remove_suffix(1);
  const std::size_t end = std::min(message.find('\n'), message.size());
  if (end <= kLongest && end == message.size()) return std::string(message);
  return fmt::format("{}… ({} bytes)", first_bytes(message.substr(0, end), kLongest),
                     message.size());
}

}  // namespace

std::optional<std::string> ProbeLines::say(const Trouble& trouble, const std::string& message,
                                           SteadyTime now) {
  std::string line = beginning(message);
  Failures& failures = reported_[trouble];
  const Nanoseconds forgotten = failures.succeeded ? kForgottenOnceWell : kForgotten;
  if (now - failures.last >= forgotten) failures = {};
  failures.succeeded = false;
  failures.last = now;
  ++failures.all;
  if (failures.message == line) {
    ++failures.same;
  } else {
    failures.same = 1;
    ++failures.outputs;
    failures.message = line;
  }
  const bool changes = failures.outputs > kOutputsLogged;
  const std::uint64_t times = changes ? failures.all : failures.same;
  if (!std::has_single_bit(times)) return std::nullopt;
  if (times > 1)
    line += fmt::format(" ({} times{})", times, changes ? ", and its output changes" : "");
  return line;
}

void ProbeLines::succeeded(const std::string& container, probes::ProbeType type) {
  for (auto& [trouble, failures] : reported_)
    if (trouble.container == container && trouble.type == type) failures.succeeded = true;
}

}  // namespace berth::lifecycle
