// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_runtime.hpp"

#include <fmt/format.h>

#include "node/cgroup_driver.hpp"

namespace berth::agent {
namespace {

std::string said(const cri::RuntimeCondition& condition) {
  std::string text = condition.type + " is false";
  if (!condition.reason.empty()) text += ": " + condition.reason;
  if (!condition.message.empty()) text += ": " + condition.message;
  return text;
}

std::string what_to_do(const cri::RuntimeCondition& condition, const cri::RuntimeSetup& setup) {
  if (condition.type != "NetworkReady") return "; no pod is started meanwhile";
  return fmt::format(
      "; only pods with hostNetwork are started meanwhile: put the configuration of a pod network "
      "(*.conflist) into {}; the plugins it names come with the package "
      "containernetworking-plugins",
      setup.cni_conf_dir.empty() ? "/etc/cni/net.d" : setup.cni_conf_dir);
}

std::string sandbox_image_missing(const cri::RuntimeSetup& setup) {
  const bool crio = setup.version.runtime_name == "cri-o";
  return fmt::format(
      "the sandbox image {} is not on this node: the next pod pulls it, and does not start where "
      "its registry cannot be reached; pull it now ({} {}), or name one that is there as {}",
      setup.sandbox_image, crio ? "crictl pull" : "ctr -n k8s.io images pull", setup.sandbox_image,
      crio ? "pause_image in /etc/crio/crio.conf" : "sandbox_image in /etc/containerd/config.toml");
}

}  // namespace

std::vector<Finding> examine_runtime(const DoctorInput& input) {
  std::vector<Finding> findings;
  const auto add = [&](Severity severity, std::string text) {
    findings.push_back({.severity = severity,
                        .area = "runtime",
                        .subject = input.settings.runtime.endpoint,
                        .text = std::move(text)});
  };
  const auto& [error, setup, image_missing] = input.runtime;
  if (!error.empty()) {
    add(Severity::kTrouble,
        fmt::format("does not answer: {}; pods go on running, nothing new is started", error));
  } else {
    auto refusal = node::cgroup_driver_refusal(
        input.cgroup_driver, setup,
        input.settings.config_file.empty() ? kDefaultConfigFile : input.settings.config_file);
    if (!refusal.empty()) add(Severity::kTrouble, "no pod is started: " + refusal);
    for (const auto& condition : setup.status.conditions) {
      if (!condition.status)
        add(Severity::kTrouble, said(condition) + what_to_do(condition, setup));
    }
    if (image_missing) add(Severity::kWarning, sandbox_image_missing(setup));
    if (!input.events_connected) {
      add(Severity::kWarning,
          "its event stream is not open: exits are found by listing, up to a second late");
    }
  }
  if (input.missed_events > 0) {
    add(Severity::kWarning,
        fmt::format("listing found {} changes that no event had reported", input.missed_events));
  }
  return findings;
}

}  // namespace berth::agent
