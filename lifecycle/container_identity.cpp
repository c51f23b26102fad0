#include "lifecycle/container_identity.hpp"

#include <fmt/format.h>

namespace berth::lifecycle {
namespace {

constexpr std::uint32_t kFnvOffset = 2166136261U;  // FNV-1a, 32 bits
constexpr std::uint32_t kFnvPrime = 16777619U;

// As Go's encoder writes a string: it escapes what could end a script element as well.
void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

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
  append_json_string(json, image);
  json += ",\"name\":";
  append_json_string(json, name);
  json += '}';

  // What is hashed is not the JSON but Go's dump of its bytes: "([]uint8)[123 34 …]".
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
  // The name needs no comparison: a container is looked up by it.
  if (own != annotations.end()) return own->second != image;
  const auto hash = annotations.find(cri::kAnnotationHash);
  if (hash == annotations.end()) return true;
  return hash->second != kubelet_container_hash_text(name, image);
}

}  // namespace berth::lifecycle
