// SPDX-License-Identifier: Apache-2.0

// The name of an image as in a pod's spec, and the registry credentials for it.
//
// The first line is the name; the rest is the content of an imagePullSecret.
#include "api/image_reference.hpp"

#include <tuple>

#include "node/image_credentials.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

using api::ImageReference;

std::string put_together(const ImageReference& reference) {
  std::string text = reference.name;
  if (!reference.tag.empty()) text += ":" + reference.tag;
  if (!reference.digest.empty()) text += "@" + reference.digest;
  return text;
}

void check_parts(const std::string& text, const ImageReference& reference) {
  const std::string whole = put_together(reference);
  const auto again = api::parse_image_reference(whole);
  require(again && *again == reference, "a name that is put together is the same", whole);
  require(reference.name.size() <= 255 && reference.tag.size() <= 128, "parts keep to limits");
  require(reference.name.find('/') != std::string::npos, "a name has a registry", whole);
  require(whole.find_first_of(" \t\r\n\"$\\") == std::string::npos, "a name is plain", whole);
  const auto slash = text.rfind('/');
  const std::string last = text.substr(slash == std::string::npos ? 0 : slash + 1);
  require(whole.ends_with("/" + last), "what is behind the last slash stays", whole);
}

void check_tag(const std::string& text, const ImageReference& reference) {
  const std::string tagged = api::with_default_tag(text);
  require(api::with_default_tag(tagged) == tagged, "a tag is given once", tagged);
  const auto parsed = api::parse_image_reference(tagged);
  require(parsed && parsed->name == reference.name && parsed->digest == reference.digest,
          "a tag changes nothing else", tagged);
  const bool bare = reference.tag.empty() && reference.digest.empty();
  require(parsed->tag == (bare ? "latest" : reference.tag), "a tag that was written stays", tagged);
}

void check_credentials(const std::string& image, std::string_view config) {
  api::Pod pod;
  pod.metadata.namespace_ = "default";
  pod.spec.imagePullSecrets = {{.name = "new"}, {.name = "old"}, {.name = "none"}};
  node::Objects objects;
  for (const auto& [name, type, key] :
       {std::tuple("new", "kubernetes.io/dockerconfigjson", ".dockerconfigjson"),
        std::tuple("old", "kubernetes.io/dockercfg", ".dockercfg")}) {
    api::Secret secret{.type = type};
    secret.metadata.name = name;
    secret.metadata.namespace_ = "default";
    secret.data[key].data = config;
    objects.add(std::move(secret));
  }
  const auto found = node::image_credentials(pod, image, objects);
  if (!found) {
    require(found.error().code == ErrorCode::kInvalid &&
                found.error().message.starts_with("the imagePullSecret \"") &&
                found.error().message.size() < 200,
            "an error shows nothing of a secret", found.error().message);
    return;
  }
  require(node::missing_pull_secrets(pod, objects) == std::vector<std::string>{"none"},
          "what is missing is reported");
  const bool is_name = api::parse_image_reference(image).has_value();
  require(is_name || found->empty(), "what is no name gets no credentials", image);
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string_view text = fuzz::text_of(data, size);
  const auto line = text.find('\n');
  const std::string name(text.substr(0, line));
  const auto reference = api::parse_image_reference(name);
  if (reference) {
    fuzz::check_parts(name, *reference);
    fuzz::check_tag(name, *reference);
  } else {
    fuzz::require(!reference.error().empty(), "what is no name says why", name);
  }
  if (line != std::string_view::npos) fuzz::check_credentials(name, text.substr(line + 1));
  return 0;
}
