// SPDX-License-Identifier: Apache-2.0

// Defaults for volumes, which are part of a pod's defaults, and helpers for all defaulting: a field
// gets its default if it is absent, or zero where Go's type cannot distinguish the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/volume.hpp"

namespace berth::api {

inline void fill(std::string& field, std::string_view value) {
  if (field.empty()) field = value;
}
inline void fill(std::int32_t& field, std::int32_t value) {
  if (field == 0) field = value;
}
template <class T, class Value>
void fill(std::optional<T>& field, const Value& value) {
  if (!field) field = T(value);
}

void apply_volume_defaults(Volume& volume);
// Sets the API version whose field names a selector uses.
void apply_field_ref_defaults(ObjectFieldSelector& ref);
// Rounds amounts up to whole thousandths.
void round_up_to_milli(ResourceList& amounts);

}  // namespace berth::api
