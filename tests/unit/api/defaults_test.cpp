// SPDX-License-Identifier: Apache-2.0

#include "api/defaults.hpp"

#include <gtest/gtest.h>

#include "api/image_reference.hpp"
#include "api/pod_resources.hpp"

namespace berth::api {
namespace {

Quantity amount(const char* text) {
  return Quantity::parse(text).value();
}

Pod pod_with_image(const std::string& image) {
  Pod pod;
  pod.spec.containers.push_back(Container{.name = "c", .image = image});
  return pod;
}

TEST(Defaults, images_that_can_change_under_their_name_are_pulled_always) {
  const std::string digest = "sha256:" + std::string(64, 'a');
  const std::pair<std::string, const char*> cases[] = {
      {"nginx", "Always"},
      {"nginx:latest", "Always"},
      {"nginx:1.27", "IfNotPresent"},
      {"registry.example:5000/a/b", "Always"},
      {"registry.example:5000/a/b:v1", "IfNotPresent"},
      {"nginx@" + digest, "IfNotPresent"},
      {"nginx:latest@" + digest, "Always"},
      {"Not An Image", "IfNotPresent"},
      {"", "IfNotPresent"},
  };
  for (const auto& [image, policy] : cases) {
    Pod pod = pod_with_image(image);
    apply_defaults(pod);
    EXPECT_EQ(pod.spec.containers[0].imagePullPolicy, policy) << image;
  }
}

TEST(Defaults, twice_is_the_same_as_once) {
  Pod pod = pod_with_image("nginx");
  pod.spec.hostNetwork = true;
  pod.spec.volumes.push_back(Volume{.name = "v"});
  pod.spec.containers[0].ports.push_back(ContainerPort{.containerPort = 80});
  pod.spec.containers[0].resources.limits["cpu"] = amount("100500u");
  pod.spec.containers[0].livenessProbe = Probe{.httpGet = HTTPGetAction{.port = 80}};
  apply_defaults(pod);
  Pod again = pod;
  apply_defaults(again);
  EXPECT_EQ(pod, again);
  EXPECT_EQ(pod.spec.containers[0].ports[0].hostPort, 80);
  EXPECT_TRUE(pod.spec.volumes[0].emptyDir.has_value());
  EXPECT_EQ(pod.spec.containers[0].resources.requests["cpu"], amount("101m"));
}

TEST(Defaults, a_negative_grace_period_becomes_one_second) {
  Pod pod = pod_with_image("nginx");
  pod.spec.terminationGracePeriodSeconds = -5;
  apply_defaults(pod);
  EXPECT_EQ(pod.spec.terminationGracePeriodSeconds, 1);
}

TEST(Defaults, string_data_of_a_secret_wins_over_data) {
  Secret secret;
  secret.data["k"] = Bytes{.data = "old"};
  secret.stringData["k"] = "new";
  apply_defaults(secret);
  EXPECT_EQ(secret.data["k"].data, "new");
  EXPECT_TRUE(secret.stringData.empty());
  EXPECT_EQ(secret.type, "Opaque");
}

TEST(ImageReference, is_taken_apart) {
  const std::string digest = "sha256:" + std::string(64, 'a');
  const std::pair<std::string, ImageReference> cases[] = {
      {"nginx", {.name = "docker.io/library/nginx"}},
      {"a/b:v1", {.name = "docker.io/a/b", .tag = "v1"}},
      {"localhost/b", {.name = "localhost/b"}},
      {"host:5000/b:1", {.name = "host:5000/b", .tag = "1"}},
      {"b:1@" + digest, {.name = "docker.io/library/b", .tag = "1", .digest = digest}},
      {"a__b/c-d.e", {.name = "docker.io/a__b/c-d.e"}},
  };
  for (const auto& [text, expected] : cases) {
    const auto parsed = parse_image_reference(text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error();
    EXPECT_EQ(*parsed, expected) << text;
  }
}

TEST(ImageReference, what_is_none_says_why) {
  const std::string id(64, 'a');
  const std::pair<std::string, std::string> cases[] = {
      {"Busybox:1",
       "invalid reference format: repository name (library/Busybox) must be lowercase"},
      {"a/B", "invalid reference format: repository name (a/B) must be lowercase"},
      {"localhost/Web:x:y", "invalid reference format: repository name (Web) must be lowercase"},
      {"a..b", "invalid reference format"},
      {"a:", "invalid reference format"},
      {" a", "invalid reference format"},
      {"a@sha256:abc", "invalid reference format"},
      {"a@sha256:" + std::string(40, 'a'), "invalid checksum digest length"},
      {"a@sha256:" + std::string(64, 'A'), "invalid checksum digest format"},
      {"a@md5:" + std::string(32, 'a'), "unsupported digest algorithm"},
      {id, "invalid repository name (" + id + "), cannot specify 64-byte hexadecimal strings"},
      {std::string(300, 'a'), "repository name must not be more than 255 characters"},
  };
  for (const auto& [text, problem] : cases) {
    const auto parsed = parse_image_reference(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error(), problem) << text;
  }
}

TEST(ImageReference, gets_a_tag_only_if_it_has_neither_tag_nor_digest) {
  EXPECT_EQ(with_default_tag("busybox"), "busybox:latest");
  EXPECT_EQ(with_default_tag("busybox:1"), "busybox:1");
  EXPECT_EQ(with_default_tag("host:5000/busybox"), "host:5000/busybox:latest");
  EXPECT_EQ(with_default_tag("host:5000/busybox:1"), "host:5000/busybox:1");
  EXPECT_EQ(with_default_tag("a@sha256:00"), "a@sha256:00");
}

TEST(PodResources, the_peak_of_init_containers_counts_with_the_sidecars_before_them) {
  Pod pod;
  const auto container = [](const char* name, const char* cpu, bool sidecar) {
    Container made{.name = name};
    made.resources.requests["cpu"] = amount(cpu);
    if (sidecar) made.restartPolicy = "Always";
    return made;
  };
  pod.spec.initContainers = {container("i0", "1", false), container("s", "500m", true),
                             container("i1", "2", false)};
  pod.spec.containers = {container("a", "1", false)};
  EXPECT_EQ(pod_requests(pod).at("cpu"), amount("2500m"));
  pod.spec.overhead["cpu"] = amount("100m");
  EXPECT_EQ(pod_requests(pod).at("cpu"), amount("2600m"));
  pod.spec.resources.emplace().requests["cpu"] = amount("5");
  EXPECT_EQ(pod_requests(pod).at("cpu"), amount("5100m"));
  EXPECT_EQ(ranked_request(pod, "cpu"), amount("5100m"));
  EXPECT_TRUE(ranked_request(pod, "memory").is_zero());
}

struct Asking {
  const char* cpu = nullptr;
  const char* memory = nullptr;
  bool sidecar = false;
};

Pod pod_asking(const std::vector<Asking>& init, const std::vector<Asking>& main,
               const Asking& overhead = {}) {
  const auto list = [](const Asking& asking) {
    ResourceList out;
    if (asking.cpu != nullptr) out["cpu"] = amount(asking.cpu);
    if (asking.memory != nullptr) out["memory"] = amount(asking.memory);
    return out;
  };
  const auto containers = [&](const std::vector<Asking>& all) {
    std::vector<Container> out;
    for (const Asking& one : all) {
      out.push_back({.name = "c", .resources = {.requests = list(one)}});
      if (one.sidecar) out.back().restartPolicy = "Always";
    }
    return out;
  };
  Pod pod;
  pod.spec.initContainers = containers(init);
  pod.spec.containers = containers(main);
  pod.spec.overhead = list(overhead);
  return pod;
}

TEST(PodResources, one_resource_alone_is_as_much_as_in_the_list_of_all) {
  const Pod pods[] = {
      pod_asking({}, {}),
      pod_asking({}, {{.cpu = "1", .memory = "1Gi"}}),
      pod_asking({}, {{.cpu = "100m"}, {.memory = "1G"}, {.cpu = "1.5", .memory = "+64Mi"}}),
      pod_asking({{.cpu = "3"}, {.memory = "2Gi"}}, {{.cpu = "1"}, {.memory = "1Gi"}}),
      pod_asking({{.cpu = "1", .sidecar = true}, {.cpu = "2", .memory = "9Gi"}}, {{.cpu = "500m"}}),
      pod_asking({{.cpu = "2"}, {.memory = "1Mi", .sidecar = true}, {.memory = "5Mi"}},
                 {{.memory = "5M"}, {.cpu = "10m"}}),
      pod_asking({{.memory = "1Mi", .sidecar = true}, {.cpu = "1"}, {.cpu = "7", .sidecar = true}},
                 {{.memory = "0"}}),
      pod_asking({}, {{.memory = "64Mi"}}, {.cpu = "250m", .memory = "120Mi"}),
      pod_asking({{.cpu = "2", .memory = "0"}}, {{.memory = "64Mi"}}, {.cpu = "250m"}),
      pod_asking({}, {{.cpu = "0"}}, {.cpu = "250m"}),
  };
  for (const Pod& pod : pods) {
    ResourceList all = pod_requests(pod, {.exclude_overhead = true});
    for (const char* resource : {"cpu", "memory", "ephemeral-storage"}) {
      Quantity listed = all[resource];
      if (!listed.is_zero() && pod.spec.overhead.contains(resource))
        listed += pod.spec.overhead.at(resource);
      const Quantity alone = ranked_request(pod, resource);
      EXPECT_EQ(alone, listed) << resource << " of pod " << &pod - pods;
      EXPECT_EQ(alone.to_string(), listed.is_zero() ? "0" : listed.to_string())
          << resource << " of pod " << &pod - pods;
    }
  }
}

TEST(PodResources, one_resource_alone_counts_what_its_containers_ask_together) {
  const Pod pod = pod_asking({{.cpu = "1", .memory = "10Mi", .sidecar = true},
                              {.cpu = "4", .memory = "20Mi"},
                              {.cpu = "1", .memory = "10Mi", .sidecar = true}},
                             {{.cpu = "1", .memory = "100Mi"}, {.cpu = "1", .memory = "100Mi"}},
                             {.memory = "5Mi"});
  EXPECT_EQ(ranked_request(pod, "cpu"), amount("5")) << "the second init container, one sidecar";
  EXPECT_EQ(ranked_request(pod, "memory"), amount("225Mi")) << "all that runs in the end";
}

}  // namespace
}  // namespace berth::api
