// SPDX-License-Identifier: Apache-2.0

// Our requests to the runtime, compared with a kubelet's for the same manifests.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "api/codec.hpp"
#include "api/defaults.hpp"
#include "node/container/container_config.hpp"
#include "node/sandbox_config.hpp"
#include "tests/test_paths.hpp"
#include "tests/unit/node/recorded_messages.hpp"

namespace berth::node {
namespace {

// The recorded machine: cgroup v1 with swap accounting, two huge page sizes.
NodeView recorded_node() {
  NodeView node;
  node.config.node_name = "node1";
  node.config.paths.root = "/var/lib/kubelet";
  node.config.static_pods_are_critical = true;
  node.facts.cgroup_version = 1;
  node.facts.swap_controller_available = true;
  node.facts.memory = std::int64_t{64} << 30;
  node.facts.huge_pages = {{.page_size = std::int64_t{2} << 20},
                           {.page_size = std::int64_t{1} << 30}};
  node.host_dns.servers = {"192.0.2.53"};
  node.allocatable = {{"cpu", api::Quantity::from_int(4)}};
  return node;
}

// The pod as the kubelet had it: its name includes the node's, and it has the recorded identity.
api::Pod recorded_pod(const cri::PodSandboxConfig& recorded) {
  const std::string name = recorded.metadata.name.substr(0, recorded.metadata.name.rfind('-'));
  std::ifstream file(test_data() / "cri-recordings/manifests" / (name + ".yaml"));
  std::stringstream text;
  text << file.rdbuf();
  const auto tree = api::parse_first_document(text.str());
  if (!tree) throw std::runtime_error("the manifest does not parse");
  auto decoded = api::decode<api::Pod>(*tree, api::FieldValidation::kStrict);
  if (!decoded) throw std::runtime_error("the manifest is no pod");
  api::Pod pod = std::move(decoded->object);
  api::apply_defaults(pod);
  pod.metadata.name = recorded.metadata.name;
  pod.metadata.uid = recorded.metadata.uid;
  for (const auto& [key, value] : recorded.annotations) pod.metadata.annotations[key] = value;
  return pod;
}

const api::Container& container_named(const api::Pod& pod, const std::string& name) {
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    for (const auto& container : *list) {
      if (container.name == name) return container;
    }
  }
  throw std::runtime_error("no container " + name);
}

std::string host_path_of(const cri::ContainerConfig& config, const std::string& container_path) {
  for (const auto& mount : config.mounts) {
    if (mount.container_path == container_path) return mount.host_path;
  }
  return "";
}

void expect_same(const cri::LinuxContainerResources& ours,
                 const cri::LinuxContainerResources& theirs) {
  EXPECT_EQ(ours.cpu_period, theirs.cpu_period);
  EXPECT_EQ(ours.cpu_quota, theirs.cpu_quota);
  EXPECT_EQ(ours.cpu_shares, theirs.cpu_shares);
  EXPECT_EQ(ours.memory_limit_in_bytes, theirs.memory_limit_in_bytes);
  EXPECT_EQ(ours.memory_swap_limit_in_bytes, theirs.memory_swap_limit_in_bytes);
  EXPECT_EQ(ours.oom_score_adj, theirs.oom_score_adj);
  EXPECT_EQ(ours.unified, theirs.unified);
  EXPECT_EQ(ours, theirs);
}

void expect_same(const cri::PodSandboxConfig& ours, const cri::PodSandboxConfig& theirs) {
  EXPECT_EQ(ours.metadata, theirs.metadata);
  EXPECT_EQ(ours.hostname, theirs.hostname);
  EXPECT_EQ(ours.log_directory, theirs.log_directory);
  EXPECT_EQ(ours.dns_config, theirs.dns_config);
  EXPECT_EQ(ours.port_mappings, theirs.port_mappings);
  EXPECT_EQ(ours.labels, theirs.labels);
  EXPECT_EQ(ours.annotations, theirs.annotations);
  EXPECT_EQ(ours.cgroup_parent, theirs.cgroup_parent);
  EXPECT_EQ(ours.sysctls, theirs.sysctls);
  EXPECT_EQ(ours.security_context.namespace_options, theirs.security_context.namespace_options);
  EXPECT_EQ(ours.security_context.supplemental_groups, theirs.security_context.supplemental_groups);
  EXPECT_EQ(ours.security_context.seccomp, theirs.security_context.seccomp);
  EXPECT_EQ(ours.security_context, theirs.security_context);
  expect_same(ours.overhead, theirs.overhead);
  expect_same(ours.resources, theirs.resources);
  EXPECT_EQ(ours, theirs);
}

void expect_same(const cri::ContainerConfig& ours, const cri::ContainerConfig& theirs) {
  EXPECT_EQ(ours.metadata, theirs.metadata);
  EXPECT_EQ(ours.image, theirs.image);
  EXPECT_EQ(ours.command, theirs.command);
  EXPECT_EQ(ours.args, theirs.args);
  EXPECT_EQ(ours.working_dir, theirs.working_dir);
  EXPECT_EQ(ours.envs, theirs.envs);
  EXPECT_EQ(ours.mounts, theirs.mounts);
  EXPECT_EQ(ours.labels, theirs.labels);
  EXPECT_EQ(ours.annotations, theirs.annotations);
  EXPECT_EQ(ours.log_path, theirs.log_path);
  expect_same(ours.resources, theirs.resources);
  EXPECT_EQ(ours.security_context.capabilities, theirs.security_context.capabilities);
  EXPECT_EQ(ours.security_context.run_as_user, theirs.security_context.run_as_user);
  EXPECT_EQ(ours.security_context.masked_paths, theirs.security_context.masked_paths);
  EXPECT_EQ(ours.security_context, theirs.security_context);
  EXPECT_EQ(ours, theirs);
}

TEST(RecordedRequests, sandboxes_are_asked_for_as_the_kubelet_did) {
  const NodeView node = recorded_node();
  const auto requests = recorded::sandbox_requests();
  ASSERT_GE(requests.size(), 6U);
  for (const auto& theirs : requests) {
    SCOPED_TRACE(theirs.metadata.name);
    const api::Pod pod = recorded_pod(theirs);
    auto ours = sandbox_config(node, pod, {.attempt = theirs.metadata.attempt});
    ASSERT_TRUE(ours) << ours.error().message;
    // The only addition is berth's own annotation.
    EXPECT_EQ(ours->annotations.at(kAnnotationIncarnation), "1");
    ours->annotations.erase(kAnnotationIncarnation);
    expect_same(*ours, theirs);
  }
}

TEST(RecordedRequests, containers_are_asked_for_as_the_kubelet_did) {
  const NodeView node = recorded_node();
  const auto requests = recorded::create_requests();
  ASSERT_GE(requests.size(), 10U);
  for (auto [theirs, sandbox] : requests) {
    SCOPED_TRACE(sandbox.metadata.name + " " + theirs.metadata.name);
    api::Pod pod = recorded_pod(sandbox);
    api::Container container = container_named(pod, theirs.metadata.name);
    // A volume of a kind that is not supported yet.
    std::erase_if(container.volumeMounts, [](const auto& mount) { return mount.name == "info"; });
    std::erase_if(theirs.mounts, [](const auto& mount) { return mount.container_path == "/info"; });
    ContainerRequest request{
        .restart_count = theirs.metadata.attempt,
        .hash = theirs.annotations.at(cri::kAnnotationHash),
        .image_ref = theirs.image.image,
        .files = {.etc_hosts = host_path_of(theirs, "/etc/hosts"),
                  .termination_log = host_path_of(theirs, "/dev/termination-log")},
    };
    request.sources.pod_ips = {"10.88.0.16"};
    auto ours = container_config(node, pod, container, request);
    ASSERT_TRUE(ours) << ours.error().message;
    EXPECT_EQ(ours->annotations.at(kAnnotationSpecImage), "localhost/busybox:1");
    ours->annotations.erase(kAnnotationSpecImage);
    // The kubelet only knows the grace period after the pod was ordered to end.
    if (!theirs.annotations.contains(cri::kAnnotationPodDeletionGracePeriod)) {
      EXPECT_FALSE(ours->annotations.contains(cri::kAnnotationPodDeletionGracePeriod));
    }
    expect_same(*ours, theirs);
  }
}

}  // namespace
}  // namespace berth::node
