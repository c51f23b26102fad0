// SPDX-License-Identifier: Apache-2.0

// The doctor's findings about a machine, one by one.
#include "agent/doctor/doctor_machine.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "agent/doctor/doctor_others.hpp"

namespace berth::agent {
namespace {

constexpr std::uint64_t kEveryCapability = 0x1ffffffffff;
constexpr std::uint64_t kSysAdmin = std::uint64_t{1} << 21U;
constexpr std::uint64_t kSysResource = std::uint64_t{1} << 24U;
constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

FileSystemFacts half_full(const char* path, const char* device) {
  return {.path = path,
          .device = device,
          .reading = {
              .available = 50 * kGiB, .capacity = 100 * kGiB, .inodes_free = 500, .inodes = 1000}};
}

MachineFacts good_machine() {
  return {.kernel = "6.1.0-21-amd64",
          .cgroups = {.layout = CgroupLayout::kV2,
                      .mount = "/sys/fs/cgroup",
                      .controllers = {"cpu", "cpuset", "hugetlb", "io", "memory", "pids"}},
          .counts_stalls = true,
          .capabilities = kEveryCapability,
          .granted = kEveryCapability,
          .clock = {.now = WallTime(std::chrono::sys_days(std::chrono::year{2026} / 11 / 25)),
                    .synchronised = true},
          .swap = 0,
          .disks = {.root = half_full("/var/lib/berth", "8:1"),
                    .images = half_full("/var/lib/containerd", "8:2"),
                    .logs = half_full("/var/log/pods", "8:3")}};
}

struct Case {
  const char* name;
  std::function<void(MachineFacts&, Settings&, cri::RuntimeSetup&)> change;
  Severity severity;
  const char* subject;
  const char* text;
  const char* advice;
};

std::vector<Finding> examine(const Case& of) {
  Settings settings;
  settings.http.port = 10255;
  settings.eviction.config.thresholds = {
      {.signal = eviction::Signal::kNodeFsAvailable, .value = eviction::Share{0.1F}},
      {.signal = eviction::Signal::kNodeFsInodesFree, .value = eviction::Share{0.05F}},
      {.signal = eviction::Signal::kImageFsAvailable, .value = eviction::Share{0.15F}},
      {.signal = eviction::Signal::kImageFsInodesFree, .value = eviction::Share{0.05F}},
      {.signal = eviction::Signal::kNodeFsAvailable,
       .value = eviction::Share{0.6F},
       .grace_period = std::chrono::minutes(5)}};
  MachineFacts facts = good_machine();
  RuntimeLook runtime;
  of.change(facts, settings, runtime.setup);
  const ManifestReport report{.path = "/m", .exists = true};
  return examine_machine({.settings = settings,
                          .machine = std::move(facts),
                          .runtime = std::move(runtime),
                          .manifests = report});
}

using Facts = MachineFacts;
using Runtime = cri::RuntimeSetup;

const std::vector<Case> kKernelCases = {
    {"an old kernel", [](Facts& facts, Settings&, Runtime&) { facts.kernel = "5.4.0-150-generic"; },
     Severity::kTrouble, "Linux 5.4.0-150-generic",
     "is older than 5.6: no pod with a volume can be started", "boot a newer kernel"},
    {"no cgroups",
     [](Facts& facts, Settings&, Runtime&) { facts.cgroups = {.mount = "/sys/fs/cgroup"}; },
     Severity::kTrouble, "/sys/fs/cgroup",
     "no control groups are mounted here: no pod can be started",
     "mount them; where they are mounted elsewhere, set cgroupMount"},
    {"no memory controller",
     [](Facts& facts, Settings&, Runtime&) { facts.cgroups.controllers.erase("memory"); },
     Severity::kTrouble, "/sys/fs/cgroup",
     "the memory controller is off: memory limits have no effect, and no pod's memory can be "
     "measured",
     "add cgroup_enable=memory to the kernel's command line (Raspberry Pi OS: "
     "/boot/firmware/cmdline.txt) and reboot"},
    {"no pids controller",
     [](Facts& facts, Settings&, Runtime&) { facts.cgroups.controllers.erase("pids"); },
     Severity::kWarning, "/sys/fs/cgroup", "the pids controller is off: podPidsLimit has no effect",
     "enable it in the kernel or on its command line (cgroup_disable=)"},
    {"version 1",
     [](Facts& facts, Settings&, Runtime&) { facts.cgroups.layout = CgroupLayout::kV1; },
     Severity::kNote, "/sys/fs/cgroup",
     "control groups are version 1, which Kubernetes only maintains: an OOM kill ends one process "
     "of a container, not all of them, and stalls of pods are not counted",
     "boot with systemd.unified_cgroup_hierarchy=1"},
    {"no stalls", [](Facts& facts, Settings&, Runtime&) { facts.counts_stalls = false; },
     Severity::kNote, "/proc/pressure",
     "the kernel has no pressure stall information: a shortage of memory is noticed by "
     "sampling alone",
     "boot with psi=1"},
    {"no stalls, but thresholds on them",
     [](Facts& facts, Settings& settings, Runtime&) {
       facts.counts_stalls = false;
       settings.eviction.config.thresholds.push_back(
           {.signal = eviction::Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.1F}});
     },
     Severity::kWarning, "/proc/pressure",
     "the kernel has no pressure stall information: eviction thresholds on pressure signals "
     "have no effect",
     "boot with psi=1"},
};

const std::vector<Case> kProcessCases = {
    {"not root", [](Facts& facts, Settings&, Runtime&) { facts.capabilities = 0; },
     Severity::kTrouble, "",
     "berthd lacks CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID, CAP_KILL, "
     "CAP_SYS_ADMIN: volumes, logs or cgroups of pods will fail",
     "run it as root, as its unit does"},
    {"one capability missing",
     [](Facts& facts, Settings&, Runtime&) { *facts.capabilities &= ~kSysAdmin; },
     Severity::kTrouble, "",
     "berthd lacks CAP_SYS_ADMIN: volumes, logs or cgroups of pods will fail",
     "run it as root, as its unit does"},
    {"OOM scores that cannot be lowered, by a runtime that tries",
     [](Facts& facts, Settings&, Runtime& setup) {
       *facts.granted &= ~kSysResource;
       setup.restricts_oom_scores = false;
     },
     Severity::kTrouble, "",
     "the machine grants no CAP_SYS_RESOURCE (is it a container?), so containers whose OOM score "
     "has to be lowered do not start unless the runtime does without",
     "write restrict_oom_score_adj = true into /etc/containerd/config.toml"},
    {"OOM scores, by a runtime of which nothing is known",
     [](Facts& facts, Settings&, Runtime&) { *facts.granted &= ~kSysResource; }, Severity::kNote,
     "",
     "the machine grants no CAP_SYS_RESOURCE (is it a container?), so containers whose OOM score "
     "has to be lowered do not start unless the runtime does without",
     "write restrict_oom_score_adj = true into /etc/containerd/config.toml"},
    {"a clock that was never set",
     [](Facts& facts, Settings&, Runtime&) { facts.clock.now = WallTime{}; }, Severity::kTrouble,
     "",
     "the clock says 1970-01-01T00:00:00Z: certificates of registries are refused, and restart "
     "backoff and jobs' deadlines will be wrong when it is set",
     "set it before berthd starts (systemctl enable systemd-time-wait-sync)"},
    {"a clock that nobody keeps",
     [](Facts& facts, Settings&, Runtime&) { facts.clock.synchronised = false; }, Severity::kNote,
     "", "nothing synchronises the clock: event times and deadlines may jump when it is set",
     "install an NTP client (systemd-timesyncd, chrony)"},
    {"a clock of which nothing may be asked",
     [](Facts& facts, Settings&, Runtime&) {
       facts.clock.synchronised.reset();
       facts.clock.refusal = "adjtimex: Operation not permitted";
     },
     Severity::kNote, "",
     "whether anything synchronises the clock cannot be queried here: adjtimex: Operation not "
     "permitted",
     "ask outside of this sandbox or container (timedatectl)"},
    {"swap", [](Facts& facts, Settings&, Runtime&) { facts.swap = kGiB * 3 / 2; }, Severity::kNote,
     "",
     "1.5 GiB of swap: memory.available does not count it, and a kubelet would not start here "
     "unless failSwapOn is false",
     ""},
};

const std::vector<Case> kDisks = {
    {"a root folder in memory",
     [](Facts& facts, Settings&, Runtime&) { facts.disks.root->in_memory = true; }, Severity::kNote,
     "/var/lib/berth",
     "is in memory: after a reboot berthd knows nothing of its pods, and finished jobs run again",
     "set another --root-dir"},
    {"a full disk",
     [](Facts& facts, Settings&, Runtime&) { facts.disks.root->reading.available = 9 * kGiB; },
     Severity::kWarning, "/var/lib/berth",
     "9Gi of 100Gi are available, which is below nodefs.available<10%: pods are evicted and no new "
     "ones admitted",
     "make room, or give it a larger disk"},
    {"a disk without inodes",
     [](Facts& facts, Settings&, Runtime&) { facts.disks.root->reading.inodes_free = 49; },
     Severity::kWarning, "/var/lib/berth",
     "49 of 1k inodes are free, which is below nodefs.inodesFree<5%: pods are evicted and no new "
     "ones admitted",
     "remove many small files, or make the file system with more inodes"},
    {"a full disk of images",
     [](Facts& facts, Settings&, Runtime&) { facts.disks.images->reading.available = 14 * kGiB; },
     Severity::kWarning, "/var/lib/containerd",
     "14Gi of 100Gi are available, which is below imagefs.available<15%: pods are evicted and no "
     "new ones admitted",
     "make room, or give it a larger disk"},
    {"a disk of images without inodes",
     [](Facts& facts, Settings&, Runtime&) { facts.disks.images->reading.inodes_free = 0; },
     Severity::kWarning, "/var/lib/containerd",
     "0 of 1k inodes are free, which is below imagefs.inodesFree<5%: pods are evicted and no new "
     "ones admitted",
     "remove many small files, or make the file system with more inodes"},
    {"a full disk of logs",
     [](Facts& facts, Settings&, Runtime&) { facts.disks.logs->reading.available = 9 * kGiB; },
     Severity::kWarning, "/var/log/pods",
     "9Gi of 100Gi are available, which is below nodefs.available<10%: soon containers cannot "
     "log any more, and berthd evicts no pod for this file system",
     "make room, or keep less of each container (containerLogMaxSize, containerLogMaxFiles)"},
};

const std::vector<Case> kOthers = {
    {"a kubelet",
     [](Facts& facts, Settings&, Runtime&) {
       facts.others = {.kubelets = {{.pid = 812, .name = "kubelet"}},
                       .ports = {{10248, {}}, {10250, {.pid = 812, .name = "kubelet"}}}};
     },
     Severity::kTrouble, "kubelet (pid 812)",
     "a kubelet runs on this machine: two agents of one runtime remove each other's pods",
     "stop it (systemctl disable --now kubelet)"},
    {"k3s, seen to listen",
     [](Facts& facts, Settings&, Runtime&) {
       const ProcessFacts k3s{.pid = 7, .name = "k3s-server"};
       facts.others = {.embedders = {k3s}, .ports = {{10248, k3s}, {10250, k3s}}};
     },
     Severity::kTrouble, "k3s-server (pid 7)",
     "listens on port 10248 and 10250, which are a kubelet's: a kubelet is part of it, and two "
     "agents on one machine remove each other's pods if they share a runtime, and share out the "
     "same memory twice if they do not",
     "stop it (systemctl disable --now k3s)"},
    {"MicroK8s, whose descriptors nobody may look at",
     [](Facts& facts, Settings&, Runtime&) {
       facts.others = {.embedders = {{.pid = 7, .name = "kubelite"}}, .ports = {{10250, {}}}};
     },
     Severity::kTrouble, "kubelite (pid 7)",
     "listens on port 10250, which is a kubelet's: a kubelet is part of it, and two agents on one "
     "machine remove each other's pods if they share a runtime, and share out the same memory "
     "twice if they do not",
     "stop it (snap stop --disable microk8s)"},
    {"a kubelet's port taken by another program",
     [](Facts& facts, Settings&, Runtime&) {
       facts.others.ports = {{10250, {.pid = 7, .name = "hyperkube"}}};
     },
     Severity::kWarning, "hyperkube (pid 7)",
     "listens on port 10250, which is a kubelet's: if it is one under another name, two agents of "
     "one runtime remove each other's pods",
     "stop it if it is; else give it another port, which no tool expects to be a kubelet's"},
    {"a kubelet's port taken by who knows",
     [](Facts& facts, Settings&, Runtime&) {
       facts.others.ports = {{10250, {}}};
     },
     Severity::kNote, "port 10250", "another process listens on it, and it is a kubelet's",
     "see which it is (ss -tlnp 'sport = :10250', as root), and stop it if it is a kubelet"},
    {"a taken port",
     [](Facts& facts, Settings&, Runtime&) {
       facts.http_port_taken = ProcessFacts{.pid = 7, .name = "nginx"};
     },
     Severity::kTrouble, "port 10255",
     "nginx (pid 7) listens on it: berthd's HTTP port cannot be opened",
     "stop that, or set another readOnlyPort"},
    {"a port taken by who knows",
     [](Facts& facts, Settings&, Runtime&) { facts.http_port_taken = ProcessFacts{}; },
     Severity::kTrouble, "port 10255",
     "another process listens on it: berthd's HTTP port cannot be opened",
     "stop that, or set another readOnlyPort"},
};

TEST(DoctorMachine, a_berthd_that_runs_has_its_own_port) {
  MachineFacts facts = good_machine();
  facts.http_port_taken = ProcessFacts{.pid = 7, .name = "berthd"};
  EXPECT_TRUE(examine_others({.port = 10255}, facts).empty());
}

TEST(DoctorMachine, each_problem_has_one_finding_that_says_what_to_do) {
  std::vector<Case> problems = kKernelCases;
  for (const auto* more : {&kProcessCases, &kDisks, &kOthers})
    problems.insert(problems.end(), more->begin(), more->end());
  for (const Case& problem : problems) {
    SCOPED_TRACE(problem.name);
    const auto findings = examine(problem);
    EXPECT_EQ(findings.size(), 1U);
    if (findings.size() != 1) continue;
    const Finding& found = findings[0];
    EXPECT_EQ(found.severity, problem.severity);
    EXPECT_EQ(found.area, "machine");
    EXPECT_EQ(found.subject, problem.subject);
    EXPECT_EQ(found.text, problem.text);
    EXPECT_EQ(found.advice, problem.advice);
  }
}

TEST(DoctorMachine, finds_nothing_on_a_machine_that_is_well) {
  using Change = std::function<void(MachineFacts&, Settings&, cri::RuntimeSetup&)>;
  const std::vector<Change> harmless = {
      [](Facts&, Settings&, Runtime&) {},
      [](Facts& facts, Settings&, Runtime&) { facts.kernel = "5.6.0"; },
      [](Facts& facts, Settings&, Runtime&) { facts.kernel = ""; },
      [](Facts& facts, Settings&, Runtime&) { facts.capabilities.reset(); },
      [](Facts& facts, Settings&, Runtime& setup) {
        *facts.granted &= ~kSysResource;
        setup.restricts_oom_scores = true;
      },
      [](Facts& facts, Settings&, Runtime&) { facts.clock.synchronised.reset(); },
      [](Facts& facts, Settings&, Runtime&) { facts.swap.reset(); },
      [](Facts& facts, Settings&, Runtime&) { facts.disks.root->reading.available = 11 * kGiB; },
      [](Facts& facts, Settings&, Runtime&) { facts.disks.root->reading = {}; },
      [](Facts& facts, Settings&, Runtime&) { facts.disks = {}; },
      // The logs share the images' disk, so they have no finding of their own.
      [](Facts& facts, Settings&, Runtime&) {
        facts.disks.logs->reading.available = 0;
        facts.disks.logs->device = facts.disks.images->device;
      },
      // A k3s server without its agent.
      [](Facts& facts, Settings&, Runtime&) {
        facts.others.embedders = {{.pid = 7, .name = "k3s-server"}};
      },
      // The port belongs to berthd itself.
      [](Facts& facts, Settings& settings, Runtime&) {
        settings.http.port = 10250;
        facts.others.ports = {{10250, {.pid = 7, .name = "berthd"}}};
      },
  };
  for (const Change& change : harmless) {
    const auto findings = examine({.name = "", .change = change});
    EXPECT_TRUE(findings.empty()) << findings[0].text;
  }
}

}  // namespace
}  // namespace berth::agent
