// SPDX-License-Identifier: Apache-2.0

// The pod's state machine: pod_actions, pod_phase, pod_conditions, container_status, pod_status,
// backoff, grace_period, grace_period_container, termination_order.
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/codec.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/termination_order.hpp"
#include "node/qos.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/lifecycle_input.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using namespace lifecycle_input;

// As recorded: the default gates of Kubernetes 1.34, with its rules for static pods.
constexpr lifecycle::FeatureOptions kOptions{
    .container_restart_rules = false, .container_stop_signals = false, .static_pod_rules = true};

// The recorded pods have no container restart policies or rules, nor stop signals, so the features
// for them must change nothing. Returns the answer with the features off.
template <class Decide>
json::value with_and_without_features(const Decide& decide) {
  const json::value without = decide(kOptions);
  if (decide(lifecycle::FeatureOptions{.static_pod_rules = true}) != without)
    throw std::runtime_error("a feature changes a pod that does not ask for it");
  return without;
}

template <class T>
json::array encoded(const std::vector<T>& items) {
  json::array out;
  for (const T& item : items) out.push_back(api::to_json(item));
  return out;
}

json::array indexes(const std::vector<std::size_t>& items) {
  json::array out;
  for (const std::size_t item : items) out.push_back(json::value(item));
  return out;
}

json::object amounts(const lifecycle::ResourceAmounts& in) {
  return {{"cpuRequestMilli", in.cpu_request_milli},
          {"cpuLimitMilli", in.cpu_limit_milli},
          {"memoryRequestBytes", in.memory_request_bytes},
          {"memoryLimitBytes", in.memory_limit_bytes}};
}

json::array updates(const std::vector<lifecycle::ContainerUpdate>& in) {
  json::array out;
  for (const lifecycle::ContainerUpdate& update : in) {
    out.push_back(json::object{{"name", update.name},
                               {"id", update.id.str()},
                               {"desired", amounts(update.desired)},
                               {"current", amounts(update.current)}});
  }
  return out;
}

json::array kills(const std::vector<lifecycle::ContainerKill>& in) {
  json::array out;
  for (const lifecycle::ContainerKill& kill : in) {
    out.push_back(json::object{{"id", kill.id.str()},
                               {"name", kill.name},
                               {"reason", to_string(kill.reason)},
                               {"message", kill.message}});
  }
  return out;
}

json::value actions_as_recorded(const lifecycle::PodActions& out) {
  return json::object{{"killPod", out.kill_pod},
                      {"createSandbox", out.create_sandbox},
                      {"attempt", out.attempt},
                      {"sandboxId", out.sandbox_id.str()},
                      {"initContainersToStart", indexes(out.init_containers_to_start)},
                      {"containersToStart", indexes(out.containers_to_start)},
                      {"ephemeralContainersToStart", indexes(out.ephemeral_containers_to_start)},
                      {"containersToKill", kills(out.containers_to_kill)},
                      {"containersToUpdateCpu", updates(out.containers_to_update_cpu)},
                      {"containersToUpdateMemory", updates(out.containers_to_update_memory)},
                      {"updatePodResources", out.update_pod_resources}};
}

// berthd calls the same function, except for containers that can never start.
constexpr std::size_t kUnstartableCases = 3;
std::size_t unstartable_cases = 0;

json::value run_pod_actions(const json::object& input) {
  const auto pod = decoded<api::Pod>(input, "pod");
  const auto shown = runtime(input);
  const auto probes = probe_results(input);
  const auto applied = actuated(input);
  const auto decide = [&](const lifecycle::RuntimePod& runtime) {
    return with_and_without_features([&](const lifecycle::FeatureOptions& options) {
      return actions_as_recorded(lifecycle::compute_pod_actions({.pod = pod,
                                                                 .runtime = runtime,
                                                                 .probes = probes,
                                                                 .actuated = applied,
                                                                 .options = options}));
    });
  };
  json::value decided = decide(shown);
  if (decide(lifecycle::without_unstartable(shown)) != decided) ++unstartable_cases;
  return decided;
}

bool report_pod_actions(std::ostream& out, bool own_cases) {
  const std::size_t found = std::exchange(unstartable_cases, 0);
  out << "    " << found
      << "  created-elsewhere-is-nothing: what was created in a sandbox that is not ready can "
         "never start; berthd decides without it\n";
  if (!own_cases || found == kUnstartableCases) return true;
  out << "    FAILED: created-elsewhere-is-nothing is to make a difference in " << kUnstartableCases
      << " of these cases, not in " << found << "\n";
  return false;
}

json::value run_pod_phase(const json::object& input) {
  const auto pod = decoded<api::Pod>(input, "pod");
  const auto statuses = decoded_list<api::ContainerStatus>(input, "containerStatuses");
  return with_and_without_features([&](const lifecycle::FeatureOptions& options) -> json::value {
    return json::object{
        {"phase", lifecycle::compute_phase({.pod = pod,
                                            .statuses = statuses,
                                            .pod_is_terminal = flag(input, "podIsTerminal"),
                                            .pod_has_initialized = flag(input, "podHasInitialized"),
                                            .options = options})}};
  });
}

