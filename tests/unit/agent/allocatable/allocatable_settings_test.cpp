// SPDX-License-Identifier: Apache-2.0

// The node allocatable settings in a configuration: valid and invalid ones.
#include "agent/allocatable/allocatable_settings.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using node::ReservedFor;
using node::ReservedLimits;
using Kinds = std::vector<std::string>;

KubeletConfiguration enforcing(Kinds kinds) {
  KubeletConfiguration kubelet;
  kubelet.enforceNodeAllocatable = std::move(kinds);
  kubelet.systemReservedCgroup = "/sys";
  kubelet.kubeReservedCgroup = "/kube";
  return kubelet;
}

TEST(AllocatableSettings, reserved_cgroups_are_limited_only_where_that_is_asked_for) {
  EXPECT_TRUE(resolve_allocatable({}).reserved.empty());
  EXPECT_TRUE(resolve_allocatable(enforcing({"pods"})).reserved.empty());
  EXPECT_TRUE(resolve_allocatable(enforcing({"none"})).reserved.empty());
  const auto both =
      resolve_allocatable(enforcing({"kube-reserved-compressible", "system-reserved", "pods"}));
  EXPECT_TRUE(both.problems.empty());
  EXPECT_EQ(both.reserved,
            (ReservedEnforcements{
                {.whom = ReservedFor::kSystem, .limits = ReservedLimits::kAll, .cgroup = "/sys"},
                {.whom = ReservedFor::kKube,
                 .limits = ReservedLimits::kCompressible,
                 .cgroup = "/kube"}}));
}

TEST(AllocatableSettings, a_list_of_processors_reserves_as_many_as_it_names) {
  struct Case {
    const char* list;
    std::optional<std::size_t> cpus;
    const char* problem;
  };
  for (const Case& one :
       {Case{"", {}, ""}, Case{"3", 1, ""}, Case{"0-3,8", 5, ""}, Case{"0-3,2-5", 6, ""},
        Case{"7-7", 1, ""}, Case{"3-1", {}, "must list processors like 0-3,8, not \"3-1\""},
        Case{"0,", {}, "must list processors like 0-3,8, not \"0,\""},
        Case{"0,,1", {}, "must list processors like 0-3,8, not \"0,,1\""},
        Case{"two", {}, "must list processors like 0-3,8, not \"two\""},
        Case{"-1", {}, "must list processors like 0-3,8, not \"-1\""},
        Case{"0-99999999", {}, "must list processors like 0-3,8, not \"0-99999999\""}}) {
    KubeletConfiguration kubelet;
    kubelet.reservedSystemCPUs = one.list;
    const auto resolved = resolve_allocatable(kubelet);
    EXPECT_EQ(resolved.cpus, one.cpus) << one.list;
    EXPECT_EQ(resolved.problems.empty() ? "" : resolved.problems[0].message, one.problem);
  }
}

struct Refused {
  KubeletConfiguration kubelet{};
  std::string field{};
  std::string message{};
};

std::vector<Refused> refused() {
  constexpr const char* kField = "enforceNodeAllocatable";
  std::vector<Refused> cases{
      {enforcing({"pods", "pods"}), kField,
       R"(duplicated enforcements "pods" in enforceNodeAllocatable (--enforce-node-allocatable))"},
      {enforcing({"system-reserved", "system-reserved-compressible"}), kField,
       R"(both "system-reserved" and "system-reserved-compressible" cannot be specified together )"
       "in enforceNodeAllocatable (--enforce-node-allocatable)"},
      {enforcing({"kube-reserved-compressible", "kube-reserved"}), kField,
       R"(both "kube-reserved" and "kube-reserved-compressible" cannot be specified together )"
       "in enforceNodeAllocatable (--enforce-node-allocatable)"},
      {enforcing({"none", "pods"}), kField,
       "enforceNodeAllocatable (--enforce-node-allocatable) may not contain additional "
       R"(enforcements when "none" is specified)"},
      {enforcing({"pod"}), kField,
       R"(option "pod" specified for enforceNodeAllocatable (--enforce-node-allocatable). Valid )"
       R"(options are "pods", "system-reserved", "system-reserved-compressible", )"
       R"("kube-reserved", "kube-reserved-compressible" or "none")"}};
  Refused no_cgroup{enforcing({"kube-reserved"}), kField,
                    "kubeReservedCgroup (--kube-reserved-cgroup) must be specified when "
                    R"("kube-reserved" or "kube-reserved-compressible" included in )"
                    "enforceNodeAllocatable (--enforce-node-allocatable)"};
  no_cgroup.kubelet.kubeReservedCgroup.reset();
  cases.push_back(no_cgroup);
  Refused no_tiers{enforcing({"pods"}), kField,
                   R"(cgroupsPerQOS (--cgroups-per-qos) must be set to true when "pods" contained )"
                   "in enforceNodeAllocatable (--enforce-node-allocatable)"};
  no_tiers.kubelet.cgroupsPerQOS = false;
  cases.push_back(no_tiers);
  Refused cpus{enforcing({"pods"}), "reservedSystemCPUs",
               "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup "
               "(--system-reserved-cgroup) or kubeReservedCgroup (--kube-reserved-cgroup)"};
  cpus.kubelet.reservedSystemCPUs = "0-1";
  cases.push_back(cpus);
  Refused gpu{{}, "systemReserved[gpu]", R"(cannot reserve "gpu" resource)"};
  gpu.kubelet.systemReserved = {{"gpu", "1"}, {"pid", "100"}};
  cases.push_back(gpu);
  Refused no_root{{},
                  "systemCgroups",
                  "systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) "
                  "was not specified"};
  no_root.kubelet.systemCgroups = "/sys";
  cases.push_back(no_root);
  return cases;
}

TEST(AllocatableSettings, what_the_kubelet_refuses_is_refused_in_its_words) {
  for (const Refused& one : refused()) {
    const auto problems = resolve_allocatable(one.kubelet).problems;
    ASSERT_EQ(problems.size(), 1U) << one.message;
    EXPECT_EQ(problems[0].field, one.field);
    EXPECT_EQ(problems[0].message, one.message);
  }
}

}  // namespace
}  // namespace berth::agent
