// SPDX-License-Identifier: Apache-2.0

#include "eviction/proc_files.hpp"

#include <algorithm>

#include "eviction/number_text.hpp"

namespace berth::eviction {
namespace {

constexpr std::int64_t kKibibyte = 1024;
constexpr std::size_t kDecimals = 2;  // of the kernel's percentages
constexpr std::int64_t kHundred = 100;
constexpr std::int64_t kPartsPerHundredth = 100;  // 0.01 % in parts per million

// "12.34" as parts per million of the time.
std::optional<std::int64_t> parse_stalled_share(std::string_view text) {
  const auto point = text.find('.');
  if (point == std::string_view::npos || text.size() - point - 1 != kDecimals) return std::nullopt;
  const auto whole = parse_number(text.substr(0, point));
  const auto hundredths = parse_number(text.substr(point + 1));
  if (!whole || !hundredths || *whole > kHundred) return std::nullopt;
  const std::int64_t share = *whole * kHundred + *hundredths;
  if (share > kHundred * kHundred) return std::nullopt;
  return share * kPartsPerHundredth;
}

// "1503 kB", in bytes.
std::optional<std::int64_t> parse_kibibytes(std::string_view text) {
  const auto number = parse_number(next_word(text));
  if (!number || next_word(text) != "kB") return std::nullopt;
  return capped_product(*number, kKibibyte);
}

struct StallLine {
  std::optional<std::int64_t> avg10{};
  std::optional<std::int64_t> avg60{};
  std::optional<std::int64_t> avg300{};

  [[nodiscard]] bool is_complete() const { return avg10 && avg60 && avg300; }
};

StallLine parse_stall_line(std::string_view line) {
  StallLine out;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    if (word.starts_with("avg10=")) out.avg10 = parse_stalled_share(word.substr(6));
    if (word.starts_with("avg60=")) out.avg60 = parse_stalled_share(word.substr(6));
    if (word.starts_with("avg300=")) out.avg300 = parse_stalled_share(word.substr(7));
  }
  return out;
}

}  // namespace

MemInfo parse_meminfo(std::string_view text) {
  MemInfo out;
  read_fields(text,
              {{"MemTotal:", out.total},
               {"MemAvailable:", out.available},
               {"SwapTotal:", out.swap_total},
               {"SwapFree:", out.swap_free},
               {"AnonPages:", out.anonymous},
               {"Cached:", out.cached},
               {"Buffers:", out.buffers},
               {"SwapCached:", out.swap_cached},
               {"Inactive(file):", out.inactive_file}},
              parse_kibibytes);
  return out;
}

std::optional<AmountReading> node_memory_with_cache(const MemInfo& info,
                                                    std::optional<WallTime> time) {
  if (!info.available || !info.total) return std::nullopt;
  return AmountReading{.available = *info.available, .capacity = *info.total, .time = time};
}

std::optional<std::int64_t> memory_in_use(const MemInfo& info) {
  if (!info.anonymous || !info.cached || !info.buffers || !info.swap_cached || !info.inactive_file)
    return std::nullopt;
  const std::int64_t cache = capped_sum(*info.cached, capped_sum(*info.buffers, *info.swap_cached));
  return capped_sum(*info.anonymous, cache) - *info.inactive_file;
}

std::optional<AmountReading> swap_reading(const MemInfo& info, std::optional<WallTime> time) {
  if (!info.swap_free || !info.swap_total || *info.swap_total == 0) return std::nullopt;
  return AmountReading{.available = *info.swap_free, .capacity = *info.swap_total, .time = time};
}

std::optional<StallReading> parse_pressure(std::string_view text, std::optional<WallTime> time) {
  StallLine some;
  StallLine full;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    const std::string_view kind = next_word(line);
    if (kind == "some") some = parse_stall_line(line);
    if (kind == "full") full = parse_stall_line(line);
  }
  if (!some.is_complete() || !full.is_complete()) return std::nullopt;
  return StallReading{.some_avg10 = *some.avg10,
                      .some_avg60 = *some.avg60,
                      .some_avg300 = *some.avg300,
                      .full_avg10 = *full.avg10,
                      .full_avg60 = *full.avg60,
                      .full_avg300 = *full.avg300,
                      .time = time};
}

std::optional<std::int64_t> parse_loadavg_tasks(std::string_view text) {
  for (int averages = 0; averages < 3; ++averages) {
    if (next_word(text).empty()) return std::nullopt;
  }
  const std::string_view tasks = next_word(text);
  const auto slash = tasks.find('/');
  return slash == std::string_view::npos ? std::nullopt : parse_number(tasks.substr(slash + 1));
}

PidReading pid_reading(std::optional<std::int64_t> tasks, std::optional<std::int64_t> pid_max,
                       std::optional<std::int64_t> threads_max, std::optional<WallTime> time) {
  PidReading out{.running = tasks, .time = time};
  out.max =
      pid_max && threads_max ? std::min(*pid_max, *threads_max) : (pid_max ? pid_max : threads_max);
  return out;
}

}  // namespace berth::eviction
