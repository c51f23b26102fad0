// SPDX-License-Identifier: Apache-2.0

// Compares a pod's confinement with what this machine can enforce, so that no setting is dropped
// silently.
//
// AppArmor that cannot be enforced is a reason to refuse the pod, as in the kubelet. Settings that
// the kubelet ignores (SELinux labels on a machine without SELinux, annotations that lost their
// meaning) are accepted here as well, and reported in an event. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// The container's profile: its own field, else the annotation that preceded the field, else the
// pod's field. `std::nullopt` if the runtime decides.
[[nodiscard]] std::optional<api::AppArmorProfile> apparmor_profile(const api::Pod& pod,
                                                                   const api::Container& container);

// Why the pod's AppArmor profiles cannot be enforced here, in the kubelet's words; empty if they
// can.
[[nodiscard]] std::string apparmor_refusal(const HostConfinement& host, const api::Pod& pod);

// One sentence for each setting without effect on this machine, preceded by the field's path.
[[nodiscard]] std::vector<std::string> unenforced_settings(const HostConfinement& host,
                                                           const api::Pod& pod);

}  // namespace berth::node
