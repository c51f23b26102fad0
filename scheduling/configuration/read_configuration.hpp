// SPDX-License-Identifier: Apache-2.0

// Reads, checks and defaults a KubeSchedulerConfiguration file: the settings of the scheduling
// core.
//
// Pure. Strict: an unknown, repeated or mistyped field is a problem, and every problem has its path
// and position. Rules and defaults are kube-scheduler's, v1.34. Refused because berth does not
// support them: other versions of the kind (with the spelling of v1), plugins that are not
// Kubernetes', extenders. Settings without effect in berth (leader election, volume plugins ...)
// are listed.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "api/codec/tree.hpp"
#include "scheduling/cycle/profile.hpp"
#include "scheduling/queue/scheduling_queue.hpp"

namespace berth::scheduling {

struct SchedulerSettings {
  std::vector<Profile> profiles{Profile{}};  // at least one, with distinct names
  BackoffPolicy backoff{};
  std::vector<std::string> unused{};  // paths of settings without effect

  bool operator==(const SchedulerSettings&) const = default;
};

[[nodiscard]] std::expected<SchedulerSettings, std::vector<api::Problem>>
read_scheduler_configuration(std::string_view text);
// Reads one document of several.
[[nodiscard]] std::expected<SchedulerSettings, std::vector<api::Problem>>
read_scheduler_configuration(const api::TreeNode& document);

// The profile for a pod, by its spec.schedulerName (empty: default-scheduler). Null if no profile
// has that name, so that berth is not responsible for placing the pod.
[[nodiscard]] const Profile* profile_for(const SchedulerSettings& settings,
                                         std::string_view scheduler_name);

// The queue's settings. `selectors` belongs to the cluster and must outlive the queue.
[[nodiscard]] QueueSettings queue_settings(const SchedulerSettings& settings,
                                           const SelectorSources& selectors);

}  // namespace berth::scheduling
