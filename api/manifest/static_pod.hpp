// SPDX-License-Identifier: Apache-2.0

// Turns the pod of a manifest file into the pod that runs on this node: sets its name, its uid, and
// whatever else the kubelet adds to a static pod.
//
// Pure. `stated` is always the pod as the manifest states it, before defaults: the uid is computed
// from that, so that another version of the agent, with other defaults, computes the same uid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <md5.h>

#include "api/field_error.hpp"
#include "api/pod.hpp"
#include "api/time.hpp"

namespace berth::api {

inline constexpr std::string_view kConfigHash = "kubernetes.io/config.hash";
inline constexpr std::string_view kConfigSource = "kubernetes.io/config.source";
inline constexpr std::string_view kConfigSeen = "kubernetes.io/config.seen";

enum class ManifestRules : std::uint8_t {
  kBerth,    // any number of documents and kinds per file, strict fields, ConfigMaps and Secrets
  kKubelet,  // the kubelet's behaviour, including its faults
};

struct StaticPodIdentity {
  std::string node_name{};
  std::string file_name{};           // without its folder
  std::uint32_t incarnation = 1;     // number of pods made from this manifest, including this one
  std::optional<std::string> uid{};  // the uid of a running pod that is adopted
};

// The input to the uids of a manifest's pods. Construction serialises the manifest's pod once,
// which is slow for a large one; each uid then takes a microsecond.
class StatedDigest {
 public:
  explicit StatedDigest(const Pod& stated);
  // MD5, 32 lower-case hex digits, over our canonical JSON of the pod, the node, the file and, from
  // the second one on, the incarnation. `identity.uid` is ignored.
  [[nodiscard]] std::string uid(const StaticPodIdentity& identity) const;

  bool operator==(const StatedDigest& other) const { return uid({}) == other.uid({}); }

 private:
  MD5_CTX so_far_{};
};

[[nodiscard]] std::string static_pod_uid(const Pod& stated, const StaticPodIdentity& identity);

// Sets a static pod's uid, and the annotation that repeats it.
void set_static_uid(Pod& pod, std::string uid);

// Returns the pod defaulted, and with name NAME-NODE, namespace, uid, hash annotation, toleration
// of NoExecute taints and phase Pending. A uid in the manifest is kept. Under the kubelet's rules
// the pod is already assigned to the node; under berth's own, its node is the one that the manifest
// states, or unset until admission, and what an API server does with a new pod is done here
// (label_keys.hpp).
[[nodiscard]] Pod make_static_pod(const Pod& stated, const StaticPodIdentity& identity,
                                  ManifestRules rules);

// Sets the annotations that record that a pod was read from a file, and since when.
void stamp_source(Pod& pod, std::string_view source, const Time& seen);

// Kubernetes' rule: static pods may not refer to API objects; returns the first kind of reference
// found, e.g. "secrets", or `std::nullopt` if the pod is acceptable. The pod must be valid and
// defaulted.
[[nodiscard]] std::optional<std::string> static_pod_refusal(const Pod& pod);

// berth's own rule: ConfigMaps and Secrets may be provided by the folder, but what only a cluster
// has (claims, tokens, CSI drivers) is refused, naming the field. Takes the spec as the manifest
// states it.
[[nodiscard]] FieldErrors cluster_only_fields(const PodSpec& spec);

}  // namespace berth::api
