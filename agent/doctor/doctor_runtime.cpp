// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_runtime.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "node/cgroups/cgroup_driver.hpp"

namespace berth::agent {
namespace {

bool is_crio(const cri::RuntimeSetup& setup) {
  return setup.version.runtime_name == "cri-o";
}

// Derived from the runtime's socket, if the runtime does not report what it is.
std::string unit_of(const DoctorInput& input) {
  const bool crio = input.settings.runtime.endpoint.find("/crio") != std::string::npos;
  return crio || is_crio(input.runtime.setup) ? "crio" : "containerd";
}

std::string said(const cri::RuntimeCondition& condition) {
  std::string text = condition.type + " is false";
  if (!condition.reason.empty()) text += ": " + condition.reason;
  if (!condition.message.empty()) text += ": " + condition.message;
  return text;
}

std::string sandbox_image_missing(const cri::RuntimeSetup& setup) {
  return fmt::format(
      "the sandbox image {} is not on this node: the next pod pulls it, and does not start where "
      "its registry cannot be reached",
      setup.sandbox_image);
}

Advice get_sandbox_image(const cri::RuntimeSetup& setup) {
  const bool crio = is_crio(setup);
  return Advice(fmt::format("pull it now ({} {}), or name one that is there as {}",
                            crio ? "crictl pull" : "ctr -n k8s.io images pull", setup.sandbox_image,
                            crio ? "pause_image in /etc/crio/crio.conf"
                                 : "sandbox_image in /etc/containerd/config.toml"));
}

// The features of the handler of pods without a RuntimeClass; an older runtime reports none, and
// has none.
cri::RuntimeHandler default_handler(const cri::RuntimeSetup& setup) {
  for (const auto& handler : setup.status.handlers)
    if (handler.name.empty() || handler.name == setup.default_handler) return handler;
  return {};
}

// The newer features of CRI that the runtime lacks, each with the consequence.
std::vector<std::string> lacks(const cri::RuntimeSetup& setup) {
  const cri::RuntimeHandler handler = default_handler(setup);
  std::vector<std::string> missing;
  if (!node::reports_its_driver(setup.version))
    missing.emplace_back("RuntimeConfig (so cgroupDriver has to be set by hand)");
  if (!handler.user_namespaces) missing.emplace_back("user namespaces");
  if (!handler.recursive_read_only_mounts) missing.emplace_back("recursive read-only mounts");
  if (!setup.status.supplemental_groups_policy)
    missing.emplace_back("supplementalGroupsPolicy Strict");
  return missing;
}

std::string described(const cri::RuntimeSetup& setup) {
  const auto& [name, version, api] = setup.version;
  std::string text = fmt::format("answers: {} {}", name, version);
  if (!setup.default_handler.empty()) text += ", handler " + setup.default_handler;
  const auto missing = lacks(setup);
  return text + (missing.empty() ? ", with all features of CRI that pods may ask for"
                                 : fmt::format("; without: {}", fmt::join(missing, ", ")));
}

class RuntimeExamination {
 public:
  explicit RuntimeExamination(const DoctorInput& input)
      : input_(input), setup_(input.runtime.setup), unit_(unit_of(input)) {}

  std::vector<Finding> run() {
    if (input_.runtime.error.empty()) {
      examine_answer();
    } else {
      add(Severity::kTrouble,
          fmt::format("does not answer: {}; running pods continue, berthd starts no new one",
                      input_.runtime.error),
          Advice(fmt::format("see why (systemctl status {0}, journalctl -u {0}) and start it "
                             "(systemctl start {0}); if it listens elsewhere, set "
                             "containerRuntimeEndpoint",
                             unit_)));
    }
    if (input_.events.missed > 0) {
      add(Severity::kWarning,
          fmt::format("listing found {} changes that no event had reported", input_.events.missed),
          Advice(fmt::format("the pods need no action; if the number grows, restart the runtime "
                             "(systemctl restart {}: pods keep running)",
                             unit_)));
    }
    return std::move(findings_);
  }

 private:
  void add(Severity severity, std::string text, const Advice& advice) {
    findings_.emplace_back(severity, "runtime", input_.settings.runtime.endpoint, std::move(text),
                           advice);
  }
  void note(std::string text) {
    findings_.push_back(
        Finding::note("runtime", input_.settings.runtime.endpoint, std::move(text)));
  }

  void examine_answer() {
    const std::string& file = input_.settings.config_file;
    const auto conflict = node::cgroup_driver_conflict(input_.cgroups.driver, setup_,
                                                       file.empty() ? kDefaultConfigFile : file);
    if (conflict)
      add(Severity::kTrouble, "no pod is started: " + conflict->problem, Advice(conflict->advice));
    for (const auto& condition : setup_.status.conditions)
      if (!condition.status) examine_condition(condition);
    if (input_.runtime.sandbox_image_missing)
      add(Severity::kWarning, sandbox_image_missing(setup_), get_sandbox_image(setup_));
    if (!input_.events.connected) examine_events();
    if (!setup_.version.runtime_name.empty()) note(described(setup_));
  }

  // Kubernetes defines two conditions; a runtime's own ones do not keep pods from starting.
  void examine_condition(const cri::RuntimeCondition& condition) {
    if (condition.type == "NetworkReady") {
      add(Severity::kTrouble,
          said(condition) + "; only pods with hostNetwork are started meanwhile",
          Advice(fmt::format(
              "put the configuration of a pod network (*.conflist) into {}; the plugins it names "
              "come with the package containernetworking-plugins",
              setup_.cni_conf_dir.empty() ? "/etc/cni/net.d" : setup_.cni_conf_dir)));
    } else if (condition.type == "RuntimeReady") {
      add(Severity::kTrouble, said(condition) + "; no pod is started meanwhile",
          Advice(fmt::format("see its log (journalctl -u {0}), and restart it (systemctl restart "
                             "{0}: pods go on)",
                             unit_)));
    } else {
      note(said(condition));
    }
  }

  // CRI-O has the call, and refuses it unless it is configured to keep events.
  void examine_events() {
    std::string text = "its event stream is not open";
    if (!input_.events.error.empty()) text += " (" + input_.events.error + ")";
    add(Severity::kWarning, text + ": exits are found by listing, up to a second late",
        Advice(is_crio(setup_)
                   ? "write enable_pod_events = true below [crio.runtime] in its configuration "
                     "(/etc/crio/crio.conf), and restart it (systemctl restart crio: pods go on)"
                   : "berthd keeps retrying; if that does not help, restart the runtime (systemctl "
                     "restart containerd: pods keep running)"));
  }

  const DoctorInput& input_;
  const cri::RuntimeSetup& setup_;
  const std::string unit_;
  std::vector<Finding> findings_{};
};

}  // namespace

std::vector<Finding> examine_runtime(const DoctorInput& input) {
  return RuntimeExamination(input).run();
}

}  // namespace berth::agent
