// SPDX-License-Identifier: Apache-2.0

// The smallest parts of translation: lists, maps, optional numbers.
#pragma once

#include <cstdint>
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

[[nodiscard]] inline StringMap map_from(const StringMessageMap& map) {
  return {map.begin(), map.end()};
}

[[nodiscard]] inline std::vector<std::string> list_from(const StringMessageList& list) {
  return {list.begin(), list.end()};
}

}  // namespace berth::cri
