// SPDX-License-Identifier: Apache-2.0

// What a pod's uid may be: it names folders, links and cgroups of the machine.
//
// Kubernetes generates uids itself, and a kubelet accepts whatever a manifest states. berth refuses
// a manifest with another uid, and does not take such a uid from elsewhere (the runtime's labels,
// leftover folders) for a pod's. Pure.
#pragma once

#include <string_view>

namespace berth::api {

// Letters, digits, '-', '_' and '.', starting with a letter or digit; at most 128 bytes, which
// leaves room for a namespace and a name beside it in a file name.
[[nodiscard]] bool is_pod_uid(std::string_view uid);

}  // namespace berth::api
