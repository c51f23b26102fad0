// SPDX-License-Identifier: Apache-2.0

// Parses the name of a container image: registry.example:5000/team/app:v1@sha256:...
//
// Pure. An image reference has a tag, a digest, both or neither; a name without a registry refers
// to Docker's registry, and a single word to its library.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace berth::api {

struct ImageReference {
  std::string name{};    // with the registry: docker.io/library/nginx
  std::string tag{};     // empty if unset
  std::string digest{};  // sha256:..., empty if unset

  bool operator==(const ImageReference&) const = default;
};

// The error states why the text is not an image reference, in the words that the kubelet shows.
[[nodiscard]] std::expected<ImageReference, std::string> parse_image_reference(
    std::string_view text);

// The text, with ":latest" if it has neither tag nor digest.
[[nodiscard]] std::string with_default_tag(const std::string& image);

}  // namespace berth::api
