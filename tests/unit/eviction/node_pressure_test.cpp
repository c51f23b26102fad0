// SPDX-License-Identifier: Apache-2.0

// Pressure as the node shows it, and which pods may start during it.
#include <gtest/gtest.h>

#include "eviction/node_conditions.hpp"
#include "eviction/pressure_admission.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum PressureCondition;

api::Time at(std::int64_t seconds) {
  return api::Time::from_unix_seconds(seconds);
}

TEST(PressureConditions, are_all_three_with_the_kubelets_words) {
  const auto shown = pressure_conditions({kDiskPressure}, {}, at(5));
  ASSERT_EQ(shown.conditions.size(), 3U);
  EXPECT_EQ(shown.conditions[0],
            (api::NodeCondition{.type = "MemoryPressure",
                                .status = "False",
                                .lastHeartbeatTime = at(5),
                                .lastTransitionTime = at(5),
                                .reason = "KubeletHasSufficientMemory",
                                .message = "kubelet has sufficient memory available"}));
  EXPECT_EQ(shown.conditions[1].status, "True");
  EXPECT_EQ(shown.conditions[1].reason, "KubeletHasDiskPressure");
  EXPECT_EQ(shown.conditions[2].message, "kubelet has sufficient PID available");
  EXPECT_EQ(shown.events,
            (std::vector<std::string>{"NodeHasSufficientMemory", "NodeHasDiskPressure",
                                      "NodeHasSufficientPID"}));
  EXPECT_EQ(status_event_message("n1", shown.events[1]),
            "Node n1 status is now: NodeHasDiskPressure");
}

TEST(PressureConditions, change_with_their_status_only) {
  auto shown = pressure_conditions({kMemoryPressure}, {}, at(5)).conditions;
  shown[0].reason = "KeptAsItIs";
  const auto same = pressure_conditions({kMemoryPressure}, shown, at(9));
  EXPECT_TRUE(same.events.empty());
  EXPECT_EQ(same.conditions[0].reason, "KeptAsItIs");
  EXPECT_EQ(same.conditions[0].lastTransitionTime, at(5));
  EXPECT_EQ(same.conditions[0].lastHeartbeatTime, at(9));
  const auto over = pressure_conditions({}, same.conditions, at(12));
  EXPECT_EQ(over.events, std::vector<std::string>{"NodeHasSufficientMemory"});
  EXPECT_EQ(over.conditions[0].lastTransitionTime, at(12));
}

TEST(PressureTaints, keep_new_pods_away) {
  EXPECT_EQ(pressure_taint(kPidPressure),
            (api::Taint{.key = "node.kubernetes.io/pid-pressure", .effect = "NoSchedule"}));
}

api::Pod tolerating(const char* key, const char* effect) {
  api::Pod pod = make_pod({.name = "best-effort"});
  pod.spec.tolerations = {{.key = key, .operator_ = "Exists", .effect = effect}};
  return pod;
}

TEST(Admission, under_pressure_is_kubernetes) {
  struct Case {
    std::vector<PressureCondition> conditions{};
    api::Pod pod{};
    AdmissionGround ground{};
  };
  const api::Pod best_effort = make_pod({.name = "best-effort"});
  const api::Pod burstable = make_pod({.name = "burstable", .memory_request = "1Mi"});
  const api::Pod critical = make_pod({.name = "critical", .priority = 2'000'000'000});
  const api::Pod tolerant = tolerating("node.kubernetes.io/memory-pressure", "NoSchedule");
  const api::Pod tolerant_of_all = tolerating("", "");
  using enum AdmissionGround;
  const Case cases[] = {
      {{}, best_effort, kNoPressure},
      {{kDiskPressure}, critical, kCritical},
      {{kMemoryPressure}, burstable, kNotBestEffort},
      {{kMemoryPressure}, best_effort, kUnderPressure},
      {{kMemoryPressure}, tolerant, kTolerates},
      {{kMemoryPressure}, tolerant_of_all, kTolerates},
      {{kMemoryPressure},
       tolerating("node.kubernetes.io/memory-pressure", "NoExecute"),
       kUnderPressure},
      {{kDiskPressure}, tolerating("node.kubernetes.io/disk-pressure", ""), kUnderPressure},
      {{kDiskPressure}, burstable, kUnderPressure},
      {{kMemoryPressure, kPidPressure}, tolerant_of_all, kUnderPressure},
  };
  for (const Case& one : cases) {
    const auto admission = admit_under_pressure(one.conditions, one.pod, kRules);
    EXPECT_EQ(admission.ground, one.ground) << one.pod.metadata.name;
    EXPECT_EQ(admission.admitted, one.ground != kUnderPressure);
    EXPECT_EQ(admission.reason, admission.admitted ? "" : "Evicted");
  }
}

TEST(Admission, that_is_refused_names_every_condition) {
  EXPECT_EQ(admit_under_pressure({kDiskPressure, kMemoryPressure}, make_pod({.name = "a"}), kRules)
                .message,
            "The node had condition: [DiskPressure MemoryPressure]. ");
}

}  // namespace
}  // namespace berth::eviction
