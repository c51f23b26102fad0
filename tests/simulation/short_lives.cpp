// SPDX-License-Identifier: Apache-2.0

// The lives, one for each family.
#include <utility>

#include "tests/simulation/container_program.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/short_life.hpp"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Words = std::vector<std::string>;

constexpr seconds kTwo{2};
constexpr seconds kThree{3};
constexpr seconds kFour{4};

api::Container container(const std::string& name, Words program,
                         const char* image = "present/app:1") {
  api::Container made;
  made.name = name;
  made.image = image;
  made.imagePullPolicy = "IfNotPresent";
  made.command = std::move(program);
  made.terminationMessagePath = "/dev/termination-log";
  made.terminationMessagePolicy = "File";
  return made;
}

api::Container sidecar(const std::string& name, Words program = {"sim"}) {
  auto made = container(name, std::move(program));
  made.restartPolicy = "Always";
  return made;
}

api::Container with_hooks(api::Container made, std::optional<Hook> post_start,
                          std::optional<Hook> pre_stop) {
  made.lifecycle = api::Lifecycle{};
  const auto handler = [](const Hook& hook) {
    return api::LifecycleHandler{.exec = api::ExecAction{.command = write_hook(hook)}};
  };
  if (post_start) made.lifecycle->postStart = handler(*post_start);
  if (pre_stop) made.lifecycle->preStop = handler(*pre_stop);
  return made;
}

api::Probe probe(const api::Container& of, const char* type, ProbeScript script) {
  const auto words = write_probe({.container = of.name, .type = type, .script = script});
  api::Probe made;
  made.exec = api::ExecAction{.command = {"probe", words}};
  made.periodSeconds = 1;
  made.timeoutSeconds = 1;
  made.successThreshold = 1;
  made.failureThreshold = 1;
  return made;
}

api::Pod pod(std::vector<api::Container> containers, const char* policy = "Always",
             std::vector<api::Container> init = {}) {
  api::Pod made;
  made.kind = "Pod";
  made.apiVersion = "v1";
  made.metadata.name = "pod1";
  made.metadata.namespace_ = "default";
  auto& spec = made.spec;
  spec.restartPolicy = policy;
  spec.dnsPolicy = "ClusterFirst";
  spec.schedulerName = "default-scheduler";
  spec.securityContext = api::PodSecurityContext{};
  spec.enableServiceLinks = true;
  spec.terminationGracePeriodSeconds = 3;
  spec.containers = std::move(containers);
  spec.initContainers = std::move(init);
  return made;
}

api::Pod named(api::Pod made, const char* name) {
  made.metadata.name = name;
  return made;
}

LifeStep write(api::Pod made, Nanoseconds at = {}) {
  return {.at = at, .act = [made](LifeStage& stage) { stage.write(made); }};
}

LifeStep remove(Nanoseconds at, const char* file = "pod1") {
  return {.at = at, .act = [file](LifeStage& stage) { stage.remove(file); }};
}

LifeStep delete_pod(Nanoseconds at, std::optional<seconds> grace = {}) {
  return {.at = at,
          .act = [grace](LifeStage& stage) { stage.delete_pod("pod1", grace); },
          .needs_berthd = true};
}

LifeStep happens(Nanoseconds at, std::function<void(LifeStage&)> act) {
  return {.at = at, .act = std::move(act)};
}

void starts_and_ends(std::vector<ShortLife>& lives) {
  const auto web = pod({container("main", {"sim"})});
  lives.push_back({"a container runs", {write(web)}, kTwo});
  lives.push_back({"a job ends well",
                   {write(pod({container("main", {"sim", "exit=0", "after=200"})}, "Never"))},
                   kTwo});
  lives.push_back({"a job fails",
                   {write(pod({container("main", {"sim", "exit=3", "after=200"})}, "Never"))},
                   kTwo});
  lives.push_back({"two of a pod, one ends before the other",
                   {write(pod({container("main", {"sim", "exit=0", "after=200"}),
                               container("other", {"sim", "exit=1", "after=900"})},
                              "Never"))},
                   kTwo});
  lives.push_back({"two pods", {write(web), write(named(web, "pod2"))}, kTwo});
  lives.push_back(
      {"an image has to be pulled", {write(pod({container("main", {"sim"}, "hub/app:1")}))}, kTwo});
  lives.push_back({"an image cannot be pulled",
                   {write(pod({container("main", {"sim"}, "missing/app:1")}))},
                   seconds(12)});
  auto elsewhere = web;
  elsewhere.spec.nodeSelector["kubernetes.io/hostname"] = "elsewhere";
  lives.push_back({"a pod is refused", {write(elsewhere), remove(seconds(1))}, kTwo});
  auto held = web;
  held.spec.hostUsers = false;
  lives.push_back({"a pod is held", {write(held), remove(seconds(1))}, kTwo});
}

