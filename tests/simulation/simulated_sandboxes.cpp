// SPDX-License-Identifier: Apache-2.0

// Sandboxes of the simulated runtime.
#include <algorithm>

#include <fmt/core.h>

#include "tests/simulation/simulated_runtime.hpp"

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

}  // namespace

SandboxRecord* SimulatedRuntime::find_sandbox(const std::string& id) {
  const auto found = known_sandboxes_.find(id);
  return found == known_sandboxes_.end() ? nullptr : found->second;
}

bool SimulatedRuntime::shows_death(const SandboxRecord& sandbox) const {
  return sandbox.died_shown && *sandbox.died_shown <= clock_.steady_now();
}

SandboxRecord& SimulatedRuntime::add_sandbox(const cri::PodSandboxConfig& config,
                                             const cri::SandboxId& id) {
  const auto number = sandboxes_.size() + 2;
  sandboxes_.push_back(SandboxRecord{.id = id,
                                     .config = config,
                                     .created_at = unix_now(),
                                     .created = clock_.steady_now(),
                                     .ip = fmt::format("10.88.{}.{}", number / 250, number % 250)});
  known_sandboxes_[id.str()] = &sandboxes_.back();
  say(called(sandboxes_.back()) + " is ready");
  return sandboxes_.back();
}

void SimulatedRuntime::make_sandbox(const cri::PodSandboxConfig& config, const cri::SandboxId& id) {
  witness_.sandbox_created(add_sandbox(config, id));
  emit(cri::EventType::kCreated, id.str());
  emit(cri::EventType::kStarted, id.str());
}

bool SimulatedRuntime::copy_sandbox(const cri::SandboxId& id) {
  const auto is_of = [&id](const SandboxRecord& copy) {
    return copy.copy_of == id && !copy.removed;
  };
  const auto* original = find_sandbox(id.str());
  if (original == nullptr || std::ranges::any_of(sandbox_copies_, is_of)) return false;
  cri::PodSandboxConfig config = original->config;
  while (names_.contains(reserved_name(config.metadata))) ++config.metadata.attempt;
  names_.insert(reserved_name(config.metadata));
  const auto number = sandbox_copies_.size() + 2;
  sandbox_copies_.push_back({.id = cri::SandboxId(new_id()),
                             .config = std::move(config),
                             .created_at = unix_now(),
                             .created = clock_.steady_now(),
                             .ip = fmt::format("10.99.{}.{}", number / 250, number % 250),
                             .copy_of = id});
  const SandboxRecord& copy = sandbox_copies_.back();
  known_sandboxes_[copy.id.str()] = &sandbox_copies_.back();
  say(fmt::format("{} is a copy of {}", called(copy), called(*original)));
  emit(cri::EventType::kCreated, copy.id.str());
  emit(cri::EventType::kStarted, copy.id.str());
  return true;
}

void SimulatedRuntime::remove_copies() {
  for (const SandboxRecord& copy : sandbox_copies_) remove_copies_of(*copy.copy_of);
}

void SimulatedRuntime::remove_copies_of(const cri::SandboxId& id) {
  for (SandboxRecord& copy : sandbox_copies_) {
    if (copy.copy_of != id || copy.removed) continue;
    copy.died = copy.died_shown = clock_.steady_now();
    emit(cri::EventType::kStopped, copy.id.str(), 137);
    static_cast<void>(drop_sandbox(copy.id));
  }
}

bool SimulatedRuntime::is_copy(const cri::SandboxId& id) const {
  return std::ranges::find(sandbox_copies_, id, &SandboxRecord::id) != sandbox_copies_.end();
}

void SimulatedRuntime::runs_already(const cri::PodSandboxConfig& sandbox,
                                    const std::vector<cri::ContainerConfig>& containers) {
  const cri::SandboxId id(new_id());
  add_sandbox(sandbox, id);
  names_.insert(reserved_name(sandbox.metadata));
  for (const auto& config : containers) {
    auto& instance = add_instance(cri::ContainerId(new_id()), id, config, sandbox.metadata.uid);
    instance.start_called = instance.started = clock_.steady_now();
    instance.started_at = unix_now();
    say(instance.name + " of it runs");
    run_program(instance);
  }
}

