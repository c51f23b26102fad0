// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/pod_status.hpp"

#include <gtest/gtest.h>

#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/pod_addresses.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

struct Case {
  api::Pod spec{};
  RuntimePod shown{};
  api::PodStatus previous{};
  NodeAddresses addresses{};
  bool deadline_exceeded = false;
  bool terminal = false;
  bool phase_decided = false;

  api::PodStatus status() const {
    const ProbeResults probes;
    const StartErrors errors;
    const ActuatedResources actuated = actuated_as_specified(spec);
    return compute_pod_status({.pod = spec,
                               .previous = &previous,
                               .runtime = shown,
                               .actuated = actuated,
                               .start_errors = errors,
                               .probes = probes,
                               .addresses = addresses,
                               .qos_class = "BestEffort",
                               .pod_is_terminal = terminal,
                               .phase_decided = phase_decided,
                               .deadline_exceeded = deadline_exceeded});
  }
};

TEST(PodStatus, a_running_pod_is_ready_without_probes) {
  const Case one{.spec = pod({container("app")}), .shown = runtime({running("app")})};
  const auto out = one.status();
  EXPECT_EQ(out.phase, "Running");
  EXPECT_EQ(find_condition(out.conditions, kPodReady)->status, "True");
  EXPECT_EQ(out.podIP, "10.0.0.7");
}

TEST(PodStatus, past_its_deadline_a_pod_has_failed_whatever_runs) {
  const Case one{.spec = pod({container("app")}),
                 .shown = runtime({running("app")}),
                 .deadline_exceeded = true};
  const auto out = one.status();
  EXPECT_EQ(out.phase, "Failed");
  EXPECT_EQ(out.reason, "DeadlineExceeded");
  EXPECT_EQ(out.message, "Pod was active on the node longer than the specified deadline");
}

TEST(PodStatus, a_deleted_pod_that_exits_cleanly_has_succeeded) {
  Case one{.spec = pod({container("app")}), .shown = runtime({exited("app", 0)}), .terminal = true};
  EXPECT_EQ(one.status().phase, "Succeeded");
  // The kubelet's rule for static pods must be enabled; by default they end like others.
  one.spec.metadata.annotations["kubernetes.io/config.source"] = "file";
  EXPECT_EQ(one.status().phase, "Succeeded");
}

TEST(PodStatus, host_network_pods_have_the_nodes_addresses) {
  Case one{.spec = pod({container("app")}),
           .shown = runtime({running("app")}),
           .addresses = {.host_ips = {"192.168.1.5", "fd01::5"}}};
  one.spec.spec.hostNetwork = true;
  one.shown.ips.clear();
  const auto out = one.status();
  EXPECT_EQ(out.hostIP, "192.168.1.5");
  EXPECT_EQ(out.podIP, "192.168.1.5");
  EXPECT_EQ(out.podIPs.size(), 2U);
}

TEST(PodStatus, one_address_of_each_family_in_canonical_form) {
  Case one{.spec = pod({container("app")}), .shown = runtime({running("app")})};
  one.shown.ips = {"FD00:0:0::7", "nonsense", "10.0.0.7", "10.0.0.8"};
  auto out = one.status();
  ASSERT_EQ(out.podIPs.size(), 2U);
  EXPECT_EQ(out.podIPs[0].ip, "10.0.0.7");
  EXPECT_EQ(out.podIPs[1].ip, "fd00::7");
  one.addresses.node_ips = {"fd01::5"};
  EXPECT_EQ(one.status().podIP, "fd00::7");
}

TEST(PodStatus, the_environment_has_the_addresses_in_the_same_order) {
  const std::vector<std::string> reported = {"fd00::7", "nonsense", "10.0.0.7", "10.0.0.8"};
  for (const char* first : {"192.168.1.5", "fd01::5"}) {
    for (const bool on_host : {false, true}) {
      Case one{.spec = pod({container("app")}),
               .shown = runtime({running("app")}),
               .addresses = {.host_ips = {first}, .node_ips = {first}}};
      one.spec.spec.hostNetwork = on_host;
      one.shown.ips = on_host ? std::vector<std::string>{} : reported;
      std::vector<std::string> shown;
      for (const api::PodIP& address : one.status().podIPs) shown.push_back(address.ip);
      EXPECT_FALSE(shown.empty());
      EXPECT_EQ(pod_ips_in_status(one.spec, one.shown.ips, one.addresses), shown) << first;
    }
  }
}

