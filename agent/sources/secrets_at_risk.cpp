// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/secrets_at_risk.hpp"

#include <set>
#include <utility>
#include <variant>

namespace berth::agent {
namespace {

std::vector<std::string> who_needs(const node::ReferencedObject& secret,
                                   const std::vector<const api::Pod*>& pods) {
  std::vector<std::string> names;
  for (const api::Pod* pod : pods) {
    if (node::refers_to_any(*pod, {secret}))
      names.push_back(pod->metadata.namespace_ + "/" + pod->metadata.name);
  }
  return names;
}

node::ReferencedObject reference(std::string namespace_, std::string name) {
  return {.kind = node::ObjectKind::kSecret,
          .object = {.namespace_ = std::move(namespace_), .name = std::move(name)}};
}

}  // namespace

std::vector<SecretAtRisk> secrets_at_risk(const BrokenFile& file) {
  std::vector<SecretAtRisk> found;
  const auto add = [&](const node::ReferencedObject& secret,
                       const std::vector<const api::Pod*>& pods, SecretState state) {
    found.push_back({.file = file.last_good.name,
                     .secret = secret.object.namespace_ + "/" + secret.object.name,
                     .pods = who_needs(secret, pods),
                     .state = state});
  };
  for (const auto& document : file.last_good.documents) {
    const auto* secret = std::get_if<api::Secret>(&document.object);
    // A Secret that another file defines as well belongs to that file.
    if (secret == nullptr) continue;
    const auto& meta = secret->metadata;
    const api::Secret* in_force = file.objects.secret(meta.namespace_, meta.name);
    if (in_force != nullptr && *in_force == *secret)
      add(reference(meta.namespace_, meta.name), file.all, SecretState::kInMemoryOnly);
  }
  std::set<node::ReferencedObject> missing;
  for (const api::Pod* pod : file.of_file) {
    for (const auto& referred : node::object_references(*pod)) {
      if (referred.kind == node::ObjectKind::kSecret &&
          file.objects.secret(referred.object.namespace_, referred.object.name) == nullptr)
        missing.insert(referred);
    }
  }
  for (const auto& secret : missing) add(secret, file.of_file, SecretState::kMissing);
  return found;
}

}  // namespace berth::agent
