// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/container_starts.hpp"

#include <algorithm>
#include <utility>

#include "lifecycle/decided_starts.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

std::uint32_t number_after(std::int32_t attempt) {
  return static_cast<std::uint32_t>(std::max(attempt, -1)) + 1;
}

const api::Container* container_spec(const api::Pod& pod, const std::string& name) {
  if (const auto* container = find_container(pod, name)) return container;
  return find_init_container(pod, name);
}

}  // namespace

const ContainerStartRecord* ContainerStarts::find(const std::string& name) const {
  const auto record = records_.find(name);
  return record == records_.end() ? nullptr : &record->second;
}

void ContainerStarts::recall(const PodMemory& memory, const api::Pod& pod) {
  restarts_ = memory.restarts;
  pull_backoff_ = memory.pulls;
  start_again_ = memory.start_again;
  for (const auto& [name, attempt] : memory.next_attempts) records_[name].next_attempt = attempt;
  for (const auto& [name, start] : memory.pending_starts) {
    const api::Container* spec = container_spec(pod, name);
    if (spec == nullptr) continue;
    records_[name].pending = {.id = start.container_id,
                              .identity = restart_identity(pod, *spec),
                              .last_exit = start.last_exit,
                              .at = start.at};
  }
}

void ContainerStarts::put_into(PodMemory& memory) const {
  memory.restarts = restarts_;
  memory.pulls = with_failed_pulls();
  memory.start_again = start_again_;
  for (const auto& [name, record] : records_) {
    if (record.next_attempt) memory.next_attempts.emplace(name, *record.next_attempt);
    if (record.pending && record.pending->last_exit)
      memory.pending_starts.emplace(name, StartMemory{.container_id = record.pending->id,
                                                      .last_exit = record.pending->last_exit,
                                                      .at = record.pending->at});
  }
}

std::optional<std::uint32_t> ContainerStarts::next_attempt(const std::string& name) const {
  const ContainerStartRecord* record = find(name);
  return record == nullptr ? std::nullopt : record->next_attempt;
}

void ContainerStarts::attempt_seen(const std::string& name, std::int32_t attempt) {
  std::optional<std::uint32_t>& next = records_[name].next_attempt;
  next = std::max(next.value_or(0), number_after(std::max(attempt, 0)));
}

void ContainerStarts::attempt_logged(const std::string& name, std::int32_t attempt) {
  std::optional<std::uint32_t>& next = records_[name].next_attempt;
  if (!next) next = number_after(attempt);
}

bool ContainerStarts::makes_files() const {
  return std::ranges::any_of(records_, [](const auto& entry) { return entry.second.making_files; });
}

bool ContainerStarts::makes_files(const std::string& name) const {
  const ContainerStartRecord* record = find(name);
  return record != nullptr && record->making_files;
}

bool ContainerStarts::wants_files(const std::string& name) const {
  const ContainerStartRecord* record = find(name);
  return record != nullptr && record->next_attempt && !record->files;
}

void ContainerStarts::begin_files(const std::vector<std::string>& names) {
  for (const std::string& name : names) records_[name].making_files = true;
}

void ContainerStarts::files_made(const std::string& name,
                                 std::optional<ContainerFilesReady> files) {
  ContainerStartRecord& record = records_[name];
  record.making_files = false;
  if (files) record.files = std::move(files);
}

std::optional<node::ContainerFiles> ContainerStarts::use_files(
    const std::string& name, std::uint32_t attempt, const std::vector<std::string>& pod_ips) {
  const auto ready = std::exchange(records_[name].files, std::nullopt);
  if (!ready || ready->attempt != attempt || ready->pod_ips != pod_ips) return std::nullopt;
  return ready->files;
}

bool ContainerStarts::begin_look_ahead() {
  if (std::exchange(looking_ahead_, true)) return false;
  images_.forget_seen();
  for (auto& [name, record] : records_) record.files.reset();
  return true;
}

void ContainerStarts::created(const std::string& name, std::uint32_t attempt) {
  images_.created(name);
  records_[name].next_attempt = attempt + 1;
}

void ContainerStarts::begin_start(const std::string& name, PendingStart start) {
  records_[name].pending = std::move(start);
}

std::optional<PendingStart> ContainerStarts::pending(const std::string& name,
                                                     const std::string& id) const {
  const ContainerStartRecord* record = find(name);
  if (record == nullptr || !record->pending || record->pending->id != id) return std::nullopt;
  return record->pending;
}

void ContainerStarts::call_off_start(const std::string& name, std::optional<PendingStart> earlier) {
  records_[name].pending = std::move(earlier);
}