void restarts(std::vector<ShortLife>& lives) {
  lives.push_back({"a crash loop",
                   {write(pod({container("main", {"sim", "exit=1", "after=100"})}))},
                   seconds(13)});
  lives.push_back(
      {"it fails once and then ends well",
       {write(pod({container("main", {"sim", "exit=1", "after=100", "fails=1", "recovers"})},
                  "OnFailure"))},
       kTwo});
  auto ruled = container("main", {"sim", "exit=2", "after=100"});
  ruled.restartPolicy = "Never";
  ruled.restartPolicyRules = {
      {.action = "Restart",
       .exitCodes = api::ContainerRestartRuleOnExitCodes{.operator_ = "In", .values = {2}}}};
  lives.push_back({"a rule restarts it", {write(pod({ruled}, "Never"))}, kTwo});
  lives.push_back({"a container is ended from outside",
                   {write(pod({container("main", {"sim"})})),
                    happens(seconds(1), [](LifeStage& stage) { stage.container_ends("main", 1); })},
                   kTwo});
  lives.push_back({"its sandbox dies",
                   {write(pod({container("main", {"sim"}), container("other", {"sim"})})),
                    happens(seconds(1), [](LifeStage& stage) { stage.sandbox_dies(); })},
                   kThree});
  auto late = pod({container("main", {"sim", "exit=1", "after=300"})});
  late.spec.activeDeadlineSeconds = 1;
  lives.push_back({"its deadline passes", {write(late)}, kThree});
}

void init_containers(std::vector<ShortLife>& lives) {
  const Words brief = {"sim", "exit=0", "after=200"};
  lives.push_back({"init containers come first",
                   {write(pod({container("main", {"sim"})}, "Always",
                              {container("init0", brief), container("init1", brief)}))},
                   kTwo});
  lives.push_back(
      {"an init container fails once",
       {write(pod({container("main", {"sim"})}, "Always",
                  {container("init0", {"sim", "exit=1", "after=100", "fails=1", "recovers"})}))},
       kTwo});
  lives.push_back({"a sidecar, an init container, and a job",
                   {write(pod({container("main", brief)}, "Never",
                              {sidecar("side0"), container("init1", brief), sidecar("side2")}))},
                   kThree});
  lives.push_back({"sidecars of a pod that is removed",
                   {write(pod({container("main", {"sim", "term=300"})}, "Always",
                              {sidecar("side0"), sidecar("side1", {"sim", "term=300"})})),
                    remove(seconds(1))},
                   kThree});
}

void hooks(std::vector<ShortLife>& lives) {
  const Hook start{.kind = HookKind::kPostStart, .takes = milliseconds(400)};
  const Hook failing{.kind = HookKind::kPostStart, .takes = milliseconds(200), .exit_code = 1};
  const Hook stop{.kind = HookKind::kPreStop, .takes = milliseconds(500)};
  const Hook slow{.kind = HookKind::kPreStop, .takes = seconds(10)};
  lives.push_back({"a postStart hook",
                   {write(pod({with_hooks(container("main", {"sim"}), start, {})}))},
                   kTwo});
  lives.push_back({"a postStart hook fails",
                   {write(pod({with_hooks(container("main", {"sim"}), failing, {})}))},
                   kTwo});
  lives.push_back(
      {"a preStop hook",
       {write(pod({with_hooks(container("main", {"sim"}), {}, stop)})), remove(seconds(1))},
       kThree});
  lives.push_back(
      {"a preStop hook that takes too long",
       {write(pod({with_hooks(container("main", {"sim"}), {}, slow)})), remove(seconds(1))},
       seconds(6)});
}

void probes(std::vector<ShortLife>& lives) {
  auto main = container("main", {"sim"});
  main.readinessProbe = probe(main, "readiness", {.up = seconds(2), .down = seconds(2)});
  lives.push_back({"readiness comes and goes", {write(pod({main}))}, seconds(6)});
  main = container("main", {"sim", "term=200"});
  main.livenessProbe = probe(main, "liveness", {.up = seconds(3), .down = seconds(20)});
  lives.push_back({"liveness fails", {write(pod({main}))}, seconds(6)});
  main = container("main", {"sim"});
  main.startupProbe =
      probe(main, "startup", {.up = seconds(60), .down = seconds(2), .shift = seconds(60)});
  main.startupProbe->failureThreshold = 5;
  main.livenessProbe = probe(main, "liveness", {});
  lives.push_back({"startup comes before liveness", {write(pod({main}))}, seconds(5)});
}

