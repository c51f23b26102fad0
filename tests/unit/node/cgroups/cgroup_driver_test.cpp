// SPDX-License-Identifier: Apache-2.0

#include "node/cgroups/cgroup_driver.hpp"

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

TEST(CgroupDriverTest, the_other_way_out_is_a_restart_or_a_line_in_our_configuration) {
  for (const auto* version : {"1.6.20~ds1", "v1.7.24"})
    EXPECT_NE(refusal(runtime("containerd", version, "systemd"))
                  .find("either write cgroupDriver: systemd in /etc/berth/config.yaml and restart "
                        "berthd, or"),
              std::string::npos);
  for (const auto& reports :
       {runtime("containerd", "v2.1.4", "systemd"), runtime("cri-o", "1.34.0", "systemd")})
    EXPECT_NE(refusal(reports).find("either restart berthd, which then uses the runtime's, or"),
              std::string::npos);
}

// A runtime's answer: none (it is not there), Unimplemented, or its driver.
struct Answer {
  const char* name;
  std::optional<cri::Features> features;
};

const Answer kSilent{"silent", std::nullopt};
const Answer kUnimplemented{
    "unimplemented",
    cri::Features{.version = {.runtime_name = "containerd", .runtime_version = "1.6.20"}}};

Answer reporting(const char* driver) {
  return {driver,
          cri::Features{.version = {.runtime_name = "containerd", .runtime_version = "v2.1.4"},
                        .cgroup_driver = driver}};
}

TEST(CgroupDriverTest, a_runtime_that_reports_its_driver_decides_and_else_the_configuration) {
  constexpr auto kFs = CgroupDriver::kCgroupfs;
  constexpr auto kSd = CgroupDriver::kSystemd;
  const struct {
    CgroupDriver configured;
    Answer answer;
    bool systemd;
    CgroupDriver driver;
    bool provisional;
    const char* overridden;
    const char* refusal;  // a part of the message
  } rows[] = {
      {kFs, kSilent, true, kFs, true, "", ""},
      {kSd, kSilent, true, kSd, true, "", ""},
      {kFs, kUnimplemented, true, kFs, false, "", ""},
      {kSd, kUnimplemented, true, kSd, false, "", ""},
      {kFs, kUnimplemented, false, kFs, false, "", ""},
      {kFs, reporting("cgroupfs"), true, kFs, false, "", ""},
      {kSd, reporting("systemd"), true, kSd, false, "", ""},
      {kFs, reporting("systemd"), true, kSd, false,
       "the cgroup driver is systemd, as containerd reports; cgroupDriver: cgroupfs has no effect",
       ""},
      {kSd, reporting("cgroupfs"), true, kFs, false,
       "the cgroup driver is cgroupfs, as containerd reports; cgroupDriver: systemd has no effect",
       ""},
      {kSd, reporting("cgroupfs"), false, kFs, false,
       "the cgroup driver is cgroupfs, as containerd reports; cgroupDriver: systemd has no effect",
       ""},
      {kSd, kSilent, false, kSd, true, "", "write cgroupDriver: cgroupfs in c.yaml"},
      {kSd, kUnimplemented, false, kSd, false, "", "write cgroupDriver: cgroupfs in c.yaml"},
      {kSd, reporting("systemd"), false, kSd, false, "",
       "systemd is not the service manager of this machine; write SystemdCgroup = false below "},
      {kFs, reporting("systemd"), false, kSd, false,
       "the cgroup driver is systemd, as containerd reports; cgroupDriver: cgroupfs has no effect",
       "and restart containerd and berthd"},
      {kFs, kSilent, false, kFs, true, "", ""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(std::string(row.configured == kSd ? "systemd, " : "cgroupfs, ") + row.answer.name);
    const auto choice = choose_cgroup_driver({.configured = row.configured,
                                              .runtime = row.answer.features,
                                              .systemd_manages_services = row.systemd,
                                              .config_file = "c.yaml"});
    EXPECT_EQ(choice.driver, row.driver);
    EXPECT_EQ(choice.provisional, row.provisional);
    EXPECT_EQ(choice.overridden, row.overridden);
    EXPECT_EQ(choice.refusal.empty(), *row.refusal == '\0') << choice.refusal;
    EXPECT_NE(choice.refusal.find(row.refusal), std::string::npos) << choice.refusal;
  }
}

}  // namespace
}  // namespace berth::node
