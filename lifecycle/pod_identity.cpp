#include "lifecycle/pod_identity.hpp"

#include "node/sandbox_config.hpp"

namespace berth::lifecycle {

bool same_name(const api::Pod& a, const api::Pod& b) {
  return a.metadata.name == b.metadata.name && a.metadata.namespace_ == b.metadata.namespace_;
}

bool is_edited(const api::Pod& had, const api::Pod& wished) {
  const auto before = had.metadata.annotations.find(node::kAnnotationManifest);
  const auto now = wished.metadata.annotations.find(node::kAnnotationManifest);
  return before != had.metadata.annotations.end() && now != wished.metadata.annotations.end() &&
         before->second != now->second;
}

}  // namespace berth::lifecycle
