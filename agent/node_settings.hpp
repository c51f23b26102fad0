// SPDX-License-Identifier: Apache-2.0

// Converts the settings for node/ and lifecycle/. Pure.
#pragma once

#include "agent/settings/settings.hpp"
#include "api/resources.hpp"
#include "base/result.hpp"
#include "lifecycle/pod_set_options.hpp"
#include "node/image_gc.hpp"
#include "node/log_rotation.hpp"
#include "node/node_config.hpp"

namespace berth::agent {

[[nodiscard]] node::NodeConfig node_config(const Settings& settings);
// The part of the machine that the node offers: no ephemeral-storage without
// localStorageCapacityIsolation.
[[nodiscard]] node::NodeFacts node_facts(const Settings& settings, node::NodeFacts machine);
// Fails if the settings ask for what this machine cannot do, naming the setting.
[[nodiscard]] Result<void> fits_machine(const Settings& settings, const node::NodeFacts& machine);
// The same node under other thresholds: pods cannot request what evictionHard keeps free of memory
// and of the node's file system. The limit of the pods' cgroup does not depend on it.
[[nodiscard]] node::NodeView under_thresholds(node::NodeView view,
                                              const std::vector<eviction::Threshold>& thresholds);
// What pods may use of a machine. Fails as a start of berthd does, with all that is wrong: if the
// settings do not fit it, or reserve more than it has. The error ends with what to do about it and
// has no full stop, so that a caller can add to it.
[[nodiscard]] Result<api::ResourceList> allocatable_on(const Settings& settings,
                                                       node::NodeFacts machine);
[[nodiscard]] lifecycle::PodSetOptions pod_set_options(const Settings& settings);
[[nodiscard]] node::ImageGcPolicy image_gc_policy(const Settings& settings);
[[nodiscard]] node::LogRotationPolicy log_rotation_policy(const Settings& settings);

}  // namespace berth::agent
