// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/container_identity.hpp"

#include <fmt/format.h>

#include "api/codec/json_text.hpp"

namespace berth::lifecycle {
namespace {

constexpr std::uint32_t kFnvOffset = 2166136261U;  // FNV-1a, 32 bits
constexpr std::uint32_t kFnvPrime = 16777619U;

std::uint32_t fnv1a(std::string_view text) {
  std::uint32_t hash = kFnvOffset;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= kFnvPrime;
  }
  return hash;
}

}  // namespace

std::uint32_t kubelet_container_hash(std::string_view name, std::string_view image) {
  std::string json = "{\"image\":";
  api::append_json_string(image, json);
  json += ",\"name\":";
  api::append_json_string(name, json);
  json += '}';

  // The hash input is not the JSON but Go's dump of its bytes: "([]uint8)[123 34 …]".
  std::string dump = "([]uint8)[";
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (i > 0) dump += ' ';
    dump += fmt::format("{}", static_cast<unsigned char>(json[i]));
  }
  dump += ']';
  return fnv1a(dump);
}

std::string kubelet_container_hash_text(std::string_view name, std::string_view image) {
  return fmt::format("{:x}", kubelet_container_hash(name, image));
}

cri::StringMap identity_annotations(std::string_view name, std::string_view image) {
  return {{cri::kAnnotationHash, kubelet_container_hash_text(name, image)},
          {kAnnotationSpecImage, std::string(image)}};
}

bool spec_changed(const cri::StringMap& annotations, std::string_view name,
                  std::string_view image) {
  const auto own = annotations.find(kAnnotationSpecImage);
  // The name needs no comparison: containers are looked up by name.
  if (own != annotations.end()) return own->second != image;
  const auto hash = annotations.find(cri::kAnnotationHash);
  if (hash == annotations.end()) return true;
  return hash->second != kubelet_container_hash_text(name, image);
}

}  // namespace berth::lifecycle
