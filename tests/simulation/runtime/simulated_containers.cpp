// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/runtime/simulated_containers.hpp"

#include <utility>

#include <fmt/core.h>

#include "cri/stop_signals.hpp"
#include "tests/simulation/runtime/runtime_views.hpp"

namespace berth::simulation {
namespace {

std::string called(const Instance& instance) {
  const auto name = instance.config.labels.find(cri::kLabelPodName);
  return fmt::format("{}/{}#{}", name == instance.config.labels.end() ? "?" : name->second,
                     instance.name, instance.config.metadata.attempt);
}

std::string called(const Instance* instance) {
  return instance == nullptr ? std::string("?") : called(*instance);
}

std::string reserved_name(const cri::ContainerConfig& config, const cri::SandboxMetadata& pod) {
  return fmt::format("{}_{}_{}_{}_{}", config.metadata.name, pod.name, pod.namespace_, pod.uid,
                     config.metadata.attempt);
}

}  // namespace

std::optional<Error> SimulatedContainers::may_create(const cri::SandboxId& sandbox,
                                                     const cri::ContainerConfig& config,
                                                     const std::string& name) {
  const auto* record = objects_.find_sandbox(sandbox.str());
  if (record == nullptr) return missing("sandbox " + sandbox.str());
  if (record->died) return Error{ErrorCode::kUnknown, "the sandbox is not running"};
  if (!images_.find(config.image.image)) return missing("image " + config.image.image);
  // The node has no profiles of its own.
  const auto& seccomp = config.security_context.seccomp;
  if (seccomp && seccomp->profile_type == cri::ProfileType::kLocalhost) {
    return Error{
        ErrorCode::kUnknown,
        fmt::format("CreateContainer: rpc error: code = Unknown desc = cannot load seccomp "
                    "profile \"{0}\": open {0}: no such file or directory",
                    seccomp->localhost_ref)};
  }
  return objects_.reserve(name);
}

cri::Call<cri::ContainerId> SimulatedContainers::create(Context context, cri::SandboxId sandbox,
                                                        cri::ContainerConfig config,
                                                        cri::PodSandboxConfig sandbox_config) {
  const cri::ContainerId id(objects_.new_id());
  const auto name = reserved_name(config, sandbox_config.metadata);
  auto order = calls_.change<cri::ContainerId>(
      fmt::format("CreateContainer {}/{}#{}", sandbox_config.metadata.name, config.metadata.name,
                  config.metadata.attempt),
      world_.latencies().create);
  order.begin = [this, sandbox, config, name](const auto&) {
    return may_create(sandbox, config, name);
  };
  order.undo = [this, name] { objects_.release(name); };
  order.finish = [this, sandbox, config = std::move(config), uid = sandbox_config.metadata.uid, id,
                  name]() -> Result<cri::ContainerId> {
    if (objects_.find_sandbox(sandbox.str()) == nullptr) {
      objects_.release(name);
      return fail(missing("sandbox " + sandbox.str()));
    }
    make(id, sandbox, config, uid);
    return id;
  };
  return calls_.fly(std::move(context), std::move(order));
}

Instance& SimulatedContainers::add(const cri::ContainerId& id, const cri::SandboxId& sandbox,
                                   const cri::ContainerConfig& config, const std::string& uid) {
  return objects_.add(Instance{.id = id,
                               .sandbox = sandbox,
                               .pod_uid = uid,
                               .name = config.metadata.name,
                               .config = config,
                               .program = read_program(config.command),
                               .created_at = world_.unix_now(),
                               .created = world_.now()});
}

void SimulatedContainers::make(const cri::ContainerId& id, const cri::SandboxId& sandbox,
                               const cri::ContainerConfig& config, const std::string& uid) {
  world_.witness().created(add(id, sandbox, config, uid));
  events_.emit(cri::EventType::kCreated, id.str());
}

void SimulatedContainers::runs_already(const cri::SandboxId& sandbox,
                                       const cri::ContainerConfig& config, const std::string& uid) {
  auto& instance = add(cri::ContainerId(objects_.new_id()), sandbox, config, uid);
  instance.start_called = instance.started = world_.now();
  instance.started_at = world_.unix_now();
  world_.say(instance.name + " of it runs");
  run_program(instance);
}

void SimulatedContainers::created_late(const cri::ContainerId& before) {
  const auto* old = objects_.find_instance(before.str());
  const auto* sandbox = old == nullptr ? nullptr : objects_.find_sandbox(old->sandbox.str());
  if (sandbox == nullptr) return;
  auto config = old->config;
  const auto attempt = ++config.metadata.attempt;
  config.annotations[cri::kAnnotationRestartCount] = std::to_string(attempt);
  if (objects_.reserve(reserved_name(config, sandbox->config.metadata))) return;
  make(cri::ContainerId(objects_.new_id()), sandbox->id, config, old->pod_uid);
}

std::optional<Error> SimulatedContainers::may_start(const cri::ContainerId& id) {
  auto* instance = objects_.find_instance(id.str());
  if (instance == nullptr) return missing("container " + id.str());
  if (instance->starting || instance->started || instance->exited) {
    return Error{ErrorCode::kUnknown, "the container is not in state CREATED"};
  }
  instance->starting = true;
  return std::nullopt;
}

cri::Call<cri::Done> SimulatedContainers::start(Context context, cri::ContainerId id) {
  auto* known = objects_.find_instance(id.str());
  const auto now = world_.now();
  if (known != nullptr && !known->started) {
    if (!known->starting) known->start_called = now;
    world_.witness().start_called(*known);
  }
  auto order =
      calls_.change<cri::Done>("StartContainer " + called(known), world_.latencies().start);
  order.begin = [this, id](const auto&) { return may_start(id); };
  order.undo = [this, id] {
    if (auto* instance = objects_.find_instance(id.str())) instance->starting = false;
  };
  order.finish = [this, id] { return start_now(id); };
  return calls_.fly(std::move(context), std::move(order));
}

Result<cri::Done> SimulatedContainers::start_now(const cri::ContainerId& id) {
  auto* instance = objects_.find_instance(id.str());
  if (instance == nullptr) return fail(missing("container " + id.str()));
  instance->starting = false;
  const auto* sandbox = objects_.find_sandbox(instance->sandbox.str());
  if (sandbox == nullptr || sandbox->died || world_.random().chance(world_.faults().start_error)) {
    exit_now(*instance, 128, "StartError", Nanoseconds{});
    return fail(ErrorCode::kUnknown, "failed to create containerd task");
  }
  instance->started = world_.now();
  instance->started_at = world_.unix_now();
  world_.say(called(*instance) + " runs");
  world_.witness().started(*instance);
  events_.emit(cri::EventType::kStarted, id.str());
  run_program(*instance);
  return cri::Done{};
}

void SimulatedContainers::run_program(Instance& instance) {
  const auto& program = instance.program;
  const auto attempt = instance.config.metadata.attempt;
  if (!program.ends(attempt)) return;
  const auto code = program.code(attempt);
  if (code == program.exit_code && program.out_of_memory) {
    world_.after(*program.ends_after, [this, &instance] {
      if (!instance.live()) return;
      events_.emit(cri::EventType::kOutOfMemory, instance.id.str());
      exit_now(instance, 137, "OOMKilled", world_.draw(world_.latencies().exit_shown));
    });
  } else {
    exit_after(instance, *program.ends_after, code, code == 0 ? "Completed" : "Error");
  }
}

void SimulatedContainers::ends(const cri::ContainerId& id, std::int32_t code) {
  auto* instance = objects_.find_instance(id.str());
  if (instance == nullptr || !instance->live()) return;
  exit_now(*instance, code, code == 0 ? "Completed" : "Error",
           world_.draw(world_.latencies().exit_shown));
}

void SimulatedContainers::lose_sight_of(const cri::ContainerId& id) {
  auto* instance = objects_.find_instance(id.str());
  if (instance == nullptr || !instance->live()) return;
  instance->sight_lost = true;
  instance->first_kill = world_.now();
  record_exit(*instance, 255, "Unknown", SteadyTime::max());
}

void SimulatedContainers::clean_up_unknown(Instance& instance) {
  instance.exit_shown = world_.now();
  instance.finished_at = world_.unix_now();
  events_.emit(cri::EventType::kStopped, instance.id.str(), instance.exit_code);
}

void SimulatedContainers::refuse_stop(const cri::ContainerId& id, bool refuses) {
  if (auto* instance = objects_.find_instance(id.str())) instance->refuses_stop = refuses;
}

void SimulatedContainers::empty_cgroup(const std::string& pod_uid) {
  for (auto& instance : objects_.instances()) {
    if (instance.pod_uid == pod_uid && instance.live()) {
      send_kill(instance, KillCause::kCgroupCleanup, Nanoseconds{});
    }
  }
}

// As containerd finds a rebooted machine: its records exist, but none of their tasks.
void SimulatedContainers::all_tasks_are_lost() {
  for (auto& instance : objects_.instances()) {
    if (!instance.live()) continue;
    instance.first_kill = world_.now();
    exit_now(instance, 255, "Unknown", Nanoseconds{});
  }
}

void SimulatedContainers::kill_all(const cri::SandboxId& sandbox) {
  for (auto& instance : objects_.instances())
    if (instance.sandbox == sandbox && instance.live())
      send_kill(instance, KillCause::kMachine, world_.draw(world_.latencies().dying));
}

void SimulatedContainers::stop_all(const cri::SandboxId& sandbox) {
  for (auto& instance : objects_.instances()) {
    if (instance.sandbox != sandbox) continue;
    if (instance.live()) send_kill(instance, KillCause::kStopSandbox, Nanoseconds{});
    if (instance.sight_lost && !shows_exit(instance, world_.now())) clean_up_unknown(instance);
  }
}

void SimulatedContainers::drop_all(const cri::SandboxId& sandbox) {
  for (auto& instance : objects_.instances())
    if (instance.sandbox == sandbox && !instance.removed) drop(instance);
}

std::optional<Error> SimulatedContainers::begin_stop(const RuntimeCalls::FlightPtr& flight,
                                                     const cri::ContainerId& id,
                                                     std::chrono::seconds timeout) {
  auto* instance = objects_.find_instance(id.str());
  if (instance == nullptr) {
    if (world_.faults().missing_is_error) return missing("container " + id.str());
    world_.after({}, [this, flight] { calls_.complete(flight); });
    return std::nullopt;
  }
  if (instance->sight_lost && !shows_exit(*instance, world_.now())) {
    world_.after(world_.draw(world_.latencies().dying), [this, flight, instance] {
      if (!shows_exit(*instance, world_.now())) clean_up_unknown(*instance);
      calls_.complete(flight);
    });
    return std::nullopt;
  }
  if (!instance->live() && (!instance->exited || shows_exit(*instance, world_.now()))) {
    world_.after({}, [this, flight] { calls_.complete(flight); });  // not running: nothing to stop
    return std::nullopt;
  }
  if (instance->live() && instance->refuses_stop) {
    instance->last_refused = world_.now();
    return Error{ErrorCode::kUnknown, "failed to kill the container: context deadline exceeded"};
  }
  exit_waiters_[id.str()].push_back(flight);
  if (!instance->live()) return std::nullopt;  // the exit will be shown soon
  if (timeout.count() <= 0) {
    send_kill(*instance, KillCause::kStopTimeout, world_.draw(world_.latencies().dying));
    return std::nullopt;
  }
  send_term(*instance);
  world_.after(timeout, [this, flight, instance] {
    if (flight->over || !instance->live()) return;
    if (flight->caller_gone && !world_.faults().stop_goes_on_alone) return;
    send_kill(*instance, KillCause::kStopTimeout, world_.draw(world_.latencies().dying));
  });
  return std::nullopt;
}

cri::Call<cri::Done> SimulatedContainers::stop(Context context, cri::ContainerId id,
                                               std::chrono::seconds timeout) {
  auto* known = objects_.find_instance(id.str());
  if (known != nullptr) {
    if (!known->first_stop_called) known->first_stop_called = world_.now();
    known->last_stop_called = world_.now();
    known->stop_failed = false;
    world_.witness().stop_called(*known, timeout);
  }
  RuntimeCalls::Order<cri::Done> order{
      .what = fmt::format("StopContainer {} within {} s", called(known), timeout.count()),
      .limit = world_.latencies().request_timeout + timeout,
      .ends_itself = true};
  order.begin = [this, id, timeout](const auto& flight) { return begin_stop(flight, id, timeout); };
  order.finish = [] { return cri::Done{}; };
  auto stopped = co_await calls_.fly(std::move(context), std::move(order));
  if (known != nullptr) known->stop_failed = !stopped;
  co_return stopped;
}

void SimulatedContainers::send_term(Instance& instance) {
  if (instance.first_term) return;  // the runtime remembers that it was sent
  instance.first_term = world_.now();
  const auto signal = cri::signal_name(instance.config.stop_signal).value_or("SIGTERM");
  world_.say(called(instance) + " gets " + signal.substr(3));
  world_.witness().terminated(instance);
  if (instance.program.ignores_term || instance.program.obeys != signal) return;
  exit_after(instance, instance.program.term_delay + world_.draw(world_.latencies().dying),
             instance.program.term_code, instance.program.term_code == 0 ? "Completed" : "Error");
}

void SimulatedContainers::send_kill(Instance& instance, KillCause cause, Nanoseconds dying) {
  if (!instance.first_kill) instance.first_kill = world_.now();
  world_.say(called(instance) + " gets KILL");
  world_.witness().killed(instance, cause);
  if (dying.count() == 0) {
    exit_now(instance, 137, "Error", Nanoseconds{});
  } else {
    exit_after(instance, dying, 137, "Error");
  }
}

void SimulatedContainers::exit_after(Instance& instance, Nanoseconds delay, std::int32_t code,
                                     std::string reason) {
  world_.after(delay, [this, &instance, code, reason = std::move(reason)] {
    if (instance.live())
      exit_now(instance, code, reason, world_.draw(world_.latencies().exit_shown));
  });
}

void SimulatedContainers::record_exit(Instance& instance, std::int32_t code,
                                      const std::string& reason, SteadyTime shown) {
  instance.exited = world_.now();
  instance.exit_shown = shown;
  instance.exit_code = code;
  instance.reason = reason;
  instance.finished_at = world_.unix_now();
  world_.say(fmt::format("{} exits with {}", called(instance), code));
  world_.witness().exited(instance);
  commands_.container_ended(instance.id);
}

void SimulatedContainers::exit_now(Instance& instance, std::int32_t code, const std::string& reason,
                                   Nanoseconds shown_after) {
  record_exit(instance, code, reason, world_.now() + shown_after);
  events_.emit(cri::EventType::kStopped, instance.id.str(), code);
  world_.after(shown_after, [this, id = instance.id.str()] {
    const auto waiting = exit_waiters_.extract(id);
    if (waiting.empty()) return;
    for (const auto& flight : waiting.mapped()) calls_.complete(flight);
  });
}

void SimulatedContainers::drop(Instance& instance) {
  if (instance.live()) send_kill(instance, KillCause::kRemove, Nanoseconds{});
  instance.removed = world_.now();
  const auto* sandbox = objects_.find_sandbox(instance.sandbox.str());
  if (sandbox != nullptr)
    objects_.release(reserved_name(instance.config, sandbox->config.metadata));
  objects_.forget_instance(instance.id);
  events_.emit(cri::EventType::kDeleted, instance.id.str());
}

cri::Call<cri::Done> SimulatedContainers::remove(Context context, cri::ContainerId id) {
  auto order = calls_.change<cri::Done>(
      "RemoveContainer " + called(objects_.find_instance(id.str())), world_.latencies().remove);
  order.begin = [this, id](const auto&) -> std::optional<Error> {
    const auto* instance = objects_.find_instance(id.str());
    if (instance == nullptr && world_.faults().missing_is_error)
      return missing("container " + id.str());
    if (instance != nullptr && instance->starting) {
      return Error{ErrorCode::kUnknown, "the container is in starting state"};
    }
    return std::nullopt;
  };
  order.finish = [this, id]() -> Result<cri::Done> {
    auto* instance = objects_.find_instance(id.str());
    if (instance != nullptr && instance->starting) {
      return fail(ErrorCode::kUnknown, "the container is in starting state");
    }
    if (instance != nullptr) drop(*instance);
    return cri::Done{};
  };
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<cri::ContainerStatus> SimulatedContainers::status(Context context, cri::ContainerId id) {
  auto order = calls_.query<cri::ContainerStatus>("ContainerStatus");
  order.finish = [this, id]() -> Result<cri::ContainerStatus> {
    auto* instance = objects_.find_instance(id.str());
    if (instance == nullptr) return fail(missing("container " + id.str()));
    instance->exit_reported = instance->exit_reported || shows_exit(*instance, world_.now());
    return status_of(*instance, world_.now());
  };
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<std::vector<cri::Container>> SimulatedContainers::list(Context context,
                                                                 cri::ContainerFilter filter) {
  auto order = calls_.query<std::vector<cri::Container>>("ListContainers");
  order.finish = [this, filter = std::move(filter)] {
    std::vector<cri::Container> containers;
    for (const auto& [id, instance] : objects_.known_instances()) {
      auto container = listed(*instance, world_.now());
      if (selected(filter, container)) containers.push_back(std::move(container));
    }
    if (world_.faults().shuffled_lists) world_.random().shuffle(containers);
    return containers;
  };
  return calls_.fly(std::move(context), std::move(order));
}

cri::Call<cri::Done> SimulatedContainers::reopen_log(Context context, cri::ContainerId id) {
  auto order = calls_.change<cri::Done>("ReopenContainerLog", world_.latencies().query);
  order.finish = [this, id]() -> Result<cri::Done> {
    const auto* instance = objects_.find_instance(id.str());
    if (instance == nullptr || !instance->live()) return fail(missing("container " + id.str()));
    world_.witness().log_reopened(*instance);
    return cri::Done{};
  };
  return calls_.fly(std::move(context), std::move(order));
}

}  // namespace berth::simulation
