// SPDX-License-Identifier: Apache-2.0

// Which texts may be a pod's uid: uids name folders, links and cgroups of the machine.
//
// Kubernetes generates uids itself, and a kubelet accepts whatever a manifest states. berth refuses
// a manifest with a uid of another form, and does not treat such a uid from elsewhere (the
// runtime's labels, leftover folders) as a pod's. Pure.
#pragma once

#include <string_view>

namespace berth::api {

// Letters, digits, '-' and '.', starting with a letter or digit; at most 128 bytes, which leaves
// room for a namespace and a part of a name beside it in a file name. No '_': the name of a
// systemd slice has it for '-', so that two uids could share a cgroup.
[[nodiscard]] bool is_pod_uid(std::string_view uid);

}  // namespace berth::api
