// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/last_good.hpp"

#include <type_traits>
#include <variant>

#include "api/codec.hpp"

namespace berth::agent {
namespace {

std::string document_text(const api::ManifestObject& object) {
  const std::string text = std::visit(
      [](const auto& one) {
        // A pod's uid is computed from what the manifest states.
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one)>, api::ManifestPod>)
          return api::to_yaml(one.stated);
        else
          return api::to_yaml(one);
      },
      object);
  return "---\n" + text;
}

}  // namespace

void LastGoodTexts::add(const api::ManifestFile& file) {
  for (const auto& document : file.documents) {
    const bool secret = std::holds_alternative<api::Secret>(document.object);
    (secret ? in_memory : on_disk)[file.name] += document_text(document.object);
  }
}

std::map<std::string, std::string> joined(const LastGoodTexts& texts) {
  auto all = texts.on_disk;
  for (const auto& [name, text] : texts.in_memory) {
    auto& whole = all[name];
    if (!whole.empty() && !whole.ends_with('\n')) whole += '\n';
    whole += text;
  }
  return all;
}

}  // namespace berth::agent