TEST(RejectedStatus, says_why_and_nothing_else) {
  const auto out = rejected_status("NodePorts", "Node didn't have free ports", "BestEffort");
  EXPECT_EQ(out.phase, "Failed");
  EXPECT_EQ(out.reason, "NodePorts");
  EXPECT_EQ(out.message, "Pod was rejected: Node didn't have free ports");
  EXPECT_TRUE(out.conditions.empty());
  EXPECT_TRUE(out.containerStatuses.empty());
}

TEST(FinaliseStatus, what_nobody_saw_end_did_not_succeed) {
  const Case one{.spec = pod({container("app")}), .shown = runtime({running("app")})};
  const auto out = finalise_status(one.spec, one.status(), {});
  EXPECT_EQ(out.phase, "Failed");
  ASSERT_TRUE(out.containerStatuses[0].state.terminated.has_value());
  EXPECT_EQ(out.containerStatuses[0].state.terminated->exitCode, 137);
  EXPECT_EQ(out.containerStatuses[0].state.terminated->reason, "ContainerStatusUnknown");
}

TEST(FinaliseStatus, containers_whose_turn_never_came_keep_waiting) {
  Case one{.spec = pod({container("app")}), .shown = runtime({running("first")})};
  one.spec.spec.initContainers = {container("first"), container("second")};
  const auto out = finalise_status(one.spec, one.status(), {});
  EXPECT_TRUE(out.initContainerStatuses[0].state.terminated.has_value());
  EXPECT_TRUE(out.initContainerStatuses[1].state.waiting.has_value());
  EXPECT_TRUE(out.containerStatuses[0].state.waiting.has_value());
  EXPECT_EQ(out.phase, "Failed");
}

TEST(FinaliseStatus, static_pods_keep_their_phase_only_by_the_kubelets_rule) {
  Case one{.spec = pod({container("app")}), .shown = runtime({running("app")})};
  one.spec.metadata.annotations["kubernetes.io/config.source"] = "file";
  EXPECT_EQ(finalise_status(one.spec, one.status(), {}).phase, "Failed");
  EXPECT_EQ(finalise_status(one.spec, one.status(), {.static_pod_rules = true}).phase, "Running");
}

RuntimeContainer instance(std::int32_t number, RuntimeContainer container) {
  container.id = cri::ContainerId(container.id.str() + std::to_string(number));
  container.restart_count = number;
  return container;
}

