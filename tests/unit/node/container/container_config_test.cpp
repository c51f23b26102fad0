// SPDX-License-Identifier: Apache-2.0

// Cases that the recorded pods do not cover: refusals, users, mounts.
#include "node/container/container_config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "node/container/security_context.hpp"
#include "node/sandbox_config.hpp"

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

TEST(StopSignal, is_sent_as_its_number_in_cri) {
  struct Row {
    std::optional<std::string> signal;
    std::int32_t number;
  };
  for (const Row& row :
       {Row{std::nullopt, 0}, Row{"SIGABRT", 1}, Row{"SIGQUIT", 18}, Row{"SIGTERM", 23},
        Row{"SIGRTMIN", 35}, Row{"SIGRTMIN+15", 50}, Row{"SIGRTMAX-14", 51}, Row{"SIGRTMAX", 65}}) {
    api::Pod pod = pod_with({.name = "c"});
    pod.spec.containers[0].lifecycle = api::Lifecycle{.stopSignal = row.signal};
    const auto config = container_config({}, pod, pod.spec.containers[0], {});
    ASSERT_TRUE(config.has_value());
    EXPECT_EQ(config->stop_signal, row.number) << row.signal.value_or("none");
  }
}

TEST(StopSignal, is_the_images_where_the_feature_is_off) {
  api::Pod pod = pod_with({.name = "c"});
  pod.spec.containers[0].lifecycle = api::Lifecycle{.stopSignal = "SIGQUIT"};
  const NodeView node{.config = {.container_stop_signals = false}};
  const auto config = container_config(node, pod, pod.spec.containers[0], {});
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->stop_signal, 0);
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

TEST(PortMappings, are_those_of_regular_containers_with_host_network_as_without) {
  api::Pod pod = pod_with({.name = "c",
                           .ports = {{.hostPort = 8080, .containerPort = 80, .protocol = "TCP"},
                                     {.containerPort = 53, .protocol = "UDP"}}});
  pod.spec.initContainers = {{.name = "i", .ports = {{.containerPort = 9}}}};
  const std::vector<cri::PortMapping> expected = {
      {.protocol = cri::Protocol::kTcp, .container_port = 80, .host_port = 8080},
      {.protocol = cri::Protocol::kUdp, .container_port = 53}};
  for (const bool host_network : {false, true}) {
    pod.spec.hostNetwork = host_network;
    EXPECT_EQ(port_mappings(pod), expected);
  }
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
  const auto refused = [&] {
    const auto mounts = container_mounts({}, pod, pod.spec.containers[0], {});
    return mounts ? "" : mounts.error().message;
  };
  const std::string words = "volume \"data\" requested recursive read-only mode, but it is not ";
  mount.recursiveReadOnly = "Enabled";
  EXPECT_EQ(refused(), words + "supported by the runtime");
  mount.mountPropagation = "HostToContainer";
  EXPECT_EQ(refused(), words + "compatible with propagation \"HostToContainer\"");
  mount.readOnly = false;
  EXPECT_EQ(refused(), words + "read-only");
}

TEST(ContainerMounts, what_the_node_fills_is_read_only_and_in_its_own_place) {
  api::Pod pod = pod_with({.name = "c",
                           .volumeMounts = {{.name = "a", .mountPath = "/a"},
                                            {.name = "b", .mountPath = "/b"},
                                            {.name = "d", .mountPath = "/d"},
                                            {.name = "p", .mountPath = "/p"}}});
  pod.spec.volumes = {{.name = "a", .configMap = api::ConfigMapVolumeSource{.name = "m"}},
                      {.name = "b", .secret = api::SecretVolumeSource{.secretName = "s"}},
                      {.name = "d", .downwardAPI = api::DownwardAPIVolumeSource{}},
                      {.name = "p", .projected = api::ProjectedVolumeSource{}}};
  const auto mounts = container_mounts({}, pod, pod.spec.containers[0], {});
  ASSERT_TRUE(mounts);
  const char* places[] = {"configmap/a", "secret/b", "downward-api/d", "projected/p"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(mounts->at(i).host_path,
              std::string("/var/lib/berth/pods/u-1/volumes/kubernetes.io~") + places[i]);
    EXPECT_TRUE(mounts->at(i).readonly);
  }
}

