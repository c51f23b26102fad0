// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agent/doctor/doctor_held.hpp"
#include "agent/doctor/doctor_machine.hpp"
#include "agent/doctor/doctor_reboot.hpp"
#include "agent/doctor/doctor_runtime.hpp"
#include "agent/doctor/doctor_takeover.hpp"
#include "api/manifest/manifest.hpp"

namespace berth::agent {
namespace {

constexpr const char* kRejected = "Pod was rejected: ";

class Examination {
 public:
  explicit Examination(const DoctorInput& input) : input_(input) {}

  std::vector<Finding> run() {
    examine_berthd();
    for (Finding& finding : examine_machine(input_)) findings_.push_back(std::move(finding));
    for (Finding& finding : examine_runtime(input_)) findings_.push_back(std::move(finding));
    examine_store();
    examine_configuration();
    examine_folder();
    examine_pods();
    examine_bus();
    examine_drivers();
    examine_places();
    if (input_.examiner != Examiner::kBerthd) return std::move(findings_);
    for (Finding& finding : examine_reboot(input_.manifests))
      findings_.push_back(std::move(finding));
    for (Finding& finding : examine_held(input_)) findings_.push_back(std::move(finding));
    for (Finding& finding : examine_takeover(input_)) findings_.push_back(std::move(finding));
    return std::move(findings_);
  }

 private:
  void add(Severity severity, const char* area, std::string subject, std::string text,
           const Advice& advice) {
    findings_.emplace_back(severity, area, std::move(subject), std::move(text), advice);
  }
  [[nodiscard]] std::string config_file() const {
    const std::string& file = input_.settings.config_file;
    return file.empty() ? kDefaultConfigFile : file;
  }

  void examine_berthd() {
    if (input_.examiner != Examiner::kInItsPlace) return;
    const std::string& socket = input_.settings.paths.control_socket;
    add(Severity::kTrouble, "berthd", socket, input_.silent,
        Advice("start it (systemctl start berthd); its journal shows why it ended or hangs "
               "(journalctl -u berthd)"));
    if (!input_.refused.empty()) {
      add(Severity::kTrouble, "berthd", socket,
          fmt::format("it refuses to start with its configuration ({} problems, below)",
                      input_.refused.size()),
          Advice("correct it, then start berthd again (systemctl start berthd)"));
    }
    constexpr const char* kUnseen = "not checked while berthd does not answer";
    findings_.push_back(Finding::note("store", input_.settings.paths.root + "/state.db", kUnseen));
    for (const char* area : {"pods", "takeover"})
      findings_.push_back(Finding::note(area, "", kUnseen));
  }

  void examine_store() {
    const std::string file = input_.settings.paths.root + "/state.db";
    const auto& [failing_since, error, dropped, unreadable, moved_aside] = input_.store;
    if (!failing_since.empty()) {
      add(Severity::kTrouble, "store", file,
          fmt::format("cannot be written since {}: {}; nothing new is started until it can",
                      failing_since, error),
          Advice(fmt::format("free space on its disk, or repair it (df {}, journalctl -k): "
                             "berthd keeps retrying",
                             input_.settings.paths.root)));
    }
    if (unreadable > 0) {
      add(Severity::kTrouble, "store", file,
          fmt::format("the records of {} pods in it cannot be read, and are lost", unreadable),
          Advice("berthd's journal names them (journalctl -u berthd): check whether a finished job "
                 "among them runs again, and look for a failing disk (journalctl -k)"));
    }
    if (!moved_aside.empty()) {
      add(Severity::kWarning, "store", file,
          "was damaged and replaced; the damaged one is " + moved_aside,
          Advice("look for a failing disk (journalctl -k), and for finished jobs that run again; "
                 "remove the damaged file when it is no longer needed"));
    }
    if (dropped > 0) {
      add(Severity::kWarning, "store", file,
          fmt::format("berthd dropped {} events and decisions", dropped),
          Advice("the pods need no action; if the number grows, the disk is full, too slow or "
                 "failing (journalctl -k): free space, or put --root-dir on another disk"));
    }
  }

  void examine_configuration() {
    // With drop-ins it may be any of them.
    const std::string file =
        input_.settings.drop_ins.empty() ? input_.settings.config_file : std::string();
    for (const auto& problem : input_.refused)
      add(Severity::kTrouble, "configuration", "", problem.to_string(),
          Advice("correct it (berth-config(5) has every field); `berthd --check-config` checks "
                 "it"));
    for (const auto& obstacle : input_.start_obstacles)
      add(Severity::kTrouble, "configuration", file,
          "berthd ends as soon as it starts: " + obstacle,
          Advice("then start it again (systemctl restart berthd)"));
    for (const auto& warning : input_.settings.warnings)
      add(Severity::kWarning, "configuration", file, warning,
          Advice("change it, then `systemctl reload berthd`; berth-config(5) has every field"));
    if (const ShutdownComplaint& complaint = input_.shutdown_complaint; !complaint.empty())
      add(Severity::kWarning, "configuration", file, complaint.problem, Advice(complaint.advice));
    for (const auto& field : input_.settings.unused_fields)
      add(Severity::kNote, "configuration", file, field + ": has no effect in this version",
          Advice("take it out, unless a kubelet reads the file as well"));
  }