cri::Call<cri::SandboxId> SimulatedRuntime::run_pod_sandbox(Context context,
                                                            cri::PodSandboxConfig config,
                                                            std::string /*runtime_handler*/) {
  const cri::SandboxId id(new_id());
  const auto name = reserved_name(config.metadata);
  witness_.sandbox_called(config);
  Order<cri::SandboxId> order{
      .what = fmt::format("RunPodSandbox {}#{}", config.metadata.name, config.metadata.attempt),
      .duration = latencies_.run_sandbox,
      .limit = 2 * latencies_.request_timeout};
  order.begin = [this, name](const FlightPtr&) { return reserve(name); };
  order.undo = [this, name] { names_.erase(name); };
  order.finish = [this, config = std::move(config), id] {
    make_sandbox(config, id);
    return id;
  };
  return fly(std::move(context), std::move(order));
}

void SimulatedRuntime::end_sandbox(SandboxRecord& sandbox, Nanoseconds shown_after) {
  if (sandbox.died) {
    // Once a caller has been answered that it is stopped, it is not shown as ready.
    sandbox.died_shown = std::min(*sandbox.died_shown, clock_.steady_now() + shown_after);
    return;
  }
  remove_copies_of(sandbox.id);
  sandbox.died = clock_.steady_now();
  sandbox.died_shown = *sandbox.died + shown_after;
  say(called(sandbox) + " is no longer ready");
  emit(cri::EventType::kStopped, sandbox.id.str(), 137);
}

void SimulatedRuntime::sandbox_dies(const cri::SandboxId& id, bool with_containers) {
  auto* sandbox = find_sandbox(id.str());
  if (sandbox == nullptr || sandbox->died) return;
  end_sandbox(*sandbox, draw(latencies_.exit_shown));
  if (!with_containers) return;
  for (auto& instance : instances_) {
    if (instance.sandbox == id && instance.live()) {
      send_kill(instance, KillCause::kMachine, draw(latencies_.dying));
    }
  }
}

cri::Call<cri::Done> SimulatedRuntime::stop_pod_sandbox(Context context, cri::SandboxId id) {
  auto* known = find_sandbox(id.str());
  if (known != nullptr) witness_.sandbox_stop_called(*known);
  Order<cri::Done> order{
      .what = "StopPodSandbox " + (known == nullptr ? std::string("?") : called(*known)),
      .duration = latencies_.stop_sandbox,
      .limit = latencies_.request_timeout};
  order.begin = [this, id](const FlightPtr&) -> std::optional<Error> {
    auto* sandbox = find_sandbox(id.str());
    if (sandbox == nullptr) {
      if (faults_.missing_is_error) return missing("sandbox " + id.str());
      return std::nullopt;
    }
    sandbox->stop_called = true;
    remove_copies_of(id);
    // As containerd does: whatever still runs in it is killed, without a TERM.
    for (auto& instance : instances_) {
      if (instance.sandbox != id) continue;
      if (instance.live()) send_kill(instance, KillCause::kStopSandbox, Nanoseconds{});
      if (instance.sight_lost && !shows_exit(instance)) clean_up_unknown(instance);
    }
    return std::nullopt;
  };
  order.finish = [this, id]() -> Result<cri::Done> {
    if (auto* sandbox = find_sandbox(id.str())) end_sandbox(*sandbox, Nanoseconds{});
    return cri::Done{};
  };
  return fly(std::move(context), std::move(order));
}

Result<cri::Done> SimulatedRuntime::drop_sandbox(const cri::SandboxId& id) {
  auto* sandbox = find_sandbox(id.str());
  if (sandbox == nullptr) return cri::Done{};
  for (auto& instance : instances_) {
    if (instance.sandbox == id && !instance.removed) drop_instance(instance);
  }
  sandbox->removed = clock_.steady_now();
  known_sandboxes_.erase(id.str());
  names_.erase(reserved_name(sandbox->config.metadata));
  say(called(*sandbox) + " is removed");
  emit(cri::EventType::kDeleted, id.str());
  return cri::Done{};
}

