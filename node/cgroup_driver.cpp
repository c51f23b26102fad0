// SPDX-License-Identifier: Apache-2.0

#include "node/cgroup_driver.hpp"

#include <fmt/format.h>

namespace berth::node {
namespace {

constexpr const char* kCgroupfs = "cgroupfs";
constexpr const char* kSystemd = "systemd";

bool is_containerd_1(const cri::Version& version) {
  const std::string& number = version.runtime_version;
  return number.starts_with("1.") || number.starts_with("v1.");
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

}  // namespace

std::string cgroup_driver_refusal(CgroupDriver ours, const cri::RuntimeSetup& runtime,
                                  const std::string& config_file) {
  const std::string own = ours == CgroupDriver::kSystemd ? kSystemd : kCgroupfs;
  if (!runtime.cgroup_driver || *runtime.cgroup_driver == own) return {};
  const std::string& name = runtime.version.runtime_name;
  return fmt::format(
      "the cgroup driver of the container runtime is {}, and berthd's is {}: either write "
      "cgroupDriver: {} in {} and restart berthd, or write {} and restart {}",
      *runtime.cgroup_driver, own, *runtime.cgroup_driver, config_file, line_for(runtime, own),
      name.empty() ? "it" : name);
}

}  // namespace berth::node