std::map<std::string, cri::ContainerId> ContainerStarts::pending_starts() const {
  std::map<std::string, cri::ContainerId> starts;
  for (const auto& [name, record] : records_)
    if (record.pending) starts.emplace(name, cri::ContainerId(record.pending->id));
  return starts;
}

void ContainerStarts::settle(const std::set<std::string>& created,
                             const RestartBackoffPolicy& policy) {
  for (auto& [name, record] : records_) {
    if (!record.pending || created.contains(record.pending->id)) continue;
    const PendingStart start = *std::exchange(record.pending, std::nullopt);
    restarts_ =
        record_start(std::move(restarts_), policy, start.identity, start.last_exit, start.at);
  }
}

void ContainerStarts::started(const std::string& name, const std::string& id, bool hooked) {
  ContainerStartRecord& record = records_[name];
  record.refused_until.reset();
  if (hooked)
    record.post_start = {.id = id};
  else
    record.error.reset();
}

bool ContainerStarts::any_post_start() const {
  return std::ranges::any_of(records_,
                             [](const auto& entry) { return entry.second.post_start.has_value(); });
}

std::map<std::string, cri::ContainerId> ContainerStarts::post_starts() const {
  std::map<std::string, cri::ContainerId> hooks;
  for (const auto& [name, record] : records_)
    if (record.post_start) hooks.emplace(name, cri::ContainerId(record.post_start->id));
  return hooks;
}

bool ContainerStarts::post_start_returned(const std::string& name, const std::string& id,
                                          HookOutcome outcome) {
  const auto record = records_.find(name);
  if (record == records_.end()) return false;
  std::optional<PostStartHook>& hook = record->second.post_start;
  if (!hook || hook->id != id) return false;
  hook->outcome = std::move(outcome);
  return true;
}

std::vector<ReturnedHook> ContainerStarts::returned_post_starts() {
  std::vector<ReturnedHook> returned;
  for (auto& [name, record] : records_) {
    if (!record.post_start || !record.post_start->outcome) continue;
    returned.push_back({name, *std::exchange(record.post_start, std::nullopt)});
    record.error.reset();
    if (const auto& failure = returned.back().hook.outcome->failure)
      failed(name, kPostStartHookError, *failure);
  }
  return returned;
}

std::optional<std::string> ContainerStarts::report_hook_wait() {
  const auto hooks = post_starts();
  if (hooks.empty() || std::exchange(hook_wait_reported_, true)) return std::nullopt;
  return hooks.begin()->first;
}

StartErrors ContainerStarts::errors() const {
  StartErrors errors;
  for (const auto& [name, record] : records_)
    if (record.error) errors.emplace(name, *record.error);
  return errors;
}

void ContainerStarts::failed(const std::string& name, std::string_view reason,
                             std::string message) {
  records_[name].error = {.reason = std::string(reason), .message = std::move(message)};
}

bool ContainerStarts::refused(const StartRefusal& refusal) {
  failed(refusal.container, refusal.reason, refusal.message);
  std::optional<WallTime>& reported = records_[refusal.container].refused_until;
  return std::exchange(reported, refusal.until) != refusal.until;
}

void ContainerStarts::forget_errors() {
  for (auto& [name, record] : records_) record.error.reset();
}

void ContainerStarts::keep_decided(const api::Pod& pod, const RuntimePod& runtime,
                                   const Plan& plan) {
  // Nothing of the pod will run again: from now on each container's own exit decides.
  if (plan.actions.kill_pod && !plan.actions.create_sandbox) start_again_.clear();
  // A created container is not started: its start may have failed.
  const auto is_newest_started = [&](const RuntimeContainer& container) {
    const auto newest = std::ranges::find_if(runtime.containers, [&](const RuntimeContainer& one) {
      return one.name == container.name && one.state != cri::ContainerState::kCreated;
    });
    return newest != runtime.containers.end() && &*newest == &container;
  };
  std::erase_if(start_again_, [&](const auto& entry) {
    const RuntimeContainer* container = runtime.find(cri::ContainerId(entry.first));
    if (container == nullptr || !is_newest_started(*container)) return true;
    return entry.second == StartAgain::kDecided && container->state != cri::ContainerState::kExited;
  });
  for (const cri::ContainerId& id : decided_starts(pod, runtime, plan))
    start_again_.try_emplace(id.str(), StartAgain::kDecided);
}

void ContainerStarts::stopped_to_start_again(const std::string& id) {
  if (const auto again = start_again_.find(id); again != start_again_.end())
    again->second = StartAgain::kStopped;
}

}  // namespace berth::lifecycle
