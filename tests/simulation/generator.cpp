// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/generator.hpp"

#include <utility>
#include <vector>

#include <fmt/core.h>

#include "tests/simulation/container_program.hpp"

namespace berth::simulation {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

enum class Role { kMain, kInit, kSidecar };

void random_term(Random& random, ContainerProgram& program) {
  if (random.chance(200)) {
    program.ignores_term = true;
  } else if (random.chance(300)) {
    program.term_delay = random.between(milliseconds(10), milliseconds(20'000));
  }
  if (random.chance(500)) program.term_code = 0;
}

ContainerProgram random_program(Random& random, Role role) {
  ContainerProgram program;
  random_term(random, program);
  if (role == Role::kInit) {
    program.ends_after = random.between(milliseconds(50), milliseconds(4000));
    if (random.chance(250)) {
      program.exit_code = static_cast<std::int32_t>(random.between(1, 3));
      program.failing_attempts = static_cast<std::uint32_t>(random.between(1, 3));
      program.recovers = true;
    }
    if (random.chance(40)) program.ends_after.reset();
    return program;
  }
  if (random.chance(role == Role::kSidecar ? 700 : 400)) return program;
  program.ends_after = random.between(milliseconds(20), milliseconds(20'000));
  if (random.chance(650)) {
    program.exit_code = static_cast<std::int32_t>(random.between(1, 3));
    program.out_of_memory = random.chance(200);
    if (program.out_of_memory) program.exit_code = 137;
  }
  if (random.chance(400)) {
    program.failing_attempts = static_cast<std::uint32_t>(random.between(1, 4));
    program.recovers = role == Role::kMain && random.chance(500);
    if (program.recovers && random.chance(300))
      program.later_code = static_cast<std::int32_t>(random.between(1, 3));
  }
  return program;
}

std::string random_image(Random& random) {
  static const std::vector<std::string> kKinds = {"present", "present", "present", "present",
                                                  "present", "present", "hub",     "hub",
                                                  "slow",    "flaky",   "missing"};
  auto kind = random.pick(kKinds);
  if (kind == "missing" && random.chance(500)) kind = "present";
  return fmt::format("{}/app{}:1", kind, random.between(1, 3));
}

std::optional<api::LifecycleHandler> random_hook(Random& random, HookKind kind) {
  if (random.chance(500)) return std::nullopt;
  api::LifecycleHandler handler;
  if (random.chance(100)) {
    handler.sleep = api::SleepAction{.seconds = random.between(0, 1)};
  } else if (random.chance(100)) {
    handler.httpGet = api::HTTPGetAction{.path = "/",
                                         .port = api::IntOrString(80),
                                         .host = random.chance(300) ? "refused" : "there",
                                         .scheme = "HTTP"};
  } else {
    Hook hook{.kind = kind, .takes = random.between(milliseconds(1), milliseconds(3000))};
    if (random.chance(100)) hook.takes = std::chrono::seconds(random.between(10, 60));
    // A hook that never returns; as a postStart hook it delays the end of its pod as well.
    if (random.chance(kind == HookKind::kPreStop ? 100 : 40)) hook.takes = kNeverReturns;
    if (random.chance(200)) hook.exit_code = 1;
    handler.exec = api::ExecAction{.command = write_hook(hook)};
  }
  return handler;
}

void random_hooks(Random& random, api::Container& container) {
  if (random.chance(850)) return;
  api::Lifecycle hooks{.postStart = random_hook(random, HookKind::kPostStart),
                       .preStop = random_hook(random, HookKind::kPreStop)};
  if (hooks.postStart || hooks.preStop) container.lifecycle = std::move(hooks);
}

// Most targets are well for long and badly for a while, or the other way round.
ProbeScript random_script(Random& random) {
  ProbeScript script{.up = random.between(seconds(3), seconds(60)),
                     .shift = random.between(seconds(0), seconds(60)),
                     .takes = random.between(milliseconds(1), milliseconds(300)),
                     .stalls = random.chance(300)};
  if (random.chance(600)) script.down = random.between(milliseconds(500), milliseconds(9000));
  if (random.chance(100)) script.takes = random.between(milliseconds(900), milliseconds(2500));
  return script;
}

void ask_for(Random& random, api::Probe& probe, const ProbeWords& words, bool by_address) {
  if (!by_address || random.chance(400)) {
    probe.exec = api::ExecAction{.command = {"probe", write_probe(words)}};
  } else if (random.chance(250)) {
    probe.tcpSocket =
        api::TCPSocketAction{.port = api::IntOrString(write_probe_port(fit_for_port(words)))};
  } else if (random.chance(250)) {
    probe.grpc = api::GRPCAction{.port = 80, .service = write_probe(words)};
  } else {
    probe.httpGet = api::HTTPGetAction{
        .path = "/probe/" + write_probe(words), .port = api::IntOrString(80), .scheme = "HTTP"};
  }
}

std::optional<api::Probe> random_probe(Random& random, const std::string& container,
                                       const char* type, bool by_address) {
  if (random.chance(400)) return std::nullopt;
  api::Probe probe;
  auto script = random_script(random);
  // A startup probe has to succeed within its time.
  if (type == std::string_view("startup")) script.takes = milliseconds(5);
  ask_for(random, probe, {.container = container, .type = type, .script = script}, by_address);
  if (random.chance(200)) probe.initialDelaySeconds = static_cast<int>(random.between(1, 8));
  probe.periodSeconds = static_cast<int>(random.between(1, 5));
  probe.timeoutSeconds = static_cast<int>(random.between(1, 2));
  probe.successThreshold = 1;
  probe.failureThreshold = static_cast<int>(random.between(1, 4));
  return probe;
}

void random_probes(Random& random, const api::PodSpec& spec, api::Container& container) {
  if (random.chance(750)) return;
  const bool by_address = !spec.hostNetwork;
  container.startupProbe = random_probe(random, container.name, "startup", by_address);
  container.readinessProbe = random_probe(random, container.name, "readiness", by_address);
  if (container.readinessProbe && random.chance(300))
    container.readinessProbe->successThreshold = 2;
  container.livenessProbe = random_probe(random, container.name, "liveness", by_address);
  if (container.livenessProbe && random.chance(300))
    container.livenessProbe->terminationGracePeriodSeconds = random.between(1, 10);
}

api::ContainerRestartRule random_rule(Random& random) {
  api::ContainerRestartRuleOnExitCodes codes{.operator_ = random.chance(700) ? "In" : "NotIn"};
  for (const std::int32_t code : {0, 1, 2, 3, 137, 143})
    if (random.chance(350)) codes.values.push_back(code);
  if (codes.values.empty()) codes.values.push_back(2);
  return {.action = "Restart", .exitCodes = std::move(codes)};
}

// The container's own restart policy. For an init container Always means something else.
void random_restarts(Random& random, Role role, api::Container& container) {
  if (role == Role::kSidecar) {
    container.restartPolicy = "Always";
    return;
  }
  if (random.chance(850)) return;
  static const std::vector<std::string> kPolicies = {"Never", "OnFailure", "Always"};
  container.restartPolicy = random.pick(kPolicies);
  if (role == Role::kInit && container.restartPolicy == "Always") container.restartPolicy = "Never";
  if (random.chance(300)) return;
  for (auto rules = random.between(1, 2); rules > 0; --rules)
    container.restartPolicyRules.push_back(random_rule(random));
}

void random_stop_signal(Random& random, api::PodSpec& spec, api::Container& container) {
  if (random.chance(920)) return;
  static const std::vector<std::string> kSignals = {"SIGINT", "SIGUSR1", "SIGRTMIN+3", "SIGTERM"};
  if (!container.lifecycle) container.lifecycle = api::Lifecycle{};
  container.lifecycle->stopSignal = random.pick(kSignals);
  spec.os = api::PodOS{.name = "linux"};
  auto program = read_program(container.command);
  program.obeys = *container.lifecycle->stopSignal;
  container.command = write_program(program);
}

// Conditions that a client has to set before the pod is ready.
void random_gates(Random& random, api::PodSpec& spec) {
  if (random.chance(800)) return;
  spec.readinessGates.push_back({.conditionType = kAttached});
  if (random.chance(300)) spec.readinessGates.push_back({.conditionType = kListed});
}

api::Container random_container(Random& random, Role role, const std::string& name) {
  api::Container container;
  container.name = name;
  container.image = random_image(random);
  container.command = write_program(random_program(random, role));
  container.terminationMessagePath = "/dev/termination-log";
  container.terminationMessagePolicy = "File";
  container.imagePullPolicy = random.chance(800) ? "IfNotPresent" : "Always";
  if (random.chance(50)) container.imagePullPolicy = "Never";
  random_restarts(random, role, container);
  if (role != Role::kInit) random_hooks(random, container);
  return container;
}

void random_init_containers(Random& random, api::PodSpec& spec) {
  if (random.chance(500)) return;
  const auto count = random.between(1, 3);
  for (std::int64_t i = 0; i < count; ++i) {
    const bool sidecar = random.chance(500);
    spec.initContainers.push_back(
        random_container(random, sidecar ? Role::kSidecar : Role::kInit,
                         fmt::format("{}{}", sidecar ? "side" : "init", i)));
  }
}

// Main containers that end while sidecars keep running: the sidecars have to be stopped one after
// another.
void random_job(Random& random, api::PodSpec& spec) {
  spec.restartPolicy = random.chance(500) ? "Never" : "OnFailure";
  spec.initContainers.clear();
  spec.containers.clear();
  const auto sidecars = random.between(2, 3);
  for (std::int64_t i = 0; i < sidecars; ++i) {
    auto sidecar = random_container(random, Role::kSidecar, fmt::format("side{}", i));
    ContainerProgram program;
    random_term(random, program);
    sidecar.command = write_program(program);
    spec.initContainers.push_back(std::move(sidecar));
  }
  auto main = random_container(random, Role::kMain, "main0");
  ContainerProgram program;
  program.ends_after = random.between(milliseconds(20), milliseconds(8000));
  if (random.chance(300)) program.exit_code = 1;
  main.command = write_program(program);
  spec.containers.push_back(std::move(main));
}

// Resources that the node does not have enough of for all pods.
void random_needs(Random& random, api::PodSpec& spec) {
  auto& container = spec.containers.front();
  if (random.chance(250))
    container.resources.requests["cpu"] = api::Quantity::from_int(random.between(1, 3));
  else if (!spec.nodeName.empty())  // it seldom finds room
    container.resources.requests["cpu"] = api::Quantity::from_int(4);
  if (random.chance(150)) container.ports.push_back({.hostPort = 8080, .containerPort = 8080});
}

// Which pods it may run beside, and on what kind of node.
void random_company(Random& random, api::Pod& pod) {
  static const std::vector<std::string> kGroups = {"a", "b"};
  if (random.chance(300)) pod.metadata.labels[kGroupLabel] = random.pick(kGroups);
  if (random.chance(700))
    pod.spec.tolerations.push_back({.key = kTaint, .operator_ = "Exists", .effect = "NoSchedule"});
  if (random.chance(880)) return;
  api::PodAffinityTerm term{.topologyKey = "kubernetes.io/hostname"};
  term.labelSelector = api::LabelSelector{.matchLabels = {{kGroupLabel, random.pick(kGroups)}}};
  pod.spec.affinity = api::Affinity{.podAntiAffinity = api::PodAntiAffinity{}};
  pod.spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution = {term};
}

// The simulated host produces the machine's own failures with volumes; the ConfigMap is created,
// changed and deleted at random (simulated_node_acts.cpp).
void random_volumes(Random& random, api::PodSpec& spec) {
  if (random.chance(600)) return;
  auto& container = spec.containers.front();
  spec.volumes.push_back({.name = "scratch", .emptyDir = api::EmptyDirVolumeSource{}});
  api::VolumeMount mount{.name = "scratch", .mountPath = "/scratch"};
  if (random.chance(300)) mount.subPath = "part";
  container.volumeMounts.push_back(std::move(mount));
  if (random.chance(300)) return;
  const bool secret = random.chance(400);
  const bool optional = random.chance(500);
  api::Volume volume{.name = "settings"};
  if (secret)
    volume.secret =
        api::SecretVolumeSource{.secretName = kSettings, .defaultMode = 0600, .optional = optional};
  else
    volume.configMap =
        api::ConfigMapVolumeSource{.name = kSettings, .defaultMode = 0644, .optional = optional};
  spec.volumes.push_back(std::move(volume));
  container.volumeMounts.push_back({.name = "settings", .mountPath = "/settings"});
  if (random.chance(700)) return;
  if (secret)
    container.envFrom.push_back({.secretRef = api::SecretEnvSource{.name = kSettings}});
  else
    container.envFrom.push_back({.configMapRef = api::ConfigMapEnvSource{.name = kSettings}});
}

}  // namespace

api::Pod random_pod(Random& random, const std::string& name) {
  api::Pod pod;
  pod.kind = "Pod";
  pod.apiVersion = "v1";
  pod.metadata.name = name;
  pod.metadata.namespace_ = "default";
  pod.metadata.labels["app"] = name;
  auto& spec = pod.spec;
  static const std::vector<std::string> kPolicies = {"Always", "Always", "OnFailure", "Never"};
  spec.restartPolicy = random.pick(kPolicies);
  spec.dnsPolicy = "ClusterFirst";
  spec.schedulerName = "default-scheduler";
  spec.securityContext = api::PodSecurityContext{};
  spec.enableServiceLinks = true;
  static const std::vector<std::int64_t> kGraces = {0, 1, 2, 5, 10, 30};
  spec.terminationGracePeriodSeconds = random.pick(kGraces);
  if (random.chance(100)) spec.activeDeadlineSeconds = random.between(3, 60);
  if (random.chance(100)) spec.hostNetwork = true;
  static const std::vector<std::string> kClasses = {kHighClass, kLowClass, kLowClass,
                                                    "system-node-critical"};
  if (random.chance(300)) spec.priorityClassName = random.pick(kClasses);
  // The node has to run it, and preempts others for it.
  if (spec.priorityClassName == kClasses.back() && random.chance(700)) spec.nodeName = kNodeName;
  // This is another node's name: refused at admission.
  if (random.chance(40)) spec.nodeSelector["kubernetes.io/hostname"] = "elsewhere";
  // The node's zone changes while berthd is down: admitted pods stay admitted, and refused ones
  // refused.
  if (random.chance(150)) spec.nodeSelector[kZoneLabel] = random.chance(500) ? "a" : "b";
  random_init_containers(random, spec);
  const auto count = random.between(1, 3);
  for (std::int64_t i = 0; i < count; ++i) {
    spec.containers.push_back(random_container(random, Role::kMain, fmt::format("main{}", i)));
  }
  if (random.chance(80)) random_job(random, spec);
  random_needs(random, spec);
  random_volumes(random, spec);
  for (auto& container : spec.containers) random_probes(random, spec, container);
  for (auto& container : spec.initContainers)
    if (container.restartPolicy == "Always") random_probes(random, spec, container);
  for (auto& container : spec.containers) random_stop_signal(random, spec, container);
  for (auto& container : spec.initContainers) random_stop_signal(random, spec, container);
  random_gates(random, spec);
  random_company(random, pod);
  // Not supported here: the pod is held.
  if (random.chance(40)) spec.hostUsers = false;
  return pod;
}

api::Pod random_takeover(Random& random, const std::string& name) {
  auto pod = random_pod(random, name);
  auto& spec = pod.spec;
  spec.initContainers.clear();
  spec.volumes.clear();
  spec.nodeSelector.clear();
  spec.affinity.reset();
  spec.hostUsers.reset();
  spec.activeDeadlineSeconds.reset();
  spec.terminationGracePeriodSeconds = random.between(2, 10);  // a sleeping hook has to fit
  for (auto& container : spec.containers) {
    container.image = fmt::format("present/app{}:1", random.between(1, 3));
    container.volumeMounts.clear();
    container.envFrom.clear();
  }
  return pod;
}

api::Pod edited(Random& random, const api::Pod& pod) {
  auto changed = pod;
  auto& container = changed.spec.containers.front();
  switch (random.between(0, 3)) {
    case 0:
      container.image = random_image(random);
      break;
    case 1:
      container.command = write_program(random_program(random, Role::kMain));
      break;
    case 2:
      changed.spec.terminationGracePeriodSeconds = random.between(1, 10);
      break;
    default:
      changed = random_pod(random, pod.metadata.name);
      changed.metadata.uid = pod.metadata.uid;
  }
  return changed;
}

RuntimeFaults friendly_faults(Random& random) {
  RuntimeFaults faults;
  faults.shuffled_lists = true;
  faults.missing_is_error = random.chance(500);
  faults.stop_goes_on_alone = random.chance(500);
  return faults;
}

RuntimeFaults random_faults(Random& random) {
  RuntimeFaults faults = friendly_faults(random);
  if (random.chance(300)) return faults;
  const int ceiling = random.chance(300) ? 120 : 30;
  const auto some = [&] {
    return random.chance(500) ? static_cast<int>(random.between(0, ceiling)) : 0;
  };
  faults.refused = some();
  faults.failed_before = some();
  faults.failed_after = some();
  faults.answer_lost = some();
  faults.stalled = some();
  faults.start_error = some();
  faults.pull_failed = some();
  faults.event_lost = some() * 3;
  faults.event_doubled = some() * 3;
  faults.event_late = some() * 3;
  return faults;
}

RuntimeLatencies random_latencies(Random& random) {
  RuntimeLatencies latencies;
  latencies.transport = {microseconds(50), milliseconds(2)};
  latencies.query = {microseconds(200), milliseconds(10)};
  latencies.run_sandbox = {milliseconds(50), milliseconds(400)};
  latencies.create = {milliseconds(5), milliseconds(80)};
  latencies.start = {milliseconds(10), milliseconds(150)};
  latencies.stop_sandbox = {milliseconds(10), milliseconds(150)};
  latencies.remove = {milliseconds(3), milliseconds(60)};
  latencies.pull = {milliseconds(100), milliseconds(2000)};
  latencies.slow_pull = {seconds(5), seconds(30)};
  latencies.dying = {milliseconds(1), milliseconds(30)};
  latencies.event = {Nanoseconds{}, milliseconds(5)};
  latencies.exit_shown = {milliseconds(30), milliseconds(200)};
  latencies.request_timeout = seconds(random.between(5, 20));
  return latencies;
}

}  // namespace berth::simulation
