// What the recorded pods do not show: refusals, users, mounts.
#include "node/container_config.hpp"

#include <gtest/gtest.h>

#include "node/security_context.hpp"

namespace berth::node {
namespace {

api::Pod pod_with(api::Container container) {
  api::Pod pod;
  pod.metadata = {.name = "web", .namespace_ = "team", .uid = "u-1"};
  pod.spec.enableServiceLinks = true;
  pod.spec.containers = {std::move(container)};
  return pod;
}

TEST(RunAsNonRoot, root_is_refused_in_kubernetes_words) {
  struct Case {
    std::optional<std::int64_t> user;
    cri::Image image;
    const char* message;
  };
  const Case cases[] = {
      {1000, {}, ""},
      {0,
       {},
       "container's runAsUser breaks non-root policy (pod: \"web_team(u-1)\", container: c)"},
      {std::nullopt, {.uid = 7}, ""},
      {std::nullopt,
       {.uid = 0},
       "container has runAsNonRoot and image will run as root (pod: \"web_team(u-1)\", container: "
       "c)"},
      {std::nullopt,
       {.username = "www"},
       "container has runAsNonRoot and image has non-numeric user (www), cannot verify user is "
       "non-root (pod: \"web_team(u-1)\", container: c)"},
      {std::nullopt,
       {},
       "container has runAsNonRoot and image will run as root (pod: \"web_team(u-1)\", container: "
       "c)"},
  };
  for (const auto& c : cases) {
    api::Pod pod = pod_with({.name = "c"});
    pod.spec.securityContext = api::PodSecurityContext{.runAsNonRoot = true};
    pod.spec.containers[0].securityContext = api::SecurityContext{.runAsUser = c.user};
    const auto context = container_security_context({}, pod, pod.spec.containers[0], c.image);
    EXPECT_EQ(context ? "" : context.error().message, c.message);
  }
}

TEST(SecurityContext, container_goes_before_pod_and_image) {
  api::Pod pod = pod_with({.name = "c"});
  pod.spec.securityContext = api::PodSecurityContext{
      .runAsUser = 5,
      .runAsGroup = 6,
      .seccompProfile = api::SeccompProfile{.type = "Localhost", .localhostProfile = "a.json"}};
  pod.spec.containers[0].securityContext =
      api::SecurityContext{.runAsUser = 7, .procMount = "Unmasked"};
  const auto context = container_security_context({}, pod, pod.spec.containers[0], {.uid = 9});
  ASSERT_TRUE(context);
  EXPECT_EQ(context->run_as_user, 7);
  EXPECT_EQ(context->run_as_group, 6);
  EXPECT_EQ(context->seccomp->localhost_ref, "/var/lib/berth/seccomp/a.json");
  EXPECT_TRUE(context->masked_paths.empty());
}

TEST(SecurityContext, image_user_is_used_where_none_is_named) {
  const api::Pod pod = pod_with({.name = "c"});
  const auto& container = pod.spec.containers[0];
  EXPECT_EQ(container_security_context({}, pod, container, {.uid = 9})->run_as_user, 9);
  const auto named = container_security_context({}, pod, container, {.username = "www"});
  EXPECT_EQ(named->run_as_username, "www");
  EXPECT_FALSE(named->run_as_user);
}

TEST(ContainerMounts, unknown_volume_is_refused) {
  const api::Pod pod =
      pod_with({.name = "c", .volumeMounts = {{.name = "data", .mountPath = "/d"}}});
  const auto mounts = container_mounts({}, pod, pod.spec.containers[0], {});
  ASSERT_FALSE(mounts);
  EXPECT_EQ(mounts.error().message, "cannot find volume \"data\" to mount into container \"c\"");
}

TEST(ContainerMounts, recursive_read_only_needs_the_runtime) {
  api::Pod pod = pod_with({.name = "c",
                           .volumeMounts = {{.name = "data",
                                             .readOnly = true,
                                             .recursiveReadOnly = "IfPossible",
                                             .mountPath = "d"}}});
  pod.spec.volumes = {{.name = "data", .emptyDir = api::EmptyDirVolumeSource{}}};
  auto& mount = pod.spec.containers[0].volumeMounts[0];
  const auto plain = container_mounts({}, pod, pod.spec.containers[0], {});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->at(0).container_path, "/d");
  EXPECT_EQ(plain->at(0).host_path, "/var/lib/berth/pods/u-1/volumes/kubernetes.io~empty-dir/data");
  EXPECT_FALSE(plain->at(0).recursive_read_only);
  const ContainerRequest able{.recursive_read_only = true};
  EXPECT_TRUE(container_mounts({}, pod, pod.spec.containers[0], able)->at(0).recursive_read_only);
  mount.recursiveReadOnly = "Enabled";
  EXPECT_FALSE(container_mounts({}, pod, pod.spec.containers[0], {}));
}

TEST(ContainerConfig, command_and_args_see_the_whole_environment) {
  api::Pod pod = pod_with({.name = "c",
                           .command = {"run", "$(B)"},
                           .args = {"$$(B)", "$(NONE)"},
                           .env = {{.name = "B", .value = "$(A)!"}, {.name = "A", .value = "1"}}});
  const auto config = container_config({}, pod, pod.spec.containers[0], {});
  ASSERT_TRUE(config);
  // A later variable is not visible to an earlier one.
  EXPECT_EQ(config->command, (std::vector<std::string>{"run", "$(A)!"}));
  EXPECT_EQ(config->args, (std::vector<std::string>{"$(B)", "$(NONE)"}));
}

}  // namespace
}  // namespace berth::node
