// SPDX-License-Identifier: Apache-2.0

#include "node/cgroup_driver.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

cri::RuntimeSetup runtime(const char* name, const char* version,
                          std::optional<std::string> driver) {
  return {.version = {.runtime_name = name, .runtime_version = version},
          .cgroup_driver = std::move(driver),
          .default_handler = "runc"};
}

std::string refusal(const cri::RuntimeSetup& setup) {
  return cgroup_driver_refusal(CgroupDriver::kCgroupfs, setup, "/etc/berth/config.yaml");
}

TEST(CgroupDriverTest, one_driver_is_no_reason_to_refuse_and_an_unknown_one_is_trusted) {
  EXPECT_EQ(refusal(runtime("containerd", "2.1.4", "cgroupfs")), "");
  EXPECT_EQ(refusal(runtime("containerd", "1.6.20", std::nullopt)), "");
  EXPECT_EQ(cgroup_driver_refusal(CgroupDriver::kSystemd, runtime("cri-o", "1.34", "systemd"), "c"),
            "");
}

TEST(CgroupDriverTest, the_line_is_where_the_release_has_it) {
  const struct {
    cri::RuntimeSetup setup;
    const char* line;
  } cases[] = {
      {runtime("containerd", "1.7.24~ds1", "systemd"),
       "write SystemdCgroup = false below "
       "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc.options] in "
       "/etc/containerd/config.toml and restart containerd"},
      {runtime("containerd", "v2.1.4", "systemd"),
       "write SystemdCgroup = false below "
       "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options] in "
       "/etc/containerd/config.toml and restart containerd"},
      {runtime("cri-o", "1.34.0", "systemd"),
       "write cgroup_manager = \"cgroupfs\" and conmon_cgroup = \"pod\" below [crio.runtime] in "
       "/etc/crio/crio.conf and restart cri-o"},
  };
  for (const auto& [setup, line] : cases)
    EXPECT_NE(refusal(setup).find(line), std::string::npos) << refusal(setup);
}

TEST(CgroupDriverTest, the_other_way_out_is_a_line_in_our_configuration) {
  EXPECT_NE(refusal(runtime("containerd", "2.1.4", "systemd"))
                .find("either write cgroupDriver: systemd in /etc/berth/config.yaml and restart "
                      "berthd, or"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::node
