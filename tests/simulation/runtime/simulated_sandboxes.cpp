// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/simulated_sandboxes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "tests/simulation/runtime/runtime_views.hpp"

namespace berth::simulation {
namespace {

std::string reserved_name(const cri::SandboxMetadata& metadata) {
  return fmt::format("{}_{}_{}_{}", metadata.name, metadata.namespace_, metadata.uid,
                     metadata.attempt);
}

std::string called(const SandboxRecord& sandbox) {
  return fmt::format("sandbox {}#{}", sandbox.config.metadata.name,
                     sandbox.config.metadata.attempt);
}

std::string called(const SandboxRecord* sandbox) {
  return sandbox == nullptr ? std::string("?") : called(*sandbox);
}

}  // namespace

SandboxRecord& SimulatedSandboxes::add(const cri::PodSandboxConfig& config,
                                       const cri::SandboxId& id) {
  const auto number = objects_.sandboxes().size() + 2;
  auto& added =
      objects_.add(SandboxRecord{.id = id,
                                 .config = config,
                                 .created_at = world_.unix_now(),
                                 .created = world_.now(),
                                 .ip = fmt::format("10.88.{}.{}", number / 250, number % 250)});
  world_.say(called(added) + " is ready");
  return added;
}

void SimulatedSandboxes::make(const cri::PodSandboxConfig& config, const cri::SandboxId& id) {
  world_.witness().sandbox_created(add(config, id));
  events_.emit(cri::EventType::kCreated, id.str());
  events_.emit(cri::EventType::kStarted, id.str());
}

bool SimulatedSandboxes::copy(const cri::SandboxId& id) {
  const auto is_of = [&id](const SandboxRecord& copy) {
    return copy.copy_of == id && !copy.removed;
  };
  const auto* original = objects_.find_sandbox(id.str());
  if (original == nullptr || std::ranges::any_of(objects_.copies(), is_of)) return false;
  cri::PodSandboxConfig config = original->config;
  while (objects_.reserve(reserved_name(config.metadata))) ++config.metadata.attempt;
  const auto number = objects_.copies().size() + 2;
  const auto& made =
      objects_.add(SandboxRecord{.id = cri::SandboxId(objects_.new_id()),
                                 .config = std::move(config),
                                 .created_at = world_.unix_now(),
                                 .created = world_.now(),
                                 .ip = fmt::format("10.99.{}.{}", number / 250, number % 250),
                                 .copy_of = id});
  world_.say(fmt::format("{} is a copy of {}", called(made), called(*original)));
  events_.emit(cri::EventType::kCreated, made.id.str());
  events_.emit(cri::EventType::kStarted, made.id.str());
  return true;
}

void SimulatedSandboxes::remove_copies() {
  for (const SandboxRecord& copy : objects_.copies()) remove_copies_of(*copy.copy_of);
}

void SimulatedSandboxes::remove_copies_of(const cri::SandboxId& id) {
  for (SandboxRecord& copy : objects_.copies()) {
    if (copy.copy_of != id || copy.removed) continue;
    copy.died = copy.died_shown = world_.now();
    events_.emit(cri::EventType::kStopped, copy.id.str(), 137);
    static_cast<void>(drop(copy.id));
  }
}

void SimulatedSandboxes::runs_already(const cri::PodSandboxConfig& config,
                                      const std::vector<cri::ContainerConfig>& containers) {
  const cri::SandboxId id(objects_.new_id());
  add(config, id);
  static_cast<void>(objects_.reserve(reserved_name(config.metadata)));
  for (const auto& container : containers)
    containers_.runs_already(id, container, config.metadata.uid);
}

cri::Call<cri::SandboxId> SimulatedSandboxes::run(Context context, cri::PodSandboxConfig config) {
  const cri::SandboxId id(objects_.new_id());
  const auto name = reserved_name(config.metadata);
  world_.witness().sandbox_called(config);
  auto order = calls_.change<cri::SandboxId>(
      fmt::format("RunPodSandbox {}#{}", config.metadata.name, config.metadata.attempt),
      world_.latencies().run_sandbox);
  order.limit = 2 * world_.latencies().request_timeout;
  order.begin = [this, name](const auto&) { return objects_.reserve(name); };
  order.undo = [this, name] { objects_.release(name); };
  order.finish = [this, config = std::move(config), id] {
    make(config, id);
    return id;
  };
  return calls_.fly(std::move(context), std::move(order));
}

void SimulatedSandboxes::end(SandboxRecord& sandbox, Nanoseconds shown_after) {
  if (sandbox.died) {
    // Once a caller has been answered that it is stopped, it is not shown as ready.
    sandbox.died_shown = std::min(*sandbox.died_shown, world_.now() + shown_after);
    return;
  }
  remove_copies_of(sandbox.id);
  sandbox.died = world_.now();
  sandbox.died_shown = *sandbox.died + shown_after;
  world_.say(called(sandbox) + " is no longer ready");
  events_.emit(cri::EventType::kStopped, sandbox.id.str(), 137);
}

void SimulatedSandboxes::dies(const cri::SandboxId& id, bool with_containers) {
  auto* sandbox = objects_.find_sandbox(id.str());
  if (sandbox == nullptr || sandbox->died) return;
  end(*sandbox, world_.draw(world_.latencies().exit_shown));
  if (with_containers) containers_.kill_all(id);
}

void SimulatedSandboxes::all_tasks_are_lost() {
  for (auto& sandbox : objects_.sandboxes())
    if (!sandbox.removed) end(sandbox, Nanoseconds{});
}

void SimulatedSandboxes::records_vanish(const std::string& pod_uid) {
  std::vector<cri::SandboxId> gone;
  for (const auto& sandbox : objects_.sandboxes())
    if (sandbox.config.metadata.uid == pod_uid && sandbox.died && !sandbox.removed)
      gone.push_back(sandbox.id);
  for (const auto& id : gone) static_cast<void>(drop(id));
}

std::optional<Error> SimulatedSandboxes::begin_stop(const cri::SandboxId& id) {
  auto* sandbox = objects_.find_sandbox(id.str());
  if (sandbox == nullptr) {
    if (world_.faults().missing_is_error) return missing("sandbox " + id.str());
    return std::nullopt;
  }
  sandbox->stop_called = true;
  remove_copies_of(id);
  containers_.stop_all(id);
  return std::nullopt;
}

cri::Call<cri::Done> SimulatedSandboxes::stop(Context context, cri::SandboxId id) {
  auto* known = objects_.find_sandbox(id.str());
  if (known != nullptr) world_.witness().sandbox_stop_called(*known);
  auto order =
      calls_.change<cri::Done>("StopPodSandbox " + called(known), world_.latencies().stop_sandbox);
  order.begin = [this, id](const auto&) { return begin_stop(id); };
  order.finish = [this, id]() -> Result<cri::Done> {
    if (auto* sandbox = objects_.find_sandbox(id.str())) end(*sandbox, Nanoseconds{});
    return cri::Done{};
  };
  return calls_.fly(std::move(context), std::move(order));
}

Result<cri::Done> SimulatedSandboxes::drop(const cri::SandboxId& id) {
  auto* sandbox = objects_.find_sandbox(id.str());
  if (sandbox == nullptr) return cri::Done{};
  containers_.drop_all(id);
  sandbox->removed = world_.now();
  objects_.forget_sandbox(id);
  objects_.release(reserved_name(sandbox->config.metadata));
  world_.say(called(*sandbox) + " is removed");
  events_.emit(cri::EventType::kDeleted, id.str());
  return cri::Done{};
}

void SimulatedSandboxes::refuse_removal(const cri::SandboxId& id, std::string message) {
  refused_removals_.erase(id.str());
  if (!message.empty()) refused_removals_.emplace(id.str(), std::move(message));
}

void SimulatedSandboxes::refuse_status(const cri::SandboxId& id, bool refuses) {
  if (refuses)
    refused_statuses_.insert(id.str());
  else
    refused_statuses_.erase(id.str());
}

std::optional<Error> SimulatedSandboxes::may_remove(const cri::SandboxId& id) {
  const auto* sandbox = objects_.find_sandbox(id.str());
  if (sandbox == nullptr && world_.faults().missing_is_error) return missing("sandbox " + id.str());
  if (sandbox != nullptr && !sandbox->died)
    return Error{ErrorCode::kUnknown, "the sandbox is not fully stopped"};
  const auto refused = refused_removals_.find(id.str());
  if (refused != refused_removals_.end()) return Error{ErrorCode::kUnknown, refused->second};
  return std::nullopt;
}

cri::Call<cri::Done> SimulatedSandboxes::remove(Context context, cri::SandboxId id) {
  auto order = calls_.change<cri::Done>(
      "RemovePodSandbox " + called(objects_.find_sandbox(id.str())), world_.latencies().remove);
  order.begin = [this, id](const auto&) { return may_remove(id); };
  order.finish = [this, id] { return drop(id); };
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<cri::PodSandboxStatus> SimulatedSandboxes::status(Context context, cri::SandboxId id) {
  auto order = calls_.query<cri::PodSandboxStatus>("PodSandboxStatus");
  order.finish = [this, id]() -> Result<cri::PodSandboxStatus> {
    if (refused_statuses_.contains(id.str()))
      return fail(Error{ErrorCode::kUnknown, "the sandbox does not answer"});
    const auto* sandbox = objects_.find_sandbox(id.str());
    if (sandbox == nullptr) return fail(missing("sandbox " + id.str()));
    return status_of(*sandbox, world_.now());
  };
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<std::vector<cri::PodSandbox>> SimulatedSandboxes::list(Context context,
                                                                 cri::SandboxFilter filter) {
  auto order = calls_.query<std::vector<cri::PodSandbox>>("ListPodSandbox");
  order.finish = [this, filter = std::move(filter)] {
    std::vector<cri::PodSandbox> sandboxes;
    for (const auto& [id, record] : objects_.known_sandboxes()) {
      auto sandbox = listed(*record, world_.now());
      if (selected(filter, sandbox)) sandboxes.push_back(std::move(sandbox));
    }
    if (world_.faults().shuffled_lists) world_.random().shuffle(sandboxes);
    return sandboxes;
  };
  return calls_.fly(std::move(context), std::move(order));
}

}  // namespace berth::simulation
