// SPDX-License-Identifier: Apache-2.0

// A manifest file: read by both sets of rules; the result is written and read again.
#include "api/manifest/manifest.hpp"
#include "api/codec.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

void read_back(const api::Pod& pod) {
  const std::string json = api::to_json_text(pod);
  const auto from_json = api::from_json_text<api::Pod>(json);
  require(from_json.has_value(), "JSON that was written can be read", json);
  require(api::to_json_text(*from_json) == json, "JSON says the same twice", json);
  const std::string yaml = api::to_yaml(pod);
  const auto trees = api::parse_documents(yaml);
  require(trees && trees->size() == 1, "YAML that was written can be read", yaml);
  const auto from_yaml = api::decode<api::Pod>(trees->front(), api::FieldValidation::kStrict);
  require(from_yaml.has_value(), "YAML that was written has known fields", yaml);
  require(api::to_json_text(from_yaml->object) == json, "YAML says what JSON says", yaml);
}

void read_file(std::string_view text, api::ManifestRules rules) {
  const auto file = api::decode_manifest("a.yaml", text, {.node_name = "node1", .rules = rules});
  if (!file) {
    require(!file.error().empty(), "a file that is refused has problems");
    for (const auto& problem : file.error()) {
      require(problem.file == "a.yaml" && !api::to_string(problem).empty(), "problems have places");
    }
    return;
  }
  for (const auto& document : file->documents) {
    require(!api::identity_of(document.object).empty(), "objects have names");
    const auto* pod = std::get_if<api::ManifestPod>(&document.object);
    if (pod == nullptr) continue;
    read_back(pod->stated);
    read_back(pod->pod);
  }
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string_view text = fuzz::text_of(data, size);
  const auto trees = api::parse_documents(text);
  if (trees) {
    for (const auto& tree : *trees) {
      const auto pod = api::decode<api::Pod>(tree, api::FieldValidation::kIgnore);
      if (pod) fuzz::read_back(pod->object);
    }
  }
  fuzz::read_file(text, api::ManifestRules::kBerth);
  fuzz::read_file(text, api::ManifestRules::kKubelet);
  return 0;
}
