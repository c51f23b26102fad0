// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/restart_backoff.hpp"

#include <algorithm>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

void append_part(std::string& key, std::string_view part) {
  key += std::to_string(part.size());
  key += ':';
  key += part;
}

void append_list(std::string& key, const api::ResourceList& list) {
  for (const auto& [name, quantity] : list) {
    append_part(key, name);
    append_part(key, quantity.to_string());
  }
  key += '/';
}

// Whether the container was up long enough since its last start to reset the backoff.
bool is_fresh_start(const RestartBackoff::Entry& entry, const RestartBackoffPolicy& policy,
                    WallTime exited_at) {
  return exited_at - entry.last_start > policy.reset_after;
}

// The first instant at which collect_garbage drops the entry.
WallTime forgotten_at(const RestartBackoff::Entry& entry, const RestartBackoffPolicy& policy) {
  return entry.last_start + policy.reset_after + Nanoseconds(1);
}

}  // namespace

RestartBackoffPolicy restart_backoff_policy(Nanoseconds longest) {
  RestartBackoffPolicy policy{.max = longest};
  policy.initial = std::min(policy.initial, policy.max);
  return policy;
}

Nanoseconds window_of(const RestartBackoff::Entry& entry, const RestartBackoffPolicy& policy) {
  return std::min(entry.window, policy.max);
}

std::string RestartIdentity::key() const {
  std::string key;
  for (const std::string* part : {&pod_namespace, &pod_name, &pod_uid, &container, &image}) {
    append_part(key, *part);
  }
  append_list(key, resources.limits);
  append_list(key, resources.requests);
  for (const api::ResourceClaim& claim : resources.claims) {
    append_part(key, claim.name);
    append_part(key, claim.request);
  }
  return key;
}

RestartIdentity restart_identity(const api::Pod& pod, std::string container, std::string image,
                                 const api::ResourceRequirements& resources) {
  return RestartIdentity{.pod_name = pod.metadata.name,
                         .pod_namespace = pod.metadata.namespace_,
                         .pod_uid = pod.metadata.uid,
                         .container = std::move(container),
                         .image = std::move(image),
                         .resources = resources};
}

RestartIdentity restart_identity(const api::Pod& pod, const api::Container& container) {
  return restart_identity(pod, container.name, container.image, container.resources);
}

namespace {

const RuntimeContainer* newest_exited(const RuntimePod& runtime, std::string_view name) {
  const auto found = std::ranges::find_if(runtime.containers, [&](const auto& container) {
    return container.name == name && container.state == cri::ContainerState::kExited;
  });
  return found == runtime.containers.end() ? nullptr : &*found;
}

}  // namespace

RestartVerdict check_restart(const RestartBackoff& history, const RestartBackoffPolicy& policy,
                             const RestartIdentity& identity, const RuntimePod& runtime,
                             WallTime now) {
  const auto before = last_exit(runtime, identity.container);
  const RuntimeContainer* newest = newest_exited(runtime, identity.container);
  if (newest == nullptr || newest->start_again != StartAgain::kStopped)
    return check_restart(history, policy, identity, before, now);
  // Whether it may restart at once was decided when it was stopped; if not, the wait counts from
  // then.
  const WallTime stopped{Nanoseconds{newest->finished_at}};
  RestartVerdict verdict = check_restart(history, policy, identity, before, stopped);
  return verdict.in_backoff ? check_restart(history, policy, identity, stopped, now) : verdict;
}

std::optional<WallTime> last_exit(const RuntimePod& runtime, std::string_view name) {
  const RuntimeContainer* stopped = nullptr;  // just now, in order to be restarted
  for (const RuntimeContainer& container : runtime.containers) {
    if (container.name != name || container.state != cri::ContainerState::kExited) continue;
    if (stopped != nullptr || container.start_again != StartAgain::kStopped)
      return WallTime{Nanoseconds{container.finished_at}};
    stopped = &container;
  }
  // The previous instance no longer exists, and had ended when this one started.
  if (stopped != nullptr && stopped->restart_count > 0)
    return WallTime{Nanoseconds{stopped->started_at}};
  return std::nullopt;
}

std::optional<WallTime> exit_before_start(const RuntimePod& runtime, std::string_view name) {
  const RuntimeContainer* newest = newest_exited(runtime, name);
  if (newest == nullptr) return std::nullopt;
  return WallTime{Nanoseconds{newest->finished_at}};
}

RestartVerdict check_restart(const RestartBackoff& history, const RestartBackoffPolicy& policy,
                             const RestartIdentity& identity,
                             const std::optional<WallTime>& last_exit, WallTime now) {
  RestartVerdict verdict;
  const auto found = history.entries.find(identity.key());
  if (found == history.entries.end()) return verdict;
  verdict.window = window_of(found->second, policy);
  if (!last_exit || is_fresh_start(found->second, policy, *last_exit)) return verdict;

  const WallTime until = *last_exit + verdict.window;
  if (now >= until) return verdict;
  verdict.in_backoff = true;
  const WallTime forgotten = forgotten_at(found->second, policy);
  verdict.until = now < forgotten ? std::min(until, forgotten) : until;
  verdict.reason = kCrashLoopBackOff;
  verdict.message = "back-off " + api::Duration{verdict.window}.to_string() +
                    " restarting failed container=" + identity.container +
                    " pod=" + identity.pod_name + "_" + identity.pod_namespace + "(" +
                    identity.pod_uid + ")";
  return verdict;
}

RestartBackoff record_start(RestartBackoff history, const RestartBackoffPolicy& policy,
                            const RestartIdentity& identity,
                            const std::optional<WallTime>& last_exit, WallTime now) {
  if (!last_exit) return history;
  const auto [place, added] = history.entries.try_emplace(identity.key());
  RestartBackoff::Entry& entry = place->second;
  const bool fresh = added || is_fresh_start(entry, policy, *last_exit);
  entry.window = std::min(fresh ? policy.initial : entry.window * 2, policy.max);
  entry.last_start = now;
  return history;
}

RestartBackoff collect_garbage(RestartBackoff history, const RestartBackoffPolicy& policy,
                               WallTime now) {
  std::erase_if(history.entries,
                [&](const auto& item) { return now >= forgotten_at(item.second, policy); });
  return history;
}

}  // namespace berth::lifecycle
