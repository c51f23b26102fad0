// A KubeSchedulerConfiguration file, read, checked and defaulted: what the scheduling core runs
// with.
//
// Pure. Strict: an unknown, repeated or mistyped field is a problem, and every problem has its path
// and place. Rules and defaults are kube-scheduler's, v1.34. What is refused because berth does not
// have it: other versions of the kind (with the spelling of v1), plugins that are not Kubernetes',
// extenders. What has no effect in berth (leader election, volume plugins ...) is listed.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "api/tree.hpp"
#include "scheduling/cycle/profile.hpp"
#include "scheduling/queue/scheduling_queue.hpp"

namespace berth::scheduling {

struct SchedulerSettings {
  std::vector<Profile> profiles{Profile{}};  // at least one; their names are distinct
  BackoffPolicy backoff{};
  std::vector<std::string> unused{};  // paths of what is stated and has no effect

  bool operator==(const SchedulerSettings&) const = default;
};

[[nodiscard]] std::expected<SchedulerSettings, std::vector<api::Problem>>
read_scheduler_configuration(std::string_view text);
// Of a document among others.
[[nodiscard]] std::expected<SchedulerSettings, std::vector<api::Problem>>
read_scheduler_configuration(const api::TreeNode& document);

// The profile for a pod, by its spec.schedulerName (empty: default-scheduler). Null: none is of
// that name, and the pod is not ours to place.
[[nodiscard]] const Profile* profile_for(const SchedulerSettings& settings,
                                         std::string_view scheduler_name);

// What the queue needs of it. `selectors` are the cluster's, and must outlive the queue.
[[nodiscard]] QueueSettings queue_settings(const SchedulerSettings& settings,
                                           const SelectorSources& selectors);

}  // namespace berth::scheduling
