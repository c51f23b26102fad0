// Object metadata as it is checked when an object is created, for namespaced and cluster-scoped
// kinds. Labels and annotations are reported in the order of their keys.
#pragma once

#include <cstdint>

#include "api/field_error.hpp"
#include "api/meta.hpp"
#include "api/validate_values.hpp"

namespace berth::api {

enum class Scope : std::uint8_t { kNamespaced, kCluster };

void check_metadata(FieldErrors& errors, const FieldPath& path, const ObjectMeta& meta, Scope scope,
                    TextGrammar name_grammar);
void check_annotations(FieldErrors& errors, const FieldPath& path,
                       const std::map<std::string, std::string>& annotations);

// On update: what identifies an object must stay, and its version must be given.
void check_metadata_update(FieldErrors& errors, const FieldPath& path, const ObjectMeta& now,
                           const ObjectMeta& before);

// The name grammar of kinds that are named only as a piece of an HTTP path.
[[nodiscard]] grammar::Details path_segment_name(std::string_view name);

}  // namespace berth::api
