// SPDX-License-Identifier: Apache-2.0

// The life of containers in the simulated runtime: create, start, signals, exit, removal.
#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "cri/stop_signals.hpp"
#include "tests/simulation/simulated_runtime.hpp"

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

Instance* SimulatedRuntime::find_instance(const std::string& id) {
  const auto found = known_instances_.find(id);
  return found == known_instances_.end() ? nullptr : found->second;
}

std::optional<Error> SimulatedRuntime::may_create(const cri::SandboxId& sandbox,
                                                  const cri::ContainerConfig& config,
                                                  const std::string& name) {
  const auto* record = find_sandbox(sandbox.str());
  if (record == nullptr) return missing("sandbox " + sandbox.str());
  if (record->died) return Error{ErrorCode::kUnknown, "the sandbox is not running"};
  if (!image_on_node(config.image.image)) return missing("image " + config.image.image);
  // The node has no profiles of its own.
  const auto& seccomp = config.security_context.seccomp;
  if (seccomp && seccomp->profile_type == cri::ProfileType::kLocalhost) {
    return Error{
        ErrorCode::kUnknown,
        fmt::format("CreateContainer: rpc error: code = Unknown desc = cannot load seccomp "
                    "profile \"{0}\": open {0}: no such file or directory",
                    seccomp->localhost_ref)};
  }
  return reserve(name);
}

cri::Call<cri::ContainerId> SimulatedRuntime::create_container(
    Context context, cri::SandboxId sandbox, cri::ContainerConfig config,
    cri::PodSandboxConfig sandbox_config) {
  const cri::ContainerId id(new_id());
  const auto name = reserved_name(config, sandbox_config.metadata);
  Order<cri::ContainerId> order{
      .what = fmt::format("CreateContainer {}/{}#{}", sandbox_config.metadata.name,
                          config.metadata.name, config.metadata.attempt),
      .duration = latencies_.create,
      .limit = latencies_.request_timeout};
  order.begin = [this, sandbox, config, name](const FlightPtr&) {
    return may_create(sandbox, config, name);
  };
  order.undo = [this, name] { names_.erase(name); };
  order.finish = [this, sandbox, config = std::move(config), uid = sandbox_config.metadata.uid, id,
                  name]() -> Result<cri::ContainerId> {
    if (find_sandbox(sandbox.str()) == nullptr) {
      names_.erase(name);
      return fail(missing("sandbox " + sandbox.str()));
    }
    make_instance(id, sandbox, config, uid);
    return id;
  };
  return fly(std::move(context), std::move(order));
}

Instance& SimulatedRuntime::add_instance(const cri::ContainerId& id, const cri::SandboxId& sandbox,
                                         const cri::ContainerConfig& config,
                                         const std::string& uid) {
  instances_.push_back(Instance{.id = id,
                                .sandbox = sandbox,
                                .pod_uid = uid,
                                .name = config.metadata.name,
                                .config = config,
                                .program = read_program(config.command),
                                .created_at = unix_now(),
                                .created = clock_.steady_now()});
  known_instances_[id.str()] = &instances_.back();
  return instances_.back();
}

void SimulatedRuntime::make_instance(const cri::ContainerId& id, const cri::SandboxId& sandbox,
                                     const cri::ContainerConfig& config, const std::string& uid) {
  witness_.created(add_instance(id, sandbox, config, uid));
  emit(cri::EventType::kCreated, id.str());
}

void SimulatedRuntime::created_late(const cri::ContainerId& before) {
  const auto* old = find_instance(before.str());
  const auto* sandbox = old == nullptr ? nullptr : find_sandbox(old->sandbox.str());
  if (sandbox == nullptr) return;
  auto config = old->config;
  const auto attempt = ++config.metadata.attempt;
  config.annotations[cri::kAnnotationRestartCount] = std::to_string(attempt);
  if (!names_.insert(reserved_name(config, sandbox->config.metadata)).second) return;
  make_instance(cri::ContainerId(new_id()), sandbox->id, config, old->pod_uid);
}

std::optional<Error> SimulatedRuntime::may_start(const cri::ContainerId& id) {
  auto* instance = find_instance(id.str());
  if (instance == nullptr) return missing("container " + id.str());
  if (instance->starting || instance->started || instance->exited) {
    return Error{ErrorCode::kUnknown, "the container is not in state CREATED"};
  }
  instance->starting = true;
  return std::nullopt;
}

cri::Call<cri::Done> SimulatedRuntime::start_container(Context context, cri::ContainerId id) {
  auto* known = find_instance(id.str());
  const auto now = clock_.steady_now();
  if (known != nullptr && !known->started) {
    if (!known->starting) known->start_called = now;
    witness_.start_called(*known);
  }
  Order<cri::Done> order{.what = "StartContainer " + called(known),
                         .duration = latencies_.start,
                         .limit = latencies_.request_timeout};
  order.begin = [this, id](const FlightPtr&) { return may_start(id); };
  order.undo = [this, id] {
    if (auto* instance = find_instance(id.str())) instance->starting = false;
  };
  order.finish = [this, id] { return start_now(id); };
  return fly(std::move(context), std::move(order));
}

