// SPDX-License-Identifier: Apache-2.0

// Whether a running container is the one the spec asks for.
//
// berth compares field by field what a container was started from: its name, and its image as the
// spec states it, which berth records in an annotation of its own. A container that a kubelet
// started has only the kubelet's hash; then the hash decides. berth writes the hash as well, so
// that a kubelet can take over. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cri/types.hpp"

namespace berth::lifecycle {

// Records the image as the spec states it.
inline constexpr const char* kAnnotationSpecImage = "berth.dev/spec-image";

// The kubelet's hash of a container definition: FNV-1a-32 over Go's dump of the JSON of name and
// image. Nothing else in the spec enters the hash.
[[nodiscard]] std::uint32_t kubelet_container_hash(std::string_view name, std::string_view image);

// As the kubelet writes it: lower-case hex without padding.
[[nodiscard]] std::string kubelet_container_hash_text(std::string_view name,
                                                      std::string_view image);

// The annotations that record what a container was started from; set when it is created.
[[nodiscard]] cri::StringMap identity_annotations(std::string_view name, std::string_view image);

// Whether the container with these annotations was started from another definition than this. A
// container with neither annotation counts as changed, as with the kubelet.
[[nodiscard]] bool spec_changed(const cri::StringMap& annotations, std::string_view name,
                                std::string_view image);

}  // namespace berth::lifecycle
