// SPDX-License-Identifier: Apache-2.0

#include "agent/allocatable/cpu_list.hpp"

#include <charconv>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

namespace berth::agent {
namespace {

// More than any machine has; a list is not to fill memory.
constexpr int kMostCpus = 1 << 16;

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  if (!whole || number < 0 || number >= kMostCpus) return std::nullopt;
  return number;
}

}  // namespace

Result<std::size_t> cpus_in(std::string_view list) {
  std::set<int> cpus;
  for (std::string_view left = list; !left.empty();) {
    const auto comma = left.find(',');
    const std::string_view part = left.substr(0, comma);
    const auto dash = part.find('-');
    const auto first = number_in(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number_in(part.substr(dash + 1));
    const bool more = comma != std::string_view::npos;
    if (!first || !last || *last < *first || (more && comma + 1 == left.size()))
      return fail(ErrorCode::kInvalid,
                  fmt::format("must list processors like 0-3,8, not \"{}\"", list));
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
    left.remove_prefix(more ? comma + 1 : left.size());
  }
  return cpus.size();
}

}  // namespace berth::agent
