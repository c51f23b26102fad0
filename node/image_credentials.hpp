// SPDX-License-Identifier: Apache-2.0

// The credentials for pulling an image: from the pod's imagePullSecrets for the image's registry.
//
// Pure. In the kubelet's order: first the entry that matches the longest part of the image's path,
// then those for the whole registry; within one entry in the order of the secrets. If none matches,
// the image is pulled anonymously, and anything else that the registry needs is in the runtime's
// own configuration. Errors show nothing of a secret but its name.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/objects.hpp"

namespace berth::node {

// To be tried in this order; empty means anonymously. `image`: as in the container's spec. Fails
// (kInvalid) if an existing secret has a registry type but cannot be parsed.
[[nodiscard]] Result<std::vector<cri::AuthConfig>> image_credentials(const api::Pod& pod,
                                                                     const std::string& image,
                                                                     const Objects& objects);

// The secrets that the pod names and that do not exist, in its order.
[[nodiscard]] std::vector<std::string> missing_pull_secrets(const api::Pod& pod,
                                                            const Objects& objects);

// The message of the event FailedToRetrieveImagePullSecret.
[[nodiscard]] std::string missing_secrets_message(const std::vector<std::string>& secrets);

}  // namespace berth::node
