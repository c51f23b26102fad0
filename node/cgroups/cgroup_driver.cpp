// SPDX-License-Identifier: Apache-2.0

#include "node/cgroups/cgroup_driver.hpp"

#include <fmt/format.h>

namespace berth::node {
namespace {

constexpr const char* kCgroupfs = "cgroupfs";
constexpr const char* kSystemd = "systemd";

bool is_containerd_1(const cri::Version& version) {
  const std::string& number = version.runtime_version;
  return number.starts_with("1.") || number.starts_with("v1.");
}

const char* word(CgroupDriver driver) {
  return driver == CgroupDriver::kSystemd ? kSystemd : kCgroupfs;
}

// The line that makes a runtime use `driver`, and its file.
std::string line_for(const cri::RuntimeSetup& runtime, const std::string& driver) {
  if (runtime.version.runtime_name == "cri-o") {
    return fmt::format("cgroup_manager = \"{}\"{} below [crio.runtime] in /etc/crio/crio.conf",
                       driver, driver == kCgroupfs ? " and conmon_cgroup = \"pod\"" : "");
  }
  const std::string handler = runtime.default_handler.empty() ? "runc" : runtime.default_handler;
  const char* plugin = is_containerd_1(runtime.version) ? "\"io.containerd.grpc.v1.cri\""
                                                        : "'io.containerd.cri.v1.runtime'";
  return fmt::format(
      "SystemdCgroup = {} below [plugins.{}.containerd.runtimes.{}.options] in "
      "/etc/containerd/config.toml",
      driver == kSystemd, plugin, handler);
}

const char* name_of(const cri::Version& version) {
  return version.runtime_name.empty() ? "it" : version.runtime_name.c_str();
}

constexpr const char* kNoSystemd = "systemd is not the service manager of this machine";

// The refusal for the driver "systemd" without a service manager that could create slices.
std::string without_systemd(const DriverQuestion& question, bool reported) {
  if (!reported) {
    return fmt::format(
        "cgroupDriver: systemd: {}; write cgroupDriver: {} in {}, have the container runtime use "
        "the same, and restart both",
        kNoSystemd, kCgroupfs, question.config_file);
  }
  const cri::RuntimeSetup runtime{.version = question.runtime->version};
  return fmt::format(
      "the cgroup driver of the container runtime is {}, but {}; write {}, and "
      "restart {} and berthd",
      kSystemd, kNoSystemd, line_for(runtime, kCgroupfs), name_of(runtime.version));
}

}  // namespace

bool reports_its_driver(const cri::Version& version) {
  if (version.runtime_version.empty()) return false;
  return version.runtime_name == "cri-o" ||
         (version.runtime_name == "containerd" && !is_containerd_1(version));
}

DriverChoice choose_cgroup_driver(const DriverQuestion& question) {
  DriverChoice choice{.driver = question.configured, .provisional = !question.runtime};
  const bool reported = question.runtime && question.runtime->cgroup_driver;
  if (reported) {
    choice.driver = *question.runtime->cgroup_driver == kSystemd ? CgroupDriver::kSystemd
                                                                 : CgroupDriver::kCgroupfs;
    if (choice.driver != question.configured)
      choice.overridden = fmt::format(
          "the cgroup driver is {}, as {} reports; cgroupDriver: {} has no effect",
          word(choice.driver), name_of(question.runtime->version), word(question.configured));
  }
  if (choice.driver == CgroupDriver::kSystemd && !question.systemd_manages_services)
    choice.refusal = without_systemd(question, reported);
  return choice;
}

CgroupDriver driver_at_start(CgroupDriver configured, const cri::RuntimeSetup& runtime) {
  cri::Features features{.version = runtime.version};
  if (reports_its_driver(runtime.version)) features.cgroup_driver = runtime.cgroup_driver;
  return choose_cgroup_driver({.configured = configured, .runtime = features}).driver;
}

std::optional<DriverConflict> cgroup_driver_conflict(CgroupDriver ours,
                                                     const cri::RuntimeSetup& runtime,
                                                     const std::string& config_file) {
  const std::string own = word(ours);
  if (!runtime.cgroup_driver || *runtime.cgroup_driver == own) return std::nullopt;
  const std::string way = reports_its_driver(runtime.version)
                              ? "restart berthd, which then uses the runtime's"
                              : fmt::format("write cgroupDriver: {} in {} and restart berthd",
                                            *runtime.cgroup_driver, config_file);
  return DriverConflict{
      .problem = fmt::format("the cgroup driver of the container runtime is {}, and berthd's is {}",
                             *runtime.cgroup_driver, own),
      .advice = fmt::format("either {}, or write {} and restart {}", way, line_for(runtime, own),
                            name_of(runtime.version))};
}

std::string cgroup_driver_refusal(CgroupDriver ours, const cri::RuntimeSetup& runtime,
                                  const std::string& config_file) {
  const auto conflict = cgroup_driver_conflict(ours, runtime, config_file);
  return conflict ? conflict->sentence() : std::string();
}

}  // namespace berth::node