Result<cri::Done> SimulatedRuntime::start_now(const cri::ContainerId& id) {
  auto* instance = find_instance(id.str());
  if (instance == nullptr) return fail(missing("container " + id.str()));
  instance->starting = false;
  const auto* sandbox = find_sandbox(instance->sandbox.str());
  if (sandbox == nullptr || sandbox->died || random_.chance(faults_.start_error)) {
    exit_now(*instance, 128, "StartError", Nanoseconds{});
    return fail(ErrorCode::kUnknown, "failed to create containerd task");
  }
  instance->started = clock_.steady_now();
  instance->started_at = unix_now();
  say(called(*instance) + " runs");
  witness_.started(*instance);
  emit(cri::EventType::kStarted, id.str());
  run_program(*instance);
  return cri::Done{};
}

void SimulatedRuntime::run_program(Instance& instance) {
  const auto& program = instance.program;
  const auto attempt = instance.config.metadata.attempt;
  if (!program.ends(attempt)) return;
  const auto code = program.code(attempt);
  if (code == program.exit_code && program.out_of_memory) {
    after(*program.ends_after, [this, &instance] {
      if (!instance.live()) return;
      emit(cri::EventType::kOutOfMemory, instance.id.str());
      exit_now(instance, 137, "OOMKilled", draw(latencies_.exit_shown));
    });
  } else {
    exit_after(instance, *program.ends_after, code, code == 0 ? "Completed" : "Error");
  }
}

void SimulatedRuntime::container_ends(const cri::ContainerId& id, std::int32_t code) {
  auto* instance = find_instance(id.str());
  if (instance == nullptr || !instance->live()) return;
  exit_now(*instance, code, code == 0 ? "Completed" : "Error", draw(latencies_.exit_shown));
}

void SimulatedRuntime::lose_sight_of(const cri::ContainerId& id) {
  auto* instance = find_instance(id.str());
  if (instance == nullptr || !instance->live()) return;
  instance->sight_lost = true;
  instance->first_kill = clock_.steady_now();
  record_exit(*instance, 255, "Unknown", SteadyTime::max());
}

void SimulatedRuntime::clean_up_unknown(Instance& instance) {
  instance.exit_shown = clock_.steady_now();
  instance.finished_at = unix_now();
  emit(cri::EventType::kStopped, instance.id.str(), instance.exit_code);
}

void SimulatedRuntime::refuse_stop(const cri::ContainerId& id, bool refuses) {
  if (auto* instance = find_instance(id.str())) instance->refuses_stop = refuses;
}

void SimulatedRuntime::records_vanish(const std::string& pod_uid) {
  std::vector<cri::SandboxId> gone;
  for (const auto& sandbox : sandboxes_)
    if (sandbox.config.metadata.uid == pod_uid && sandbox.died && !sandbox.removed)
      gone.push_back(sandbox.id);
  for (const auto& id : gone) (void)drop_sandbox(id);
}

void SimulatedRuntime::empty_cgroup(const std::string& pod_uid) {
  for (auto& instance : instances_) {
    if (instance.pod_uid == pod_uid && instance.live()) {
      send_kill(instance, KillCause::kCgroupCleanup, Nanoseconds{});
    }
  }
}

std::optional<Error> SimulatedRuntime::begin_stop(const FlightPtr& flight,
                                                  const cri::ContainerId& id,
                                                  std::chrono::seconds timeout) {
  auto* instance = find_instance(id.str());
  if (instance == nullptr) {
    if (faults_.missing_is_error) return missing("container " + id.str());
    after({}, [this, flight] { complete(flight); });
    return std::nullopt;
  }
  if (instance->sight_lost && !shows_exit(*instance)) {
    after(draw(latencies_.dying), [this, flight, instance] {
      if (!shows_exit(*instance)) clean_up_unknown(*instance);
      complete(flight);
    });
    return std::nullopt;
  }
  if (!instance->live() && (!instance->exited || shows_exit(*instance))) {
    after({}, [this, flight] { complete(flight); });  // not running: nothing to stop
    return std::nullopt;
  }
  if (instance->live() && instance->refuses_stop) {
    instance->last_refused = clock_.steady_now();
    return Error{ErrorCode::kUnknown, "failed to kill the container: context deadline exceeded"};
  }
  exit_waiters_[id.str()].push_back(flight);
  if (!instance->live()) return std::nullopt;  // the exit will be shown soon
  if (timeout.count() <= 0) {
    send_kill(*instance, KillCause::kStopTimeout, draw(latencies_.dying));
    return std::nullopt;
  }
  send_term(*instance);
  after(timeout, [this, flight, instance] {
    if (flight->over || !instance->live()) return;
    if (flight->caller_gone && !faults_.stop_goes_on_alone) return;
    send_kill(*instance, KillCause::kStopTimeout, draw(latencies_.dying));
  });
  return std::nullopt;
}

