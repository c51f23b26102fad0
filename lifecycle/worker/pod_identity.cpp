// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_identity.hpp"

#include <algorithm>

#include "node/sandbox_config.hpp"

namespace berth::lifecycle {

bool same_name(const api::Pod& a, const api::Pod& b) {
  return a.metadata.name == b.metadata.name && a.metadata.namespace_ == b.metadata.namespace_;
}

bool is_edited(const api::Pod& had, const api::Pod& desired) {
  const auto before = had.metadata.annotations.find(node::kAnnotationManifest);
  const auto now = desired.metadata.annotations.find(node::kAnnotationManifest);
  return before != had.metadata.annotations.end() && now != desired.metadata.annotations.end() &&
         before->second != now->second;
}

std::uint64_t incarnation_of(const api::Pod& pod) {
  const auto found = pod.metadata.annotations.find(node::kAnnotationIncarnation);
  if (found == pod.metadata.annotations.end()) return 1;
  std::uint64_t number = 0;
  for (const char digit : found->second) {
    if (digit < '0' || digit > '9') return 1;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return std::max<std::uint64_t>(number, 1);
}

std::string handled_as(const api::Pod& pod) {
  const auto manifest = pod.metadata.annotations.find(node::kAnnotationManifest);
  if (manifest == pod.metadata.annotations.end()) return pod.metadata.uid;
  return pod.metadata.uid + " " + manifest->second;
}

}  // namespace berth::lifecycle
