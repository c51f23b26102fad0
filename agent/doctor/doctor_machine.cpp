// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_machine.hpp"

#include <linux/capability.h>

#include <array>
#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "agent/doctor/doctor_disks.hpp"
#include "agent/doctor/doctor_others.hpp"
#include "api/time.hpp"
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

// The capabilities of systemd/berthd.service.in that berthd cannot do without.
constexpr std::array kNeeded = {
    Capability{CAP_CHOWN, "CAP_CHOWN"},   Capability{CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE"},
    Capability{CAP_FOWNER, "CAP_FOWNER"}, Capability{CAP_FSETID, "CAP_FSETID"},
    Capability{CAP_KILL, "CAP_KILL"},     Capability{CAP_SYS_ADMIN, "CAP_SYS_ADMIN"}};

bool has(std::uint64_t capabilities, unsigned number) {
  return ((capabilities >> number) & 1U) != 0;
}

// "6.1.0-21-amd64": 6 and 1; zeros if it has another form.
std::pair<int, int> version_of(std::string_view release) {
  std::pair<int, int> version{0, 0};
  const char* const end = release.data() + release.size();
  const auto major = std::from_chars(release.data(), end, version.first);
  if (major.ec == std::errc{} && major.ptr != end && *major.ptr == '.')
    std::from_chars(major.ptr + 1, end, version.second);
  return version;
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
    for (Finding& finding : examine_disks(input_.settings, facts_.disks))
      findings_.push_back(std::move(finding));
    for (Finding& finding : examine_others(input_.settings.http, facts_))
      findings_.push_back(std::move(finding));
    return std::move(findings_);
  }

 private:
  void add(Severity severity, std::string subject, std::string text, const Advice& advice) {
    findings_.emplace_back(severity, "machine", std::move(subject), std::move(text), advice);
  }

  void examine_kernel() {
    const auto version = version_of(facts_.kernel);
    if (version == std::pair{0, 0} || version >= kOldestKernel) return;
    add(Severity::kTrouble, "Linux " + facts_.kernel,
        fmt::format("is older than {}.{}: no pod with a volume can be started", kOldestKernel.first,
                    kOldestKernel.second),
        Advice("boot a newer kernel"));
  }

  void examine_cgroups() {
    const auto& [layout, mount, controllers] = facts_.cgroups;
    if (layout == CgroupLayout::kNone) {
      add(Severity::kTrouble, mount, "no control groups are mounted here: no pod can be started",
          Advice("mount them; where they are mounted elsewhere, set cgroupMount"));
      return;
    }
    if (!controllers.contains("memory")) {
      add(Severity::kTrouble, mount,
          "the memory controller is off: memory limits have no effect, and no pod's memory can be "
          "measured",
          Advice("add cgroup_enable=memory to the kernel's command line (Raspberry Pi OS: "
                 "/boot/firmware/cmdline.txt) and reboot"));
    }
    for (const auto& [controller, lost] :
         {std::pair{"cpu", "CPU requests and limits have no effect"},
          std::pair{"pids", "podPidsLimit has no effect"}}) {
      if (controllers.contains(controller)) continue;
      add(Severity::kWarning, mount, fmt::format("the {} controller is off: {}", controller, lost),
          Advice("enable it in the kernel or on its command line (cgroup_disable=)"));
    }
    if (layout == CgroupLayout::kV1) {
      add(Severity::kNote, mount,
          "control groups are version 1, which Kubernetes only maintains: an OOM kill ends one "
          "process of a container, not all of them, and stalls of pods are not counted",
          Advice("boot with systemd.unified_cgroup_hierarchy=1"));
    }
  }

  void examine_stalls() {
    if (facts_.counts_stalls) return;
    const bool asked_for = names_stalls(input_.settings.eviction.config);
    add(asked_for ? Severity::kWarning : Severity::kNote, "/proc/pressure",
        fmt::format("the kernel has no pressure stall information: {}",
                    asked_for ? "eviction thresholds on pressure signals have no effect"
                              : "a shortage of memory is noticed by sampling alone"),
        Advice("boot with psi=1"));
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
            fmt::format("berthd lacks {}: volumes, logs or cgroups of pods will fail", missing),
            Advice("run it as root, as its unit does"));
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
        "score has to be lowered do not start unless the runtime does without",
        Advice("write restrict_oom_score_adj = true into /etc/containerd/config.toml"));
  }

  void examine_clock() {
    const auto& [now, synchronised, refusal] = facts_.clock;
    if (now < WallTime(kEarliestTime)) {
      add(Severity::kTrouble, "",
          fmt::format("the clock says {}: certificates of registries are refused, and restart "
                      "backoff and jobs' deadlines will be wrong when it is set",
                      api::Time{now}.to_string()),
          Advice("set it before berthd starts (systemctl enable systemd-time-wait-sync)"));
    } else if (!synchronised.value_or(true)) {
      add(Severity::kNote, "",
          "nothing synchronises the clock: event times and deadlines may jump when it is set",
          Advice("install an NTP client (systemd-timesyncd, chrony)"));
    } else if (!refusal.empty()) {
      add(Severity::kNote, "",
          "whether anything synchronises the clock cannot be queried here: " + refusal,
          Advice("ask outside of this sandbox or container (timedatectl)"));
    }
  }

  void examine_memory() {
    if (facts_.swap.value_or(0) == 0) return;
    findings_.push_back(Finding::note(
        "machine", "",
        fmt::format("{:.1f} GiB of swap: memory.available does not count it, and a kubelet would "
                    "not start here unless failSwapOn is false",
                    static_cast<double>(*facts_.swap) / (1U << 30U))));
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
