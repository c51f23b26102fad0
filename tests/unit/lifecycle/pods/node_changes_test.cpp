// SPDX-License-Identifier: Apache-2.0

// What pods make of their node: what an earlier berthd left on it, what appears later, and what it
// cannot say yet.
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;
using Uids = std::set<std::string>;

// The shares of a tier are the sum of its pods' requests, and are written whenever any pod is
// prepared or cleaned up.
TEST_F(PodSetTest, pods_that_run_count_for_their_tier_before_another_pod_is_prepared) {
  const auto web = pod("u1", {container("main", {"sim"})});
  const auto finished = job("u2", "job", 1);
  desire({web, finished});
  clock.advance(2s);
  EXPECT_EQ(host.known(), Uids{"u1"}) << "the job has finished and was cleaned up";
  end_agent();
  begin_agent();
  EXPECT_EQ(host.known(), Uids{});
  auto other = pod("u3", {container("main", {"sim"})});
  other->metadata.name = "other";
  desire({web, finished, other});
  clock.advance(2s);
  EXPECT_EQ(host.known(), (Uids{"u1", "u3"}));
}

TEST_F(PodSetTest, an_image_that_appears_on_the_node_ends_the_wait_for_its_pull) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].image = "missing/app:1";
  desire({made});
  clock.advance(8min);
  ASSERT_EQ(status().containerStatuses.at(0).state.waiting->reason, "ImagePullBackOff");
  runtime.import_image("missing/app:1");
  clock.advance(16s);
  EXPECT_EQ(status().phase, "Running");
}

TEST_F(PodSetTest, an_image_that_must_be_pulled_is_waited_for) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].image = "missing/app:1";
  made->spec.containers[0].imagePullPolicy = "Always";
  desire({made});
  clock.advance(8min);
  runtime.import_image("missing/app:1");
  clock.advance(16s);
  EXPECT_EQ(status().containerStatuses.at(0).state.waiting->reason, "ImagePullBackOff");
}

TEST_F(PodSetTest, each_sandbox_gets_the_name_servers_that_the_host_has_then) {
  host.set_dns({.config = {.servers = {"192.0.2.1"}}});
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(2s);
  const auto servers = [this](std::size_t sandbox) {
    return runtime.sandboxes().at(sandbox).config.dns_config->servers;
  };
  EXPECT_EQ(servers(0), std::vector<std::string>{"192.0.2.1"});
  host.set_dns({.config = {.servers = {"192.0.2.2"}}, .problem = "resolvConf: no such file"});
  runtime.sandbox_dies(runtime.sandboxes().at(0).id, true);
  clock.advance(1min);
  ASSERT_EQ(runtime.sandboxes().size(), 2U);
  EXPECT_EQ(servers(1), std::vector<std::string>{"192.0.2.2"});
  EXPECT_EQ(recorded_events.count("DNSConfigForming: resolvConf: no such file; the pod gets"), 1);
}

TEST_F(PodSetTest, no_container_is_created_before_the_runtime_says_how_it_can_mount) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.volumes = {{.name = "data", .emptyDir = api::EmptyDirVolumeSource{}}};
  made->spec.containers[0].volumeMounts = {
      {.name = "data", .readOnly = true, .recursiveReadOnly = "IfPossible", .mountPath = "/data"}};
  runtime.refuse_own_status();
  desire({made});
  clock.advance(30s);
  EXPECT_TRUE(runtime.instances().empty());
  runtime.refuse_own_status(false);
  clock.advance(11s);
  EXPECT_EQ(status().phase, "Running");
}

}  // namespace
}  // namespace berth::lifecycle
