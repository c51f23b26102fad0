// What a pod asks for its confinement, beside what this machine can enforce: nothing of it is
// dropped in silence.
//
// AppArmor that cannot be enforced is a reason to refuse the pod, as it is for the kubelet. What
// the kubelet passes over (SELinux labels on a machine without SELinux, annotations that lost their
// meaning) runs here as well, and is told in an event. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// The container's profile: its own field, else the annotation that came before the field, else the
// pod's field. None: the runtime decides.
[[nodiscard]] std::optional<api::AppArmorProfile> apparmor_profile(const api::Pod& pod,
                                                                   const api::Container& container);

// Empty, or why the pod's AppArmor profiles cannot be enforced here; in the kubelet's words.
[[nodiscard]] std::string apparmor_refusal(const HostConfinement& host, const api::Pod& pod);

// A sentence for each wish that has no effect on this machine, the field's path in front.
[[nodiscard]] std::vector<std::string> unenforced_wishes(const HostConfinement& host,
                                                         const api::Pod& pod);

}  // namespace berth::node
