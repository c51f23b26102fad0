// Values that are held once and named by small numbers: equal keys have equal ids, so that what is
// compared and looked up a million times is an integer.
//
// Ids are dense, begin with 0 and stay valid; nothing is ever dropped.
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

  // `make` is called for a key that is new.
  template <class Make>
  Id intern(std::string_view key, Make&& make) {
    if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
    const auto id = static_cast<Id>(values_.size());
    values_.push_back(make());
    ids_.emplace(std::string(key), id);
    return id;
  }

  [[nodiscard]] std::optional<Id> find(std::string_view key) const {
    const auto known = ids_.find(key);
    return known == ids_.end() ? std::nullopt : std::optional(known->second);
  }

  [[nodiscard]] const T& at(Id id) const { return values_[id]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  TextMap<Id> ids_{};
  std::deque<T> values_{};
};

}  // namespace berth::scheduling
