// With which credentials an image is pulled: what the pod's imagePullSecrets say of its registry.
//
// Pure. In the kubelet's order: the entry that names the most of the image's path first, then
// those for the whole registry; within one entry in the order of the secrets. None fits: the image
// is pulled anonymously, and what else the registry wants is the runtime's own configuration. No
// error shows anything of a secret but its name.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/objects.hpp"

namespace berth::node {

struct ImageCredentials {
  std::vector<cri::AuthConfig> auths{};        // to be tried in this order; empty: anonymously
  std::vector<std::string> missing_secrets{};  // that the pod names, in its order
};

// `image` as the container's spec has it. Fails (kInvalid) if a secret that is there is of a
// registry type and cannot be read.
[[nodiscard]] Result<ImageCredentials> image_credentials(const api::Pod& pod,
                                                         const std::string& image,
                                                         const Objects& objects);

// Of the event FailedToRetrieveImagePullSecret.
[[nodiscard]] std::string missing_secrets_message(const std::vector<std::string>& secrets);

}  // namespace berth::node