  void examine_folder() {
    const ManifestReport& report = input_.manifests;
    if (!report.exists) {
      add(Severity::kTrouble, "manifests", report.path, "the folder does not exist",
          Advice(fmt::format("make it (mkdir -p {}), or name another one as staticPodPath in {}",
                             report.path, config_file())));
      return;
    }
    if (!report.unreadable.empty()) {
      add(Severity::kTrouble, "manifests", report.path,
          "cannot be read: " + report.unreadable + "; pods keep running as last defined",
          Advice("repair the folder or its disk (journalctl -k): berthd keeps retrying"));
    }
    for (const auto& problem : report.problems) examine_file(problem);
    const bool kubelet = input_.settings.manifest_rules == ManifestRules::kKubelet;
    for (const auto& file : report.ignored_files) examine_ignored(file, kubelet);
  }

  void examine_ignored(const std::string& file, bool kubelet) {
    const Severity severity = kubelet ? Severity::kNote : Severity::kWarning;
    const auto is_named_for = [&file](api::ManifestRules rules) {
      return api::is_manifest_name(file, rules);
    };
    if (is_named_for(kubelet ? api::ManifestRules::kKubelet : api::ManifestRules::kBerth)) {
      add(severity, "manifests", file, "is not read: it is not a file, or a link to a missing one",
          Advice("correct it if its pods are wanted, else remove it"));
      return;
    }
    const bool only_here = !kubelet && is_named_for(api::ManifestRules::kKubelet);
    add(severity, "manifests", file,
        fmt::format("is not read: {}{}",
                    kubelet ? "its name begins with a dot"
                            : "only files named *.yaml, *.yml and *.json are",
                    only_here ? "; a kubelet would read it" : ""),
        Advice("rename it if its pods are wanted, else move it to another folder"));
  }

  void examine_file(const ManifestProblem& problem) {
    std::string place;
    if (problem.line > 0) place = fmt::format("{}:{}: ", problem.line, problem.column);
    if (!problem.path.empty()) place += problem.path + ": ";
    std::string kept;
    for (const auto& pod : problem.kept_pods)
      kept += (kept.empty() ? "; meanwhile from its last good version: " : ", ") + pod;
    add(problem.warning ? Severity::kWarning : Severity::kTrouble, "manifests", problem.file,
        place + problem.message + kept,
        Advice("correct the file: berthd reads it again as soon as it is saved"));
  }

  // Pods that are wanted, but not run.
  void examine_pods() {
    for (const auto& [pod, file] : input_.pods) {
      const auto& status = pod->status;
      const std::string name = pod->metadata.namespace_ + "/" + pod->metadata.name;
      const bool held = status.phase == "Pending" && !status.reason.empty();
      const bool refused = status.phase == "Failed" && status.message.starts_with(kRejected);
      if (!held && !refused) continue;
      add(Severity::kWarning, "manifests", name,
          fmt::format("is not run: {}: {}", status.reason, status.message),
          Advice(fmt::format(
              "change {}, or give the node what it requires; `berthctl why pod/{} -n "
              "{}` explains it",
              file.empty() ? "its manifest" : file, pod->metadata.name, pod->metadata.namespace_)));
    }
  }

  void examine_bus() {
    const bool systemd = input_.cgroups.driver == node::CgroupDriver::kSystemd;
    if (!systemd || !input_.machine || input_.machine->has_system_bus) return;
    add(Severity::kTrouble, "machine", "system bus",
        "is missing: berthd starts no pod, because it needs this bus to have systemd create the "
        "pod's slice (cgroupDriver: systemd)",
        Advice("install it (apt install dbus) and start it (systemctl start dbus.socket), or set "
               "cgroupDriver: cgroupfs, in the runtime as well"));
  }

  // Pods in another driver's cgroups keep running, but nothing maintains the limits of their class
  // there.
  void examine_drivers() {
    const bool systemd = input_.cgroups.driver == node::CgroupDriver::kSystemd;
    for (const auto& [pod, file] : input_.pods) {
      const auto& meta = pod->metadata;
      if (!input_.cgroups.of_other_driver.contains(meta.uid)) continue;
      add(Severity::kWarning, "pods", meta.namespace_ + "/" + meta.name,
          fmt::format("runs in cgroups of the driver {}, from before the change to {}: it keeps "
                      "running, outside the limits of all pods and of its QoS class",
                      systemd ? "cgroupfs" : "systemd", systemd ? "systemd" : "cgroupfs"),
          Advice(
              fmt::format("delete the pod; its next incarnation gets the right cgroups (berthctl "
                          "delete pod {} -n {})",
                          meta.name, meta.namespace_)));
    }
  }

  // Running pods do not need these paths, and neither does stopping them.
  void examine_places() {
    for (const std::string& folder : input_.read_only) {
      add(Severity::kTrouble, "pods", folder,
          "its file system is mounted read-only: no pod can be started, and no ended pod removed; "
          "running pods are not affected",
          Advice("mount it read-write again (mount -o remount,rw), or set another folder"));
    }
  }

  const DoctorInput& input_;
  std::vector<Finding> findings_{};
};

}  // namespace

std::vector<Finding> examine(const DoctorInput& input) {
  return Examination(input).run();
}

}  // namespace berth::agent