void SimulatedRuntime::refuse_removal(const cri::SandboxId& id, std::string message) {
  refused_removals_.erase(id.str());
  if (!message.empty()) refused_removals_.emplace(id.str(), std::move(message));
}

cri::Call<cri::Done> SimulatedRuntime::remove_pod_sandbox(Context context, cri::SandboxId id) {
  auto* known = find_sandbox(id.str());
  Order<cri::Done> order{
      .what = "RemovePodSandbox " + (known == nullptr ? std::string("?") : called(*known)),
      .duration = latencies_.remove,
      .limit = latencies_.request_timeout};
  order.begin = [this, id](const FlightPtr&) -> std::optional<Error> {
    auto* sandbox = find_sandbox(id.str());
    if (sandbox == nullptr && faults_.missing_is_error) return missing("sandbox " + id.str());
    if (sandbox != nullptr && !sandbox->died) {
      return Error{ErrorCode::kUnknown, "the sandbox is not fully stopped"};
    }
    const auto refused = refused_removals_.find(id.str());
    if (refused != refused_removals_.end()) return Error{ErrorCode::kUnknown, refused->second};
    return std::nullopt;
  };
  order.finish = [this, id] { return drop_sandbox(id); };
  return fly(std::move(context), std::move(order));
}

cri::PodSandboxStatus SimulatedRuntime::show(const SandboxRecord& sandbox) const {
  const auto& config = sandbox.config;
  const bool dead = shows_death(sandbox);
  const auto network = config.security_context.namespace_options.network;
  return {.id = sandbox.id,
          .metadata = config.metadata,
          .state = dead ? cri::SandboxState::kNotReady : cri::SandboxState::kReady,
          .created_at = sandbox.created_at,
          .has_network = true,
          .ip = dead || network == cri::NamespaceMode::kNode ? "" : sandbox.ip,
          .network_mode = network,
          .labels = config.labels,
          .annotations = config.annotations};
}

cri::Call<cri::PodSandboxStatus> SimulatedRuntime::pod_sandbox_status(Context context,
                                                                      cri::SandboxId id) {
  Order<cri::PodSandboxStatus> order{.what = "PodSandboxStatus",
                                     .duration = latencies_.query,
                                     .limit = latencies_.request_timeout,
                                     .query = true};
  order.finish = [this, id]() -> Result<cri::PodSandboxStatus> {
    const auto* sandbox = find_sandbox(id.str());
    if (sandbox == nullptr) return fail(missing("sandbox " + id.str()));
    return show(*sandbox);
  };
  return fly(std::move(context), std::move(order));
}

cri::Call<std::vector<cri::PodSandbox>> SimulatedRuntime::list_pod_sandbox(
    Context context, cri::SandboxFilter filter) {
  Order<std::vector<cri::PodSandbox>> order{.what = "ListPodSandbox",
                                            .duration = latencies_.query,
                                            .limit = latencies_.request_timeout,
                                            .query = true};
  order.finish = [this, filter = std::move(filter)] {
    std::vector<cri::PodSandbox> listed;
    for (const auto& [id, sandbox] : known_sandboxes_) {
      const auto status = show(*sandbox);
      if (!filter.id.empty() && filter.id != id) continue;
      if (filter.state && *filter.state != status.state) continue;
      if (!selected(filter.label_selector, status.labels)) continue;
      listed.push_back({.id = status.id,
                        .metadata = status.metadata,
                        .state = status.state,
                        .created_at = status.created_at,
                        .labels = status.labels,
                        .annotations = status.annotations});
    }
    if (faults_.shuffled_lists) random_.shuffle(listed);
    return listed;
  };
  return fly(std::move(context), std::move(order));
}

}  // namespace berth::simulation
