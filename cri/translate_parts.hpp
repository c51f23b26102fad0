// SPDX-License-Identifier: Apache-2.0

// The smallest parts of translation: lists, maps, optional numbers, times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <google/protobuf/map.h>
#include <google/protobuf/repeated_field.h>

#include "cri/cri.pb.h"
#include "cri/types.hpp"

namespace berth::cri {

using StringMessageMap = google::protobuf::Map<std::string, std::string>;
using StringMessageList = google::protobuf::RepeatedPtrField<std::string>;

inline void copy_to(const StringMap& map, StringMessageMap* out) {
  out->insert(map.begin(), map.end());
}

inline void copy_to(const std::vector<std::string>& list, StringMessageList* out) {
  out->Add(list.begin(), list.end());
}

inline void copy_to(const std::vector<std::int64_t>& list,
                    google::protobuf::RepeatedField<std::int64_t>* out) {
  out->Add(list.begin(), list.end());
}

// Creates `slot` only if there is a value: an absent message differs from 0.
template <class Parent>
void copy_to(const std::optional<std::int64_t>& number, Parent* parent,
             runtime::v1::Int64Value* (Parent::*slot)()) {
  if (number) (parent->*slot)()->set_value(*number);
}

// Nanoseconds since 1970; 0 is unknown, as is what lies before (Go's zero time is the year 1). The
// latest is in 2116: a clock that runs ahead, or a runtime that is wrong, makes no sum of times and
// periods overflow.
[[nodiscard]] inline std::int64_t time_from(std::int64_t nanoseconds) {
  constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 2;
  return std::clamp<std::int64_t>(nanoseconds, 0, kLatest);
}

[[nodiscard]] inline StringMap map_from(const StringMessageMap& map) {
  return {map.begin(), map.end()};
}

[[nodiscard]] inline std::vector<std::string> list_from(const StringMessageList& list) {
  return {list.begin(), list.end()};
}

}  // namespace berth::cri
