// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/pass_engine.hpp"

#include <algorithm>

#include "lifecycle/decided_starts.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/status/pod_status.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using namespace lifecycle;

constexpr FeatureOptions kFeatures{
    .container_restart_rules = false, .container_stop_signals = false, .static_pod_rules = true};
constexpr Nanoseconds kFirstWindow = std::chrono::seconds{10};

template <class Results>
void keep_probed(Results& results, const PassInput& in,
                 std::optional<api::Probe> api::Container::*probe) {
  std::erase_if(results, [&](const auto& entry) {
    const RuntimeContainer* record = in.runtime.find(entry.first);
    if (record == nullptr || in.runtime.newest(record->name) != record ||
        record->state != cri::ContainerState::kRunning)
      return true;
    const api::Container* spec = find_container(in.pod, record->name);
    if (spec == nullptr) spec = find_init_container(in.pod, record->name);
    return spec == nullptr || !(spec->*probe);
  });
}

}  // namespace

PassEngine::PassEngine(const PassInput& input, Manners manners)
    : in_(input),
      manners_(manners),
      world_(input.runtime),
      probes_(input.probes),
      starts_{.present_images = input.present_images} {
  if (has(Manner::kRenumbers)) renumber(world_);
  if (has(Manner::kResultsNeedProbes)) {
    keep_probed(probes_.liveness, in_, &api::Container::livenessProbe);
    keep_probed(probes_.startup, in_, &api::Container::startupProbe);
  }
  for (const auto* list : {&in_.pod.spec.initContainers, &in_.pod.spec.containers})
    for (const api::Container& container : *list)
      if (in_.in_backoff.contains(container.name))
        backoff_.entries[restart_identity(in_.pod, container).key()] = {.window = kFirstWindow,
                                                                        .last_start = kPassAt};
  for (const Container& container : world_.containers) {
    std::int32_t& next = starts_.next_attempt[container.name];
    next = std::max(next, container.restart_count + 1);
  }
}

Pass predict(const PassInput& input, const Manners& manners) {
  return PassEngine(input, manners).run();
}

json::object answer_of(Pass pass) {
  json::array events;
  for (std::string& line : pass.events) events.emplace_back(std::move(line));
  return {{"calls", std::move(pass.calls)},
          {"results", std::move(pass.results)},
          {"events", std::move(events)},
          {"syncError", ""}};
}

Pass PassEngine::run() {
  look();
  while (turn() && has(Manner::kDecidesAnew) && !over_) look();
  std::ranges::sort(out_.events);
  return std::move(out_);
}

// A container created beside a running one of its name does not count.
RuntimePod PassEngine::counting() const {
  return has(Manner::kCreatedElsewhereIsNothing) ? with_one_running(world_, {}) : world_;
}

// The basis of decisions. The kubelet uses the state at the start of its pass.
void PassEngine::look() {
  seen_ = counting();
  for (Container& container : seen_.containers) {
    const auto mark = marks_.find(container.id.str());
    if (mark != marks_.end() && container.state == cri::ContainerState::kExited)
      container.start_again = mark->second;
  }
}

bool PassEngine::turn() {
  const bool anew = has(Manner::kDecidesAnew);
  if (has(Manner::kDeletedPodsEnd) && in_.pod.metadata.deletionTimestamp) {
    stops_.grace = effective_grace(0, grace_request(in_.pod, std::nullopt)).seconds;
    stops_.for_good = true;
    if (end_pod()) remove_all();
    return false;
  }
  if (has(Manner::kFinishedPodsEnd) && is_over()) {
    if (!std::exchange(stops_.for_good, true)) stops_.failed.clear();
    if (end_pod()) {
      remove_unstarted();
      prune();
    }
    return false;
  }
  const std::size_t calls = out_.calls.size();
  const auto called = [&] { return anew && out_.calls.size() != calls; };
  if (anew && stops_.hold_others) return false;
  if (anew && stops_.of_pod) return kill_pod() || called();
  Actions actions = decide();
  if (anew) filter_refused(actions);
  keep_decided_starts(actions);
  if (actions.create_sandbox) report_sandbox_change(actions);
  sandbox_ = actions.sandbox_id.str();
  if (actions.kill_pod) {
    if (!kill_pod() || called()) return called();
    if (actions.create_sandbox) purge_init_containers();
  } else if (!actions.containers_to_kill.empty()) {
    stops_.hold_others = !kill_listed(actions.containers_to_kill);
    if (stops_.hold_others || anew) return anew;
  }
  if (!actions.create_sandbox || !has(Manner::kRemovesOnce)) prune();
  if (actions.create_sandbox) {
    if (!create_sandbox(actions.attempt)) return false;
    if (has(Manner::kDecidesAnew)) {
      starts_.failed.clear();
      return true;
    }
  } else {
    if (!anew) result("ConfigPodSandbox", sandbox_);
    if (actions.kill_pod && has(Manner::kDecidesAnew)) return false;
    if (end_unknown_predecessors()) return true;
  }
  return start_listed(actions);
}

