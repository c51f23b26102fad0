// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_machine.hpp"

#include <linux/capability.h>

#include <array>
#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/time.hpp"
#include "eviction/byte_amount.hpp"
#include "eviction/threshold.hpp"

namespace berth::agent {
namespace {

// openat2(2), without which no volume is opened safely (base/open_beneath).
constexpr std::pair kOldestKernel{5, 6};

// berthd was first released in 2026: an earlier time comes from a clock that was never set.
constexpr std::chrono::sys_days kEarliestTime = std::chrono::year{2026} / 1 / 1;

struct Capability {
  unsigned number = 0;
  const char* name = "";
};

// Those of systemd/berthd.service.in that berthd cannot do without.
constexpr std::array kNeeded = {
    Capability{CAP_CHOWN, "CAP_CHOWN"},   Capability{CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE"},
    Capability{CAP_FOWNER, "CAP_FOWNER"}, Capability{CAP_FSETID, "CAP_FSETID"},
    Capability{CAP_KILL, "CAP_KILL"},     Capability{CAP_SYS_ADMIN, "CAP_SYS_ADMIN"}};

bool has(std::uint64_t capabilities, unsigned number) {
  return ((capabilities >> number) & 1U) != 0;
}

// "6.1.0-21-amd64": 6 and 1; zeros if it reads otherwise.
std::pair<int, int> version_of(std::string_view release) {
  std::pair<int, int> version{0, 0};
  const char* const end = release.data() + release.size();
  const auto major = std::from_chars(release.data(), end, version.first);
  if (major.ec == std::errc{} && major.ptr != end && *major.ptr == '.')
    std::from_chars(major.ptr + 1, end, version.second);
  return version;
}

std::string gibibytes(std::int64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1U << 30U));
}

bool names_stalls(const eviction::EvictionConfig& config) {
  for (const auto& threshold : config.thresholds) {
    if (eviction::traits(threshold.signal).unit == eviction::SignalUnit::kPartsPerMillion)
      return true;
  }
  return false;
}

class MachineExamination {
 public:
  explicit MachineExamination(const DoctorInput& input) : input_(input), facts_(*input.machine) {}

  std::vector<Finding> run() {
    examine_kernel();
    examine_cgroups();
    examine_stalls();
    examine_capabilities();
    examine_clock();
    examine_memory();
    examine_disk();
    examine_others();
    return std::move(findings_);
  }

 private:
  void add(Severity severity, std::string subject, std::string text) {
    findings_.push_back({.severity = severity,
                         .area = "machine",
                         .subject = std::move(subject),
                         .text = std::move(text)});
  }

  void examine_kernel() {
    const auto version = version_of(facts_.kernel);
    if (version == std::pair{0, 0} || version >= kOldestKernel) return;
    add(Severity::kTrouble, "Linux " + facts_.kernel,
        fmt::format("is older than {}.{}: no pod with a volume can be started; boot a newer kernel",
                    kOldestKernel.first, kOldestKernel.second));
  }

  void examine_cgroups() {
    const auto& [layout, mount, controllers] = facts_.cgroups;
    if (layout == CgroupLayout::kNone) {
      add(Severity::kTrouble, mount,
          "no control groups are mounted here: no pod can be started; where they are mounted "
          "elsewhere, set cgroupMount");
      return;
    }
    if (!controllers.contains("memory")) {
      add(Severity::kTrouble, mount,
          "the memory controller is off: memory limits have no effect, and no pod's memory can be "
          "measured; add cgroup_enable=memory to the kernel's command line (Raspberry Pi OS: "
          "/boot/firmware/cmdline.txt) and reboot");
    }
    for (const auto& [controller, lost] :
         {std::pair{"cpu", "CPU requests and limits have no effect"},
          std::pair{"pids", "podPidsLimit has no effect"}}) {
      if (controllers.contains(controller)) continue;
      add(Severity::kWarning, mount,
          fmt::format("the {} controller is off: {}; enable it in the kernel or on its command "
                      "line (cgroup_disable=)",
                      controller, lost));
    }
    if (layout == CgroupLayout::kV1) {
      add(Severity::kNote, mount,
          "control groups are version 1, which Kubernetes only maintains: an OOM kill ends one "
          "process of a container, not all of them, and stalls of pods are not counted; boot with "
          "systemd.unified_cgroup_hierarchy=1");
    }
  }

