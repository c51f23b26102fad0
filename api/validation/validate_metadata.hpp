// SPDX-License-Identifier: Apache-2.0

// Object metadata checks on creation, for namespaced and cluster-scoped kinds. Labels and
// annotations are reported in the order of their keys.
#pragma once

#include <cstdint>

#include "api/field_error.hpp"
#include "api/meta.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

enum class Scope : std::uint8_t { kNamespaced, kCluster };

void check_metadata(FieldErrors& errors, const FieldPath& path, const ObjectMeta& meta, Scope scope,
                    TextGrammar name_grammar);
void check_annotations(FieldErrors& errors, const FieldPath& path,
                       const std::map<std::string, std::string>& annotations);

// For an update: identifying fields must not change, and the resource version must be set.
void check_metadata_update(FieldErrors& errors, const FieldPath& path, const ObjectMeta& now,
                           const ObjectMeta& before);

// The name grammar of kinds whose name is only used as a segment of an HTTP path.
[[nodiscard]] grammar::Details path_segment_name(std::string_view name);

}  // namespace berth::api
