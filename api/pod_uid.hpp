// What a pod's uid may be: it names folders, links and control groups of the machine.
//
// Kubernetes makes uids itself, and a kubelet takes whatever a manifest states. Here the manifest
// is refused, and what comes from elsewhere (the runtime's labels, folders that are left) is not
// taken for a pod. Pure.
#pragma once

#include <string_view>

namespace berth::api {

// Letters, digits, '-', '_' and '.', beginning with a letter or digit; at most 128 bytes, which
// leaves room for a namespace and a name beside it in a file's name.
[[nodiscard]] bool is_pod_uid(std::string_view uid);

}  // namespace berth::api