cri::Call<cri::Done> SimulatedRuntime::stop_container(Context context, cri::ContainerId id,
                                                      std::chrono::seconds timeout) {
  auto* known = find_instance(id.str());
  if (known != nullptr) {
    if (!known->first_stop_called) known->first_stop_called = clock_.steady_now();
    known->last_stop_called = clock_.steady_now();
    known->stop_failed = false;
    witness_.stop_called(*known, timeout);
  }
  Order<cri::Done> order{
      .what = fmt::format("StopContainer {} within {} s", called(known), timeout.count()),
      .limit = latencies_.request_timeout + timeout,
      .ends_itself = true};
  order.begin = [this, id, timeout](const FlightPtr& flight) {
    return begin_stop(flight, id, timeout);
  };
  order.finish = [] { return cri::Done{}; };
  auto stopped = co_await fly(std::move(context), std::move(order));
  if (known != nullptr) known->stop_failed = !stopped;
  co_return stopped;
}

void SimulatedRuntime::send_term(Instance& instance) {
  if (instance.first_term) return;  // the runtime remembers that it was sent
  instance.first_term = clock_.steady_now();
  const auto signal = cri::signal_name(instance.config.stop_signal).value_or("SIGTERM");
  say(called(instance) + " gets " + signal.substr(3));
  witness_.terminated(instance);
  if (instance.program.ignores_term || instance.program.obeys != signal) return;
  exit_after(instance, instance.program.term_delay + draw(latencies_.dying),
             instance.program.term_code, instance.program.term_code == 0 ? "Completed" : "Error");
}

void SimulatedRuntime::send_kill(Instance& instance, KillCause cause, Nanoseconds dying) {
  if (!instance.first_kill) instance.first_kill = clock_.steady_now();
  say(called(instance) + " gets KILL");
  witness_.killed(instance, cause);
  if (dying.count() == 0) {
    exit_now(instance, 137, "Error", Nanoseconds{});
  } else {
    exit_after(instance, dying, 137, "Error");
  }
}

void SimulatedRuntime::exit_after(Instance& instance, Nanoseconds delay, std::int32_t code,
                                  std::string reason) {
  after(delay, [this, &instance, code, reason = std::move(reason)] {
    if (instance.live()) exit_now(instance, code, reason, draw(latencies_.exit_shown));
  });
}

void SimulatedRuntime::record_exit(Instance& instance, std::int32_t code, const std::string& reason,
                                   SteadyTime shown) {
  instance.exited = clock_.steady_now();
  instance.exit_shown = shown;
  instance.exit_code = code;
  instance.reason = reason;
  instance.finished_at = unix_now();
  say(fmt::format("{} exits with {}", called(instance), code));
  witness_.exited(instance);
  const auto execs = execs_.extract(instance.id.str());
  if (execs.empty()) return;
  for (const auto& flight : execs.mapped()) complete(flight);
}

void SimulatedRuntime::exit_now(Instance& instance, std::int32_t code, const std::string& reason,
                                Nanoseconds shown_after) {
  record_exit(instance, code, reason, clock_.steady_now() + shown_after);
  emit(cri::EventType::kStopped, instance.id.str(), code);
  after(shown_after, [this, id = instance.id.str()] {
    const auto waiting = exit_waiters_.extract(id);
    if (waiting.empty()) return;
    for (const auto& flight : waiting.mapped()) complete(flight);
  });
}

void SimulatedRuntime::drop_instance(Instance& instance) {
  if (instance.live()) send_kill(instance, KillCause::kRemove, Nanoseconds{});
  instance.removed = clock_.steady_now();
  const auto* sandbox = find_sandbox(instance.sandbox.str());
  if (sandbox != nullptr) names_.erase(reserved_name(instance.config, sandbox->config.metadata));
  known_instances_.erase(instance.id.str());
  emit(cri::EventType::kDeleted, instance.id.str());
}

cri::Call<cri::Done> SimulatedRuntime::remove_container(Context context, cri::ContainerId id) {
  Order<cri::Done> order{.what = "RemoveContainer " + called(find_instance(id.str())),
                         .duration = latencies_.remove,
                         .limit = latencies_.request_timeout};
  order.begin = [this, id](const FlightPtr&) -> std::optional<Error> {
    const auto* instance = find_instance(id.str());
    if (instance == nullptr && faults_.missing_is_error) return missing("container " + id.str());
    if (instance != nullptr && instance->starting) {
      return Error{ErrorCode::kUnknown, "the container is in starting state"};
    }
    return std::nullopt;
  };
  order.finish = [this, id]() -> Result<cri::Done> {
    auto* instance = find_instance(id.str());
    if (instance != nullptr && instance->starting) {
      return fail(ErrorCode::kUnknown, "the container is in starting state");
    }
    if (instance != nullptr) drop_instance(*instance);
    return cri::Done{};
  };
  return fly(std::move(context), std::move(order));
}

}  // namespace berth::simulation
