// A pod of a manifest file as it runs on this node: its name, its uid, and what else the kubelet
// gives a static pod.
//
// Pure. `stated` is always the pod as the manifest has it, before defaults: that is what the uid
// is computed from, so that another version of the agent, with other defaults, computes the same.
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
  kBerth,    // many documents and kinds to a file, strict fields, ConfigMaps and Secrets
  kKubelet,  // the kubelet's manners, bad ones included
};

struct StaticPodIdentity {
  std::string node_name{};
  std::string file_name{};        // without its folder
  std::uint32_t incarnation = 1;  // how many pods were made from this manifest, this one included
  std::optional<std::string> uid{};  // of a pod that runs already and is taken over
};

// What the uids of a manifest's pods are made of. It has read the manifest's pod once, which takes
// long if that is large; any uid takes a microsecond.
class StatedDigest {
 public:
  explicit StatedDigest(const Pod& stated);
  // MD5, 32 lower-case hex digits, over our canonical JSON of the pod, the node, the file and, from
  // the second on, the incarnation. `identity.uid` does not count.
  [[nodiscard]] std::string uid(const StaticPodIdentity& identity) const;

  bool operator==(const StatedDigest& other) const { return uid({}) == other.uid({}); }

 private:
  MD5_CTX so_far_{};
};

[[nodiscard]] std::string static_pod_uid(const Pod& stated, const StaticPodIdentity& identity);

// A static pod's uid, and the annotation that repeats it.
void set_static_uid(Pod& pod, std::string uid);

// Defaulted, and with name NAME-NODE, namespace, uid, hash annotation, toleration of NoExecute
// taints and phase Pending. A uid in the manifest stays. Under the kubelet's rules it is on the
// node already; under berth's own its node is the one that it states, or none until it is admitted,
// and what an API server does with a new pod is done here (label_keys.hpp).
[[nodiscard]] Pod make_static_pod(const Pod& stated, const StaticPodIdentity& identity,
                                  ManifestRules rules);

// The annotations by which a pod is known to be from a file, and since when.
void stamp_source(Pod& pod, std::string_view source, const Time& seen);

// Kubernetes' rule: what static pods may not refer to; the first that is found, e.g. "secrets".
// The pod is valid and defaulted. None if nothing stands against it.
[[nodiscard]] std::optional<std::string> static_pod_refusal(const Pod& pod);

// berth's own rule: ConfigMaps and Secrets may come from the folder, but what only a cluster has
// (claims, tokens, CSI drivers) is refused, with the field that asks for it. Of the spec as the
// manifest states it.
[[nodiscard]] FieldErrors cluster_only_fields(const PodSpec& spec);

}  // namespace berth::api
