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
      "the cgroup driver of the container runtime is {}, and berthd's is {}: either write {} and "
      "restart {}, or name a runtime whose driver is {} as containerRuntimeEndpoint in {} and "
      "restart berthd (cgroupDriver: {} is not supported in this version)",
      *runtime.cgroup_driver, own, line_for(runtime, own), name.empty() ? "it" : name, own,
      config_file, *runtime.cgroup_driver);
}

}  // namespace berth::node