json::value run_pod_conditions(const json::object& input) {
  const auto pod = decoded<api::Pod>(input, "pod");
  const auto statuses = decoded_list<api::ContainerStatus>(input, "containerStatuses");
  const auto gates = decoded_list<api::PodCondition>(input, "conditions");
  const auto boxes = sandboxes(input);
  const std::string phase = text(input, "phase");
  const lifecycle::ConditionInput in{
      .pod = pod,
      .statuses = flag(input, "containerStatusesMissing") ? nullptr : &statuses,
      .phase = phase,
      .sandboxes = boxes,
      .gates = gates};
  return json::object{
      {"readyToStartContainers", api::to_json(lifecycle::ready_to_start_condition(in))},
      {"initialized", api::to_json(lifecycle::initialized_condition(in))},
      {"ready", api::to_json(lifecycle::ready_condition(in))},
      {"containersReady", api::to_json(lifecycle::containers_ready_condition(in))}};
}

// Without a recorded status the agent uses the one in the pod.
api::PodStatus previous_status(const json::object& input, const api::Pod& pod) {
  return input.contains("oldStatus") ? decoded<api::PodStatus>(input, "oldStatus") : pod.status;
}

json::value run_container_status(const json::object& input) {
  const auto pod = decoded<api::Pod>(input, "pod");
  const auto previous = previous_status(input, pod);
  const auto shown = runtime(input);
  const auto applied = actuated(input);
  const auto errors = start_errors(input);
  return with_and_without_features([&](const lifecycle::FeatureOptions& options) -> json::value {
    const auto out = lifecycle::build_container_statuses({.pod = pod,
                                                          .previous = previous,
                                                          .runtime = shown,
                                                          .actuated = applied,
                                                          .start_errors = errors,
                                                          .options = options});
    return json::object{{"containerStatuses", encoded(out.containers)},
                        {"initContainerStatuses", encoded(out.init_containers)},
                        {"ephemeralContainerStatuses", encoded(out.ephemeral_containers)}};
  });
}

json::value run_pod_status(const json::object& input) {
  const auto pod = decoded<api::Pod>(input, "pod");
  const auto previous = previous_status(input, pod);
  const auto shown = runtime(input);
  const auto applied = actuated(input);
  const auto errors = start_errors(input);
  const auto probes = probe_results(input);
  const lifecycle::NodeAddresses addresses{.host_ips = strings(input, "hostIPs"),
                                           .node_ips = strings(input, "nodeIPs")};
  return with_and_without_features([&](const lifecycle::FeatureOptions& options) {
    return api::to_json(lifecycle::compute_pod_status(
        {.pod = pod,
         .previous = &previous,
         .runtime = shown,
         .actuated = applied,
         .start_errors = errors,
         .probes = probes,
         .addresses = addresses,
         .resize_conditions = decoded_list<api::PodCondition>(input, "resizeConditions"),
         .qos_class = std::string(node::to_string(node::qos_class(pod))),
         .pod_is_terminal = flag(input, "podIsTerminal"),
         .options = options}));
  });
}

WallTime wall_milliseconds(std::int64_t milliseconds) {
  return WallTime{std::chrono::milliseconds{milliseconds}};
}

class BackoffRun {
 public:
  explicit BackoffRun(const json::object& input)
      : input_(input),
        policy_{.initial = std::chrono::seconds{number(input, "initialSeconds")},
                .max = std::chrono::seconds{number(input, "maxSeconds")},
                .reset_after = std::chrono::seconds{number(input, "resetAfterSeconds")}} {}

  json::object step(const json::object& in) {
    const WallTime now = wall_milliseconds(number(in, "nowMs"));
    if (text(in, "op") == "gc") {
      history_ = lifecycle::collect_garbage(std::move(history_), policy_, now);
      return outcome({});
    }
    const lifecycle::RestartIdentity identity{
        .pod_name = text(input_, "podName"),
        .pod_namespace = text(input_, "namespace"),
        .pod_uid = text(input_, "uid"),
        .container = text(in, "container"),
        .image = text(in, "image"),
        .resources = decoded<api::ResourceRequirements>(in, "resources")};
    const auto exited_at = lifecycle::last_exit(records(in), identity.container);
    auto verdict = lifecycle::check_restart(history_, policy_, identity, exited_at, now);
    if (!verdict.in_backoff) {
      history_ = lifecycle::record_start(std::move(history_), policy_, identity, exited_at, now);
      verdict.window = lifecycle::check_restart(history_, policy_, identity, exited_at, now).window;
    }
    return outcome(verdict);
  }

 private:
  static lifecycle::RuntimePod records(const json::object& in) {
    lifecycle::RuntimePod out;
    for (const json::value& item : list(in, "statuses")) {
      lifecycle::RuntimeContainer record = container(item.as_object());
      const WallTime finished = wall_milliseconds(number(item.as_object(), "finishedAtMs"));
      record.finished_at = finished.time_since_epoch().count();
      out.containers.push_back(std::move(record));
    }
    return out;
  }

