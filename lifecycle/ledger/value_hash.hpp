// SPDX-License-Identifier: Apache-2.0

// A hash of described structs and their members, to detect that a decision is the same as the
// previous one. Within one process; never stored.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include <boost/mp11.hpp>

#include "lifecycle/ledger/strict_json.hpp"

namespace berth::lifecycle {

class ValueHash {
 public:
  template <class T>
  ValueHash& add(const T& value) {
    if constexpr (std::is_enum_v<T> || std::integral<T>) {
      mix(static_cast<std::uint64_t>(value));
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      mix(std::hash<std::string_view>{}(value));
    } else if constexpr (strict_json::IdTag<T>::value) {
      add(value.str());
    } else if constexpr (strict_json::TimeTag<T>::value) {
      mix(static_cast<std::uint64_t>(value.time_since_epoch().count()));
    } else if constexpr (strict_json::OptionalTag<T>::value) {
      mix(value ? 1U : 0U);
      if (value) add(*value);
    } else if constexpr (strict_json::ContainerTag<T>::value) {
      mix(value.size());
      for (const auto& item : value) add(item);
    } else {
      boost::mp11::mp_for_each<strict_json::MembersOf<T>>(
          [&](auto member) { add(value.*member.pointer); });
    }
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t part) {
    constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15ULL;
    value_ = (value_ ^ (part + kPrime + (value_ << 6U) + (value_ >> 2U))) * kPrime;
  }

  std::uint64_t value_ = 0;
};

template <class... Parts>
[[nodiscard]] std::uint64_t value_hash(const Parts&... parts) {
  ValueHash hash;
  (hash.add(parts), ...);
  return hash.value();
}

}  // namespace berth::lifecycle
