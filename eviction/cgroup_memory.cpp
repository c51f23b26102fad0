// SPDX-License-Identifier: Apache-2.0

#include "eviction/cgroup_memory.hpp"

#include <algorithm>
#include <string_view>

#include "eviction/number_text.hpp"

namespace berth::eviction {
namespace {

// A limit of this size or more means unlimited, as the kernel writes it on version 1.
constexpr std::int64_t kUnlimited = std::int64_t{1} << 62;

std::optional<std::int64_t> number_in(const std::optional<std::string>& text) {
  return text ? parse_number(*text) : std::nullopt;
}

std::int64_t less(std::int64_t from, std::int64_t what) {
  return std::max<std::int64_t>(from - what, 0);
}

std::optional<std::int64_t> working_set_of(const CgroupMemory& memory) {
  if (!memory.usage || !memory.inactive_file) return std::nullopt;
  return less(*memory.usage, *memory.inactive_file);
}

std::optional<std::int64_t> real_limit(std::optional<std::int64_t> limit) {
  return limit && *limit <= kUnlimited ? limit : std::nullopt;
}

}  // namespace

CgroupMemory parse_cgroup_memory(const CgroupMemoryTexts& texts, CgroupVersion version,
                                 CgroupPlace place) {
  const bool v1 = version == CgroupVersion::kV1;
  CgroupMemory out{.usage = number_in(texts.usage), .limit = real_limit(number_in(texts.limit))};
  std::optional<std::int64_t> anon;
  std::optional<std::int64_t> file;
  read_fields(texts.stat ? std::string_view(*texts.stat) : std::string_view{},
              {{v1 ? "total_inactive_file" : "inactive_file", out.inactive_file},
               {v1 ? "total_active_file" : "active_file", out.active_file},
               {v1 ? "total_dirty" : "file_dirty", out.file_dirty},
               {v1 ? "total_writeback" : "file_writeback", out.file_writeback},
               {"anon", anon},
               {"file", file}},
              parse_number);
  if (!v1 && place == CgroupPlace::kRoot)
    out.usage = anon && file ? std::optional(capped_sum(*anon, *file)) : std::nullopt;
  return out;
}

MemoryReading memory_reading(const CgroupMemory& memory, std::optional<std::int64_t> limit,
                             std::optional<WallTime> time) {
  MemoryReading out{.working_set = working_set_of(memory), .time = time};
  limit = real_limit(limit);
  if (limit && out.working_set) {
    out.available = less(*limit, *out.working_set);
    out.limit = limit;
  }
  return out;
}

std::optional<AmountReading> memory_with_cache(const CgroupMemory& memory,
                                               std::optional<std::int64_t> limit,
                                               std::optional<WallTime> time) {
  const auto working_set = working_set_of(memory);
  limit = real_limit(limit);
  if (!limit || !working_set || !memory.active_file || !memory.file_dirty ||
      !memory.file_writeback) {
    return std::nullopt;
  }
  const std::int64_t clean =
      less(*memory.active_file, capped_sum(*memory.file_dirty, *memory.file_writeback));
  return AmountReading{
      .available = less(*limit, less(*working_set, clean / 2)), .capacity = *limit, .time = time};
}

}  // namespace berth::eviction