bool PassEngine::is_over() const {
  const RuntimePod shown = without_unstarted(seen_, false);
  const ActuatedResources actuated = actuated_as_specified(in_.pod);
  const StartErrors none;
  const NodeAddresses addresses;
  const api::PodStatus status = compute_pod_status({.pod = in_.pod,
                                                    .runtime = shown,
                                                    .actuated = actuated,
                                                    .start_errors = none,
                                                    .probes = probes_,
                                                    .addresses = addresses,
                                                    .options = kFeatures});
  return status.phase == kSucceeded || status.phase == kFailed;
}

RuntimePod PassEngine::startable_view() const {
  return has(Manner::kCreatedElsewhereIsNothing) ? without_unstartable(seen_) : seen_;
}

PassEngine::Actions PassEngine::decide() const {
  const RuntimePod runtime = startable_view();
  const ActuatedResources actuated = actuated_as_specified(in_.pod);
  return compute_pod_actions({.pod = in_.pod,
                              .runtime = runtime,
                              .probes = probes_,
                              .actuated = actuated,
                              .options = kFeatures});
}

bool PassEngine::rests(const std::string& name) const {
  return !has(Manner::kRetriesAfterHook) && starts_.hook_failed.contains(name);
}

// A refusal is reported when it is decided; an init container that must end holds back all later
// ones.
void PassEngine::filter_refused(Actions& actions) {
  std::vector<std::size_t> kept;
  for (const std::size_t i : actions.init_containers_to_start) {
    const api::Container& container = in_.pod.spec.initContainers.at(i);
    if (!rests(container.name) &&
        !refused(start_of(container),
                 !actions.create_sandbox || !has(Manner::kForgetsRemovedExits))) {
      kept.push_back(i);
    } else if (!is_sidecar(container)) {
      actions.containers_to_start.clear();
      break;
    }
  }
  actions.init_containers_to_start = std::move(kept);
  std::erase_if(actions.containers_to_start, [this](std::size_t i) {
    const api::Container& container = in_.pod.spec.containers.at(i);
    return rests(container.name) || refused(start_of(container), true);
  });
}

void PassEngine::keep_decided_starts(const Actions& actions) {
  if (!has(Manner::kDecidesAnew)) return;
  Plan plan;
  plan.actions = actions;
  const RuntimePod runtime = startable_view();
  std::erase_if(marks_, [&](const auto& mark) {
    const Container* container = runtime.find(cri::ContainerId(mark.first));
    const auto newest = std::ranges::find_if(runtime.containers, [&](const Container& one) {
      return container != nullptr && one.name == container->name &&
             one.state != cri::ContainerState::kCreated;
    });
    if (container == nullptr || &*newest != container) return true;
    return mark.second == StartAgain::kDecided && container->state != cri::ContainerState::kExited;
  });
  for (const cri::ContainerId& id : decided_starts(in_.pod, runtime, plan))
    marks_.try_emplace(id.str(), StartAgain::kDecided);
}

void PassEngine::report_sandbox_change(const Actions& actions) {
  const bool reported =
      has(Manner::kReportsNetworkChange) ? !seen_.sandboxes.empty() : !actions.sandbox_id.empty();
  if (reported_change_ == actions.attempt) return;
  reported_change_ = actions.attempt;
  if (reported) event("Normal SandboxChanged");
}

bool PassEngine::create_sandbox(std::uint32_t attempt) {
  call({{"op", "RunPodSandbox"}, {"attempt", attempt}});
  const std::string pod = pod_description(in_.pod);
  if (in_.fails.sandbox) {
    event("Warning FailedCreatePodSandBox");
    result("CreatePodSandbox", pod, "CreatePodSandboxError",
           "Failed to create sandbox for pod \"" + pod + "\": network plugin failed");
    return false;
  }
  result("CreatePodSandbox", pod);
  sandbox_ = "new-sandbox";
  if (!has(Manner::kDecidesAnew)) result("ConfigPodSandbox", sandbox_);
  RuntimeSandbox made{
      .id = cri::SandboxId(sandbox_),
      .attempt = attempt,
      .state = cri::SandboxState::kReady,
      .network = in_.pod.spec.hostNetwork ? cri::NamespaceMode::kNode : cri::NamespaceMode::kPod,
      .has_network = true,
      .ip = "10.88.0.9"};
  world_.sandboxes.insert(world_.sandboxes.begin(), std::move(made));
  return true;
}

bool PassEngine::in_spec(const std::string& name) const {
  return is_init(name) || find_container(in_.pod, name) != nullptr;
}

bool PassEngine::is_init(const std::string& name) const {
  return find_init_container(in_.pod, name) != nullptr;
}

PassEngine::Container* PassEngine::find(const std::string& id) {
  const auto found = std::ranges::find_if(
      world_.containers, [&](const Container& container) { return container.id.str() == id; });
  return found == world_.containers.end() ? nullptr : &*found;
}

void PassEngine::result(std::string_view action, std::string_view target, std::string_view error,
                        std::string_view message) {
  out_.results.push_back(
      {{"action", action}, {"target", target}, {"error", error}, {"message", message}});
}

}  // namespace berth::conformance
