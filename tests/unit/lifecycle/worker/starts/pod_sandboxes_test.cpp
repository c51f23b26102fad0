// SPDX-License-Identifier: Apache-2.0

// What is reported about a pod's sandbox while it is made.
#include "lifecycle/worker/starts/pod_sandboxes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

class PodSandboxesTest : public PodSetTest {
 protected:
  [[nodiscard]] std::vector<std::string> of(std::string_view reason) const {
    std::vector<std::string> found;
    for (const std::string& text : recorded_events.texts)
      if (text.starts_with(reason)) found.push_back(text);
    return found;
  }
};

TEST_F(PodSandboxesTest, a_pod_that_expects_the_dns_server_of_a_cluster_is_told_there_is_none) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.dnsPolicy = "ClusterFirst";
  desire({made});
  clock.advance(5s);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(of("MissingClusterDNS"),
            std::vector<std::string>{
                "MissingClusterDNS: pod: \"web_default(u1)\". kubelet does not have ClusterDNS IP "
                "configured and cannot create Pod using \"ClusterFirst\" policy. Falling back to "
                "\"Default\" policy."});
}

TEST_F(PodSandboxesTest, what_exceeds_the_limits_of_a_resolver_is_reported_and_left_out) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.dnsPolicy = "None";
  made->spec.dnsConfig =
      api::PodDNSConfig{.nameservers = {"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"}};
  desire({made});
  clock.advance(5s);
  EXPECT_EQ(of("DNSConfigForming"),
            std::vector<std::string>{
                "DNSConfigForming: Nameserver limits were exceeded, some nameservers have been "
                "omitted, the applied nameserver line is: 192.0.2.1 192.0.2.2 192.0.2.3"});
}

TEST_F(PodSandboxesTest, a_sandbox_that_is_tried_again_reports_it_once) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.dnsPolicy = "ClusterFirst";
  clock.advance(1s);  // berthd has listed what the runtime has
  runtime.set_faults({.failed_before = 1000});
  desire({made});
  clock.advance(5s);
  EXPECT_GE(of("FailedCreatePodSandBox").size(), 1U);
  runtime.set_faults({});
  clock.advance(30s);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(of("MissingClusterDNS").size(), 1U);
}

TEST_F(PodSandboxesTest, an_unreadable_resolver_file_is_reported_once_for_each_sandbox) {
  const auto reported = [this] { return of("DNSConfigForming").size(); };
  clock.advance(1s);  // berthd has listed what the runtime has
  runtime.set_faults({.failed_before = 1000});
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(5s);
  EXPECT_GE(of("FailedCreatePodSandBox").size(), 1U);
  EXPECT_EQ(reported(), 0U);
  host.set_dns({.problem = "resolvConf: no such file"});
  runtime.set_faults({});
  clock.advance(1min);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(reported(), 1U) << "it could be read when the sandbox was first asked for";
  runtime.sandbox_dies(runtime.sandboxes().at(0).id, true);
  clock.advance(1min);
  EXPECT_EQ(reported(), 2U);
}

TEST_F(PodSandboxesTest, a_pod_with_a_resolver_of_its_own_does_not_mind_an_unreadable_file) {
  host.set_dns({.problem = "resolvConf: no such file"});
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.dnsPolicy = "None";
  made->spec.dnsConfig = api::PodDNSConfig{.nameservers = {"192.0.2.3"}};
  desire({made});
  clock.advance(10s);
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(of("DNSConfigForming").size(), 0U);
}

TEST_F(PodSandboxesTest, nothing_of_a_pod_begins_before_the_runtime_has_a_network_for_it) {
  agent->pods().set_network_error("the plugin is missing");
  auto alone = pod("u2", {container("main", {"sim"})});
  alone->metadata.name = "alone";
  alone->spec.hostNetwork = true;
  desire({pod("u1", {container("main", {"sim"})}), alone});
  clock.advance(1min);
  EXPECT_EQ(live(), 1) << "a pod in the network of its host minds nothing";
  EXPECT_EQ(runtime.sandboxes().size(), 1U);
  EXPECT_EQ(of("FailedCreatePodSandBox").size(), 0U);
  EXPECT_EQ(
      of("NetworkNotReady"),
      std::vector<std::string>{"NetworkNotReady: network is not ready: the plugin is missing"});
  agent->pods().set_network_error("the plugin is broken");
  clock.advance(1min);
  EXPECT_EQ(of("NetworkNotReady").size(), 2U);
  EXPECT_EQ(kept.texts("NetworkNotReady").size(), 2U);
  agent->pods().set_network_error("");
  clock.advance(5s);
  EXPECT_EQ(live(), 2);
}

TEST_F(PodSandboxesTest, what_runs_goes_on_when_the_network_is_lost) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(5s);
  agent->pods().set_network_error("the plugin is missing");
  clock.advance(1min);
  EXPECT_EQ(live(), 1);
  desire({});
  clock.advance(1min);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"}) << "its end needs no network";
}

}  // namespace
}  // namespace berth::lifecycle
