// SPDX-License-Identifier: Apache-2.0

// Which cgroup gets which limits, and what is reported about it.
#include "node/reserved/reserved_cgroups.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

using enum ReservedFor;
using enum ReservedLimits;

api::Quantity quantity(const char* text) {
  return *api::Quantity::parse(text);
}

NodeConfig reserving() {
  NodeConfig config;
  config.system_reserved = {{"cpu", quantity("500m")},
                            {"memory", quantity("1Gi")},
                            {"ephemeral-storage", quantity("1Gi")},
                            {"pid", quantity("1000")}};
  config.kube_reserved = {{"memory", quantity("200Mi")}};
  return config;
}

TEST(ReservedCgroups, what_is_reserved_is_the_limit) {
  const auto system = reserved_cgroup({.whom = kSystem, .cgroup = "/sys/own"}, reserving());
  ASSERT_TRUE(system);
  EXPECT_EQ(system->name, (CgroupName{"sys", "own"}));
  EXPECT_EQ(
      system->values,
      (CgroupValues{.cpu_shares = 512, .memory_limit = std::int64_t{1} << 30, .pids_limit = 1000}))
      << "disk is no cgroup's";
  const auto kube = reserved_cgroup({.whom = kKube, .cgroup = "/kube"}, reserving());
  ASSERT_TRUE(kube);
  EXPECT_EQ(kube->values, (CgroupValues{.memory_limit = std::int64_t{200} << 20}))
      << "what is not reserved stays as it is";
}

TEST(ReservedCgroups, of_compressible_resources_there_is_the_cpu_alone) {
  const auto system =
      reserved_cgroup({.whom = kSystem, .limits = kCompressible, .cgroup = "/sys"}, reserving());
  ASSERT_TRUE(system);
  EXPECT_EQ(system->values, (CgroupValues{.cpu_shares = 512}));
}

TEST(ReservedCgroups, names_are_the_drivers) {
  NodeConfig config = reserving();
  const auto name = [&config](const char* cgroup) {
    return reserved_cgroup({.whom = kSystem, .cgroup = cgroup}, config).value().name;
  };
  EXPECT_EQ(name("system.slice"), (CgroupName{"system.slice"})) << "a path, as it stands";
  config.cgroup_driver = CgroupDriver::kSystemd;
  EXPECT_EQ(name("/system.slice"), (CgroupName{"system.slice"}));
  EXPECT_EQ(name("system"), (CgroupName{"system.slice"}));
  EXPECT_EQ(name("/some/where/own-daemons.slice"), (CgroupName{"own.slice", "own-daemons.slice"}));
}

TEST(ReservedCgroups, where_nothing_is_reserved_there_is_nothing_to_enforce) {
  const auto system = reserved_cgroup({.whom = kSystem, .cgroup = "/sys"}, NodeConfig{});
  ASSERT_FALSE(system);
  EXPECT_EQ(system.error().message,
            "\"/sys\" cgroup is not configured properly: systemReserved reserves nothing for it");
}

TEST(ReservedCgroups, events_are_in_the_kubelets_words) {
  const ReservedEnforcement system{.whom = kSystem, .cgroup = "/sys"};
  const ReservedEnforcement kube{.whom = kKube, .limits = kCompressible, .cgroup = "/kube"};
  EXPECT_EQ(limits_updated(system), "Updated limits on system reserved cgroup /sys");
  EXPECT_EQ(limits_updated(kube), "Updated limits on kube reserved cgroup /kube");
  EXPECT_EQ(limits_failed(system, "why"),
            "Failed to enforce System Reserved Cgroup Limits on \"/sys\": why");
  EXPECT_EQ(limits_failed(kube, "why"),
            "Failed to enforce Kube Reserved Compressible Cgroup Limits on \"/kube\": why");
  NodeConfig config;
  EXPECT_EQ(pods_limit_failed(config, "why"),
            "Failed to update Node Allocatable Limits [\"kubepods\"]: why");
  config.cgroup_root = "/own";
  EXPECT_EQ(pods_limit_failed(config, "why"),
            "Failed to update Node Allocatable Limits [\"own\" \"kubepods\"]: why");
}

}  // namespace
}  // namespace berth::node