void endings(std::vector<ShortLife>& lives) {
  const auto web = pod({container("main", {"sim", "term=200"})});
  const auto stubborn = pod({container("main", {"sim", "term=ignore"})});
  lives.push_back({"its manifest is removed", {write(web), remove(seconds(1))}, kThree});
  lives.push_back({"it ignores TERM", {write(stubborn), remove(seconds(1))}, seconds(6)});
  lives.push_back({"it is deleted and comes again", {write(web), delete_pod(seconds(1))}, kThree});
  lives.push_back({"it is deleted by force",
                   {write(stubborn), delete_pod(seconds(1), seconds(0))},
                   seconds(5)});
  lives.push_back(
      {"a deletion is hurried",
       {write(stubborn), delete_pod(seconds(1)), delete_pod(milliseconds(1500), seconds(1))},
       seconds(5)});
  auto edited = web;
  edited.spec.containers.front().image = "present/app:2";
  lives.push_back({"an edit replaces it", {write(web), write(edited, seconds(1))}, kThree});
  auto pinned = web;
  pinned.metadata.uid = "pinned";
  edited.metadata.uid = "pinned";
  lives.push_back({"an edit replaces it, and its uid stays",
                   {write(pinned), write(edited, seconds(1))},
                   kThree});
  lives.push_back(
      {"it is deleted, and its uid comes again", {write(pinned), delete_pod(seconds(1))}, kThree});
  auto job = pod({container("main", {"sim", "exit=0", "after=100"})}, "Never");
  job.metadata.uid = "pinned";
  auto next = job;
  next.spec.containers.front().command.back() = "after=150";
  lives.push_back({"a job that is over is edited, and its uid stays",
                   {write(job), write(next, seconds(1))},
                   kTwo});
  lives.push_back({"its file is renamed",
                   {write(web), happens(seconds(1),
                                        [web](LifeStage& stage) {
                                          stage.remove("pod1");
                                          stage.write_as("other", web);
                                        })},
                   kThree});
  const Words brief = {"sim", "exit=0", "after=100"};
  lives.push_back({"more have finished than are kept",
                   {write(pod({container("main", brief)}, "Never")),
                    write(named(pod({container("main", brief)}, "Never"), "pod2"))},
                   kTwo,
                   1});
}

void takeovers(std::vector<ShortLife>& lives) {
  const auto web = pod({container("main", {"sim"})});
  auto other = web;
  other.spec.containers.front().image = "present/app:2";
  auto probed = web;
  auto& main = probed.spec.containers.front();
  main.readinessProbe = probe(main, "readiness", {});
  lives.push_back(
      {.name = "a kubelet's pod is taken over",
       .steps = {happens(seconds(1), [](LifeStage& s) { s.container_ends("main", 1); })},
       .lasts = kTwo,
       .taken_over = probed});
  lives.push_back({.name = "a kubelet's pod is taken over and edited",
                   .steps = {write(other, seconds(1))},
                   .lasts = kThree,
                   .taken_over = web});
}

void machine(std::vector<ShortLife>& lives) {
  const auto web = pod({container("main", {"sim"})});
  const auto full = [](bool is) { return [is](LifeStage& stage) { stage.disk_is_full(is); }; };
  const auto down = [](bool is) { return [is](LifeStage& stage) { stage.runtime_is_down(is); }; };
  lives.push_back({"the disk is full when it starts",
                   {happens({}, full(true)), write(web), happens(seconds(1), full(false))},
                   kThree});
  lives.push_back({"the disk is full when it ends",
                   {write(web), happens(seconds(1), full(true)), remove(milliseconds(1100)),
                    happens(kThree, full(false))},
                   seconds(5)});
  lives.push_back({"the runtime goes down",
                   {write(web), happens(milliseconds(150), down(true)), happens(kTwo, down(false))},
                   kFour});
  const auto reboot = [](LifeStage& stage) { stage.machine_reboots(); };
  const auto job = pod({container("main", {"sim", "exit=0", "after=5000"})}, "Never");
  lives.push_back(
      {"the machine reboots",
       {write(web), write(named(job, "pod2")),
        write(named(pod({container("main", {"sim", "exit=0", "after=100"})}, "OnFailure"), "pod3")),
        happens(seconds(1), reboot)},
       kThree});
  lives.push_back({"the machine reboots while a pod ends",
                   {write(pod({container("main", {"sim", "term=ignore"})})), remove(seconds(1)),
                    happens(kTwo, reboot)},
                   kFour});
  lives.push_back(
      {"the state file is lost",
       {write(web), write(named(job, "pod2")),
        happens(seconds(1), [](LifeStage& stage) { stage.state_is_lost(); }), remove(kTwo, "pod2")},
       kThree});
  auto mounted = web;
  mounted.spec.volumes.push_back(
      {.name = "settings",
       .configMap = api::ConfigMapVolumeSource{.name = kSettings, .defaultMode = 0644}});
  mounted.spec.containers.front().volumeMounts.push_back(
      {.name = "settings", .mountPath = "/settings"});
  lives.push_back({"a volume has to wait for its ConfigMap",
                   {write(mounted), happens(seconds(1), [](LifeStage& s) { s.write_settings(); }),
                    happens(kTwo, [](LifeStage& s) { s.write_settings(); })},
                   kThree});
  auto gated = web;
  gated.spec.readinessGates.push_back({.conditionType = kAttached});
  lives.push_back({"a readiness gate opens",
                   {write(gated),
                    {.at = seconds(1),
                     .act = [](LifeStage& s) { s.set_condition("pod1", kAttached, "True"); },
                     .needs_berthd = true}},
                   kTwo});
}

}  // namespace

std::vector<ShortLife> short_lives() {
  std::vector<ShortLife> lives;
  starts_and_ends(lives);
  restarts(lives);
  init_containers(lives);
  hooks(lives);
  probes(lives);
  endings(lives);
  takeovers(lives);
  machine(lives);
  return lives;
}

}  // namespace berth::simulation
