// SPDX-License-Identifier: Apache-2.0

// Columns by the input that they were computed from. If there are too many, trim() drops those that
// were not used recently; until then every column keeps its address.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scheduling/cluster/interner.hpp"

namespace berth::scheduling {

template <class Column>
class ColumnCache {
 public:
  explicit ColumnCache(std::size_t most) : most_(most) {}

  Column& get(std::string_view key) {
    ++clock_;
    auto known = entries_.find(key);
    if (known == entries_.end()) {
      known = entries_.emplace(std::string(key), Entry{std::make_unique<Column>(), 0}).first;
    }
    known->second.used_at = clock_;
    return *known->second.column;
  }

  void trim() {
    if (entries_.size() > most_) drop_older_half();
  }
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    std::unique_ptr<Column> column{};
    std::uint64_t used_at = 0;
  };

  void drop_older_half() {
    std::vector<std::uint64_t> times;
    times.reserve(entries_.size());
    for (const auto& [key, entry] : entries_) times.push_back(entry.used_at);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    std::erase_if(entries_, [&](const auto& one) { return one.second.used_at < *middle; });
  }

  std::size_t most_;
  std::uint64_t clock_ = 0;
  TextMap<Entry> entries_{};
};

}  // namespace berth::scheduling