  void examine_stalls() {
    if (facts_.counts_stalls) return;
    const bool asked_for = names_stalls(input_.settings.eviction.config);
    add(asked_for ? Severity::kWarning : Severity::kNote, "/proc/pressure",
        fmt::format("the kernel counts no stalls: {}; boot with psi=1",
                    asked_for ? "eviction thresholds on pressure signals have no effect"
                              : "a shortage of memory is noticed by sampling alone"));
  }

  void examine_capabilities() {
    if (facts_.capabilities) {
      std::string missing;
      for (const auto& [number, name] : kNeeded) {
        if (has(*facts_.capabilities, number)) continue;
        missing += (missing.empty() ? "" : ", ") + std::string(name);
      }
      if (!missing.empty()) {
        add(Severity::kTrouble, "",
            fmt::format("berthd has to do without {}: volumes, logs or cgroups of pods will fail; "
                        "run it as root, as its unit does",
                        missing));
      }
    }
    examine_oom_scores();
  }

  // A runtime lowers the OOM score of what it starts, as Kubernetes asks for Guaranteed pods.
  void examine_oom_scores() {
    if (!facts_.granted || has(*facts_.granted, CAP_SYS_RESOURCE)) return;
    const auto& restricted = input_.runtime.setup.restricts_oom_scores;
    if (restricted.value_or(false)) return;
    add(restricted ? Severity::kTrouble : Severity::kNote, "",
        "the machine grants no CAP_SYS_RESOURCE (is it a container?), so containers whose OOM "
        "score "
        "has to be lowered do not start unless the runtime does without: "
        "restrict_oom_score_adj = true in /etc/containerd/config.toml");
  }

  void examine_clock() {
    if (facts_.now < WallTime(kEarliestTime)) {
      add(Severity::kTrouble, "",
          fmt::format("the clock says {}: certificates of registries are refused, and restart "
                      "backoff and jobs' deadlines will be wrong when it is set; set it before "
                      "berthd starts (systemctl enable systemd-time-wait-sync)",
                      api::Time{facts_.now}.to_string()));
    } else if (!facts_.clock_synchronised.value_or(true)) {
      add(Severity::kNote, "",
          "nothing keeps the clock: times of events and deadlines may jump when it is set; install "
          "an NTP client (systemd-timesyncd, chrony)");
    }
  }

  void examine_memory() {
    if (facts_.swap.value_or(0) == 0) return;
    add(Severity::kNote, "",
        fmt::format("{} of swap: memory.available does not count it, and a kubelet would not start "
                    "here unless failSwapOn is false",
                    gibibytes(*facts_.swap)));
  }

  void examine_disk() {
    if (!facts_.root_folder) return;
    const auto& [path, in_memory, available, capacity] = *facts_.root_folder;
    if (in_memory) {
      add(Severity::kNote, path,
          "is in memory: after a reboot berthd knows nothing of its pods, and finished jobs run "
          "again; set another --root-dir");
    }
    for (const auto& threshold : input_.settings.eviction.config.thresholds) {
      if (threshold.signal != eviction::Signal::kNodeFsAvailable || !eviction::is_hard(threshold))
        continue;
      const auto limit = eviction::amount_of(threshold.value, eviction::bytes(capacity));
      if (eviction::bytes(available) >= limit) continue;
      add(Severity::kWarning, path,
          fmt::format("{} of {} are available, which is below {}: pods are evicted and no new ones "
                      "admitted; make room",
                      gibibytes(available), gibibytes(capacity), eviction::to_string(threshold)));
    }
  }

  void examine_others() {
    for (const auto& [pid, name] : facts_.kubelets) {
      add(Severity::kTrouble, fmt::format("{} (pid {})", name, pid),
          "a kubelet runs on this machine: two agents of one runtime remove each other's pods; "
          "stop "
          "it (systemctl disable --now kubelet)");
    }
    if (!facts_.http_port_taken) return;
    const auto& [pid, name] = *facts_.http_port_taken;
    add(Severity::kTrouble, fmt::format("port {}", input_.settings.http.port),
        fmt::format("{} listens on it: berthd's HTTP port cannot be opened; stop that, or set "
                    "another readOnlyPort",
                    pid == 0 ? "another process" : fmt::format("{} (pid {})", name, pid)));
  }

  const DoctorInput& input_;
  const MachineFacts& facts_;
  std::vector<Finding> findings_{};
};

}  // namespace

std::vector<Finding> examine_machine(const DoctorInput& input) {
  if (!input.machine) return {};
  return MachineExamination(input).run();
}

}  // namespace berth::agent