  static json::object outcome(const lifecycle::RestartVerdict& verdict) {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    return {{"inBackOff", verdict.in_backoff},
            {"backoffMs", duration_cast<milliseconds>(verdict.window).count()},
            {"message", verdict.message},
            {"reason", verdict.reason}};
  }

  const json::object& input_;
  lifecycle::RestartBackoffPolicy policy_;
  lifecycle::RestartBackoff history_{};
};

json::value run_backoff(const json::object& input) {
  BackoffRun run(input);
  json::array steps;
  for (const json::value& step : list(input, "steps")) steps.push_back(run.step(step.as_object()));
  return json::object{{"steps", std::move(steps)}};
}

json::value run_grace_period(const json::object& input) {
  json::array steps;
  std::int64_t previous = 0;
  for (const json::value& step : list(input, "steps")) {
    const json::object& in = step.as_object();
    lifecycle::GraceRequest request{
        .deletion_seconds = maybe_number(in, "deletionGracePeriodSeconds"),
        .termination_seconds = maybe_number(in, "terminationGracePeriodSeconds")};
    if (flag(in, "hasKillOptions")) request.override_seconds = maybe_number(in, "override");
    const auto grace = lifecycle::effective_grace(previous, request);
    previous = grace.seconds;
    steps.push_back(json::object{{"gracePeriod", grace.seconds}, {"shortened", grace.shortened}});
  }
  return json::object{{"steps", std::move(steps)}};
}

// What the agent stores on a container when creating it.
cri::StringMap stored_annotations(const api::Pod& pod, const api::Container& container) {
  cri::StringMap out;
  if (pod.spec.terminationGracePeriodSeconds) {
    out[cri::kAnnotationPodTerminationGracePeriod] =
        std::to_string(*pod.spec.terminationGracePeriodSeconds);
  }
  if (pod.metadata.deletionGracePeriodSeconds) {
    out[cri::kAnnotationPodDeletionGracePeriod] =
        std::to_string(*pod.metadata.deletionGracePeriodSeconds);
  }
  if (container.lifecycle && container.lifecycle->preStop) {
    out[cri::kAnnotationPreStopHandler] = api::to_json_text(*container.lifecycle->preStop);
  }
  return out;
}

json::value run_grace_period_container(const json::object& input) {
  const auto pod = decoded<api::Pod>(input, "pod");
  const std::string name = text(input, "container");
  const api::Container* container = lifecycle::find_container(pod, name);
  if (container == nullptr) container = lifecycle::find_init_container(pod, name);
  if (container == nullptr) {
    return json::object{{"error", true},       {"baseGracePeriod", nullptr},
                        {"preStopRun", false}, {"stopTimeout", nullptr},
                        {"eventReason", ""},   {"eventMessage", ""}};
  }

  const auto override_seconds = maybe_number(input, "gracePeriodOverride");
  const auto grace =
      flag(input, "podKnown")
          ? lifecycle::stop_grace(pod, *container, kill_reason(text(input, "reason")),
                                  override_seconds)
          : lifecycle::stop_grace(lifecycle::stored_stop(stored_annotations(pod, *container)),
                                  override_seconds);
  const json::value* seconds = input.if_contains("preStopSeconds");
  const std::chrono::duration<double> hook{
      grace.run_pre_stop && seconds != nullptr ? seconds->to_number<double>() : 0.0};
  const std::string message = text(input, "message");
  return json::object{
      {"error", false},
      {"baseGracePeriod", grace.base_seconds},
      {"preStopRun", grace.run_pre_stop},
      {"stopTimeout",
       lifecycle::stop_timeout_seconds(grace.effective_seconds,
                                       std::chrono::duration_cast<Nanoseconds>(hook), {})},
      {"eventReason", "Killing"},
      {"eventMessage", message.empty() ? lifecycle::default_kill_message(name) : message}};
}

json::value run_termination_order(const json::object& input) {
  const auto pod = decoded<api::Pod>(input, "pod");
  const auto order = lifecycle::termination_order(pod, strings(input, "running"));
  json::object waits;
  for (const auto& [name, others] : order.waits_for) {
    json::array names;
    for (const std::string& other : others) names.emplace_back(other);
    waits[name] = std::move(names);
  }
  return json::object{{"ordered", order.ordered}, {"waitsFor", std::move(waits)}};
}

}  // namespace

std::vector<Kind> lifecycle_kinds() {
  return {{.name = "pod_actions", .run = run_pod_actions, .report = report_pod_actions},
          {.name = "pod_phase", .run = run_pod_phase},
          {.name = "pod_conditions", .run = run_pod_conditions},
          {.name = "container_status", .run = run_container_status},
          {.name = "pod_status", .run = run_pod_status},
          {.name = "backoff", .run = run_backoff},
          {.name = "grace_period", .run = run_grace_period},
          {.name = "grace_period_container", .run = run_grace_period_container},
          {.name = "termination_order", .run = run_termination_order}};
}

}  // namespace berth::conformance
