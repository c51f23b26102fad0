// SPDX-License-Identifier: Apache-2.0

// Stores each distinct value once under a small number: equal keys have equal ids, so that frequent
// comparisons and lookups work on integers.
//
// Ids are dense and start at 0. They are valid until keep() drops them, and may then be reused for
// other values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace berth::scheduling {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

template <class T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

template <class T>
class Interner {
 public:
  using Id = std::uint32_t;

  // Calls `make` only for a new key.
  template <class Make>
  Id intern(std::string_view key, Make&& make) {
    if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
    if (free_.empty()) {
      free_.push_back(static_cast<Id>(values_.size()));
      values_.emplace_back();
    }
    const Id id = free_.back();
    values_[id] = make();
    free_.pop_back();
    ids_.emplace(std::string(key), id);
    return id;
  }

  [[nodiscard]] std::optional<Id> find(std::string_view key) const {
    const auto known = ids_.find(key);
    return known == ids_.end() ? std::nullopt : std::optional(known->second);
  }

  [[nodiscard]] const T& at(Id id) const { return values_[id]; }
  // Drops every value whose id is not marked; `used` has one mark per slot.
  void keep(const std::vector<bool>& used) {
    std::erase_if(ids_, [&](const auto& one) {
      if (used[one.second]) return false;
      values_[one.second] = T{};
      free_.push_back(one.second);
      return true;
    });
  }

  // One more than the largest id so far.
  [[nodiscard]] std::size_t slots() const { return values_.size(); }
  [[nodiscard]] std::size_t held() const { return ids_.size(); }

 private:
  TextMap<Id> ids_{};
  std::vector<Id> free_{};
  std::deque<T> values_{};
};

}  // namespace berth::scheduling