TEST(AsEnded, what_turns_up_later_changes_neither_the_phase_nor_how_containers_ended) {
  const auto created = [](std::string name) {
    return record(std::move(name), cri::ContainerState::kCreated);
  };
  struct Row {
    std::string_view what{};
    std::vector<RuntimeContainer> published{};
    std::vector<RuntimeContainer> later{};
  };
  const RuntimeContainer other = exited("other", 0);
  const std::vector<Row> rows = {
      {.what = "created by a late call",
       .published = {instance(0, exited("app", 0)), other},
       .later = {instance(1, created("app")), instance(0, exited("app", 0)), other}},
      {.what = "created by a late call, and its start failed",
       .published = {instance(0, exited("app", 0)), other},
       .later = {instance(1, exited("app", 128)), instance(0, exited("app", 0)), other}},
      {.what = "started by a late call",
       .published = {created("app"), other},
       .later = {exited("app", 0), other}},
      {.what = "an older instance, left when the newest was removed",
       .published = {instance(1, exited("app", 0)), instance(0, exited("app", 3)), other},
       .later = {instance(0, exited("app", 3)), other}},
      {.what = "an older instance, removed when the newest had ended",
       .published = {instance(1, exited("app", 0)), instance(0, exited("app", 3)), other},
       .later = {instance(1, exited("app", 0)), other}},
      {.what = "created, and its turn had not come",
       .published = {exited("app", 1)},
       .later = {exited("app", 1), created("other")}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    Case one{.spec = pod({container("app"), container("other")}),
             .shown = runtime(row.published),
             .terminal = true};
    const auto ended = finalise_status(one.spec, one.status(), {});
    one.previous = ended;
    one.shown = reported_in_end(ended, runtime(row.later));
    const auto later = with_decided_history(ended, finalise_status(one.spec, one.status(), {}));
    EXPECT_EQ(later.phase, ended.phase);
    ASSERT_EQ(later.containerStatuses.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(later.containerStatuses[i].state == ended.containerStatuses[i].state);
      EXPECT_TRUE(later.containerStatuses[i].lastState == ended.containerStatuses[i].lastState);
    }
  }
}

TEST(AsEnded, which_instance_a_container_was_stays_though_it_never_began_and_is_removed) {
  Case one{.spec = pod({container("app")}),
           .shown = runtime({exited("first", 1), record("app", cri::ContainerState::kCreated)}),
           .terminal = true};
  one.spec.spec.initContainers = {container("first")};
  const auto ended = finalise_status(one.spec, one.status(), {});
  ASSERT_FALSE(ended.containerStatuses[0].containerID.empty());
  one.previous = ended;
  one.shown = reported_in_end(ended, runtime({exited("first", 1)}));
  const auto later = with_decided_history(ended, finalise_status(one.spec, one.status(), {}));
  EXPECT_EQ(later.containerStatuses[0].containerID, ended.containerStatuses[0].containerID);
}

TEST(AsEnded, the_runtimes_last_word_on_how_the_same_container_ended_is_still_taken) {
  Case one{.spec = pod({container("app")}), .shown = runtime({exited("app", 3)})};
  one.previous = one.status();
  one.shown.containers[0].reason = "OOMKilled";
  one.shown = reported_in_end(one.previous, one.shown);
  EXPECT_EQ(one.status().containerStatuses[0].state.terminated->reason, "OOMKilled");
}

TEST(WithoutUnstarted,
     of_a_pod_that_ends_an_instance_that_ran_shows_how_and_one_only_made_does_not) {
  const auto made = [](std::uint32_t number, const char* name) {
    return instance(number, record(name, cri::ContainerState::kCreated));
  };
  const auto left = without_unstarted(
      runtime({made(1, "app"), instance(0, exited("app", 0)), made(0, "never"), made(2, "late")}),
      true);
  ASSERT_EQ(left.containers.size(), 3U);
  EXPECT_EQ(left.containers[0].name, "app");
  EXPECT_EQ(left.containers[0].state, cri::ContainerState::kExited);
  EXPECT_EQ(left.containers[1].name, "never");
  EXPECT_EQ(left.containers[2].name, "late");
}

TEST(WithoutUnstarted, of_a_pod_that_goes_on_only_what_is_in_a_sandbox_that_is_gone_is_left_out) {
  for (const bool ready : {true, false}) {
    RuntimePod shown = runtime(
        {instance(1, record("app", cri::ContainerState::kCreated)), instance(0, exited("app", 0))});
    ASSERT_FALSE(shown.sandboxes.empty());
    shown.sandboxes[0].state = ready ? cri::SandboxState::kReady : cri::SandboxState::kNotReady;
    shown.containers[0].sandbox = shown.sandboxes[0].id;
    EXPECT_EQ(without_unstarted(shown, false).containers.size(), ready ? 2U : 1U);
  }
}

TEST(WithoutUnstarted, and_yet_the_restart_that_was_counted_stays_counted) {
  Case one{.spec = pod({container("app")}),
           .shown = runtime({instance(3, record("app", cri::ContainerState::kCreated)),
                             instance(2, exited("app", 1))})};
  const auto before = one.status();
  one.shown = without_unstarted(one.shown, true);
  const auto after = with_restarts_counted(before, one.status());
  EXPECT_EQ(after.containerStatuses[0].restartCount, before.containerStatuses[0].restartCount);
  ASSERT_TRUE(after.containerStatuses[0].state.terminated);
  EXPECT_EQ(after.containerStatuses[0].state.terminated->exitCode, 1);
}

TEST(PodStatus, the_phase_by_which_a_pod_ends_is_not_replaced_by_another_one) {
  Case one{.spec = pod({container("app")}, "Never"), .shown = runtime({exited("app", 0)})};
  one.previous.phase = kFailed;
  EXPECT_EQ(one.status().phase, kSucceeded);
  one.phase_decided = true;
  EXPECT_EQ(one.status().phase, kFailed);
}

TEST(UnreportedInstances, is_every_instance_but_the_one_whose_end_was_published) {
  Case one{.spec = pod({container("app")}), .shown = runtime({instance(1, exited("app", 0))})};
  const auto ended = one.status();
  const auto late = instance(2, record("app", cri::ContainerState::kCreated));
  const auto older = instance(0, exited("app", 3));
  const auto rest = runtime({late, instance(1, exited("app", 0)), older, exited("foreign", 0)});
  EXPECT_EQ(unreported_instances(ended, rest), (std::vector{late.id, older.id}));
}

}  // namespace
}  // namespace berth::lifecycle::test