TEST(ContainerMounts, part_of_a_volume_is_where_the_host_mounted_it) {
  api::Pod pod = pod_with(
      {.name = "c",
       .env = {{.name = "WHO", .value = "me"}, {.name = "NONE"}},
       .volumeMounts = {{.name = "data", .mountPath = "/whole"},
                        {.name = "data", .mountPath = "/part", .subPath = "x/y"},
                        {.name = "data", .mountPath = "/expanded", .subPathExpr = "logs/$(WHO)"}}});
  pod.spec.volumes = {{.name = "data", .emptyDir = api::EmptyDirVolumeSource{}}};
  auto& container = pod.spec.containers[0];
  const auto wanted = wanted_sub_paths({}, pod, container, {});
  ASSERT_TRUE(wanted) << wanted.error().message;
  EXPECT_EQ(*wanted, (SubPaths{{1, "x/y"}, {2, "logs/me"}}));
  const auto mounts = container_mounts({}, pod, container, {.sub_paths = {{1, "/p"}, {2, "/q"}}});
  ASSERT_TRUE(mounts);
  EXPECT_EQ(mounts->at(1).host_path, "/p");
  EXPECT_EQ(mounts->at(2).host_path, "/q");
  EXPECT_FALSE(container_mounts({}, pod, container, {})) << "never the whole volume instead";

  const auto refused = [&](const std::string& expression) {
    container.volumeMounts[2].subPathExpr = expression;
    const auto paths = wanted_sub_paths({}, pod, container, {});
    return paths ? "" : paths.error().message;
  };
  EXPECT_EQ(refused("$(NONE)/$(GONE)"), "missing value for GONE, NONE");
  container.env[0].value = "..";
  EXPECT_EQ(refused("a/$(WHO)"), "unable to provision SubPath `a/..`: must not contain '..'");
  container.env[0].value = "/etc";
  EXPECT_EQ(refused("$(WHO)"), "error SubPath `/etc` must not be an absolute path");
  container.env[0].value = std::string(4095, 'x');
  EXPECT_EQ(refused("$(WHO)"), "");
  container.env[0].value += "x";
  EXPECT_TRUE(refused("$(WHO)").ends_with("`: it is longer than the 4095 bytes of a path"));
}

// Each variable references the previous one ten times.
std::vector<api::EnvVar> tenfold(int levels) {
  std::vector<api::EnvVar> variables{{.name = "V0", .value = "0123456789"}};
  for (int level = 1; level < levels; ++level) {
    std::string value;
    for (int i = 0; i < 10; ++i) value += fmt::format("$(V{})", level - 1);
    variables.push_back({.name = fmt::format("V{}", level), .value = value});
  }
  return variables;
}

TEST(ContainerConfig, variables_that_grow_tenfold_stop_at_what_linux_takes) {
  const api::Pod pod = pod_with({.name = "c", .env = tenfold(30)});
  const auto config = container_config({}, pod, pod.spec.containers[0], {});
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(config.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(config.error().message,
            "env variable V5: expanded it is longer than the 131071 bytes that Linux takes in one "
            "string");
  const api::Pod fits = pod_with({.name = "c", .env = tenfold(5)});
  EXPECT_TRUE(container_config({}, fits, fits.spec.containers[0], {}).has_value());
}

TEST(ContainerConfig, one_string_and_its_name_are_as_long_as_linux_takes) {
  for (const auto& [bytes, fits] : {std::pair(std::size_t{131069}, true), {131070, false}}) {
    const api::Pod pod =
        pod_with({.name = "c", .env = {{.name = "V", .value = std::string(bytes, 'x')}}});
    EXPECT_EQ(container_config({}, pod, pod.spec.containers[0], {}).has_value(), fits) << bytes;
  }
}

TEST(ContainerConfig, the_whole_environment_and_each_command_are_bounded) {
  std::vector<api::EnvVar> variables{{.name = "LONG", .value = std::string(100'000, 'x')}};
  for (int i = 0; i < 100; ++i)
    variables.push_back({.name = fmt::format("V{}", i), .value = "$(LONG)"});
  const api::Pod pod = pod_with({.name = "c", .env = variables});
  const auto config = container_config({}, pod, pod.spec.containers[0], {});
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(config.error().message,
            "env variable V61: up to here the environment is longer than the 6291456 bytes that "
            "Linux takes");
  api::Container container{.name = "c", .env = {variables[0]}};
  container.args = std::vector<std::string>(100, "$(LONG)");
  const api::Pod wordy = pod_with(container);
  const auto refused = container_config({}, wordy, wordy.spec.containers[0], {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "args: word 63: up to here it is longer than the 6291456 bytes that Linux takes");
  container.args = {"$(LONG)$(LONG)"};
  const api::Pod one = pod_with(container);
  EXPECT_EQ(container_config({}, one, one.spec.containers[0], {}).error().message,
            "args: word 1: expanded it is longer than the 131071 bytes that Linux takes in one "
            "string");
}

TEST(ContainerConfig, a_variable_is_defined_again_and_again_up_to_a_limit) {
  std::vector<api::EnvVar> variables{{.name = "LONG", .value = std::string(100'000, 'x')}};
  const auto defined = [&variables](std::size_t times) {
    variables.resize(1 + times, {.name = "V", .value = "$(LONG)"});
    const api::Pod pod = pod_with({.name = "c", .env = variables});
    return container_config({}, pod, pod.spec.containers[0], {});
  };
  EXPECT_TRUE(defined(500).has_value());
  const auto refused = defined(1000);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "env variable V: the definitions up to here, counting those that a later one replaces, "
            "are longer than the 62914560 bytes that berthd reads");
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
