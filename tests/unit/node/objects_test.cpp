// SPDX-License-Identifier: Apache-2.0

// ConfigMaps and Secrets: which pods use them, and a container's environment from them (the
// recorded cases are in tests/vectors).
#include "node/objects.hpp"

#include <gtest/gtest.h>

#include "node/container/environment.hpp"

namespace berth::node {
namespace {

api::ConfigMap config_map(const std::string& name, std::map<std::string, std::string> data) {
  return {.metadata = {.name = name, .namespace_ = "team"}, .data = std::move(data)};
}

api::Secret secret(const std::string& name, const std::map<std::string, std::string>& data) {
  api::Secret made{.metadata = {.name = name, .namespace_ = "team"}};
  for (const auto& [key, value] : data) made.data[key] = {.data = value};
  return made;
}

ReferencedObject reference(ObjectKind kind, const std::string& name) {
  return {.kind = kind, .object = {.namespace_ = "team", .name = name}};
}

TEST(Objects, are_found_by_namespace_and_name) {
  const auto objects = make_objects({config_map("a", {{"k", "v"}})}, {secret("a", {{"k", "s"}})});
  ASSERT_NE(objects->config_map("team", "a"), nullptr);
  EXPECT_EQ(objects->config_map("team", "a")->data.at("k"), "v");
  EXPECT_EQ(objects->secret("team", "a")->data.at("k").data, "s");
  EXPECT_EQ(objects->config_map("other", "a"), nullptr);
  EXPECT_EQ(objects->secret("team", "b"), nullptr);
}

TEST(Objects, that_were_added_removed_or_edited_are_listed) {
  const auto before = make_objects({config_map("same", {{"k", "1"}}), config_map("edit", {})},
                                   {secret("gone", {})});
  const auto after = make_objects(
      {config_map("same", {{"k", "1"}}), config_map("edit", {{"k", "1"}})}, {secret("new", {})});
  EXPECT_EQ(changed_objects(*before, *after), (std::set{reference(ObjectKind::kConfigMap, "edit"),
                                                        reference(ObjectKind::kSecret, "gone"),
                                                        reference(ObjectKind::kSecret, "new")}));
  EXPECT_TRUE(changed_objects(*before, *before).empty());
}

TEST(Objects, concern_the_pods_that_mention_them_anywhere) {
  api::Pod pod;
  pod.metadata.namespace_ = "team";
  pod.spec.volumes = {
      {.name = "a", .configMap = api::ConfigMapVolumeSource{.name = "mounted"}},
      {.name = "b", .secret = api::SecretVolumeSource{.secretName = "mounted"}},
      {.name = "c",
       .projected = api::ProjectedVolumeSource{
           .sources = {{.secret = api::SecretProjection{.name = "projected"}},
                       {.configMap = api::ConfigMapProjection{.name = "projected"}}}}}};
  pod.spec.initContainers = {
      {.name = "i", .envFrom = {{.secretRef = api::SecretEnvSource{.name = "from"}}}}};
  pod.spec.containers = {
      {.name = "c",
       .env = {{.name = "K",
                .valueFrom = api::EnvVarSource{
                    .configMapKeyRef = api::ConfigMapKeySelector{.name = "key", .key = "k"}}}}}};
  pod.spec.imagePullSecrets = {{.name = "registry"}, {.name = ""}};
  EXPECT_EQ(
      object_references(pod),
      (std::set{reference(ObjectKind::kConfigMap, "mounted"),
                reference(ObjectKind::kConfigMap, "projected"),
                reference(ObjectKind::kConfigMap, "key"), reference(ObjectKind::kSecret, "mounted"),
                reference(ObjectKind::kSecret, "projected"), reference(ObjectKind::kSecret, "from"),
                reference(ObjectKind::kSecret, "registry")}));
  EXPECT_TRUE(refers_to_any(pod, {reference(ObjectKind::kSecret, "from")}));
  EXPECT_FALSE(refers_to_any(pod, {reference(ObjectKind::kConfigMap, "from")}));
  EXPECT_FALSE(refers_to_any(pod, {}));
}

struct Case {
  const char* what;
  api::Container container;
  Variables expected;
  const char* error;
};

api::EnvVar from_map(const std::string& name, const std::string& key,
                     std::optional<bool> optional) {
  return {.name = "V",
          .valueFrom = api::EnvVarSource{.configMapKeyRef = api::ConfigMapKeySelector{
                                             .name = name, .key = key, .optional = optional}}};
}

std::vector<Case> cases() {
  const auto map_source = [](const std::string& name, std::optional<bool> optional) {
    return api::EnvFromSource{
        .prefix = "P_",
        .configMapRef = api::ConfigMapEnvSource{.name = name, .optional = optional}};
  };
  return {
      {"a prefix stands before each key, odd ones included",
       {.envFrom = {map_source("map", std::nullopt)}},
       {{"P_a", "1"}, {"P_x.y", "2"}},
       ""},
      {"what is optional and missing is left out",
       {.envFrom = {map_source("none", true)}, .env = {from_map("none", "a", true)}},
       {},
       ""},
      {"an optional key may miss, too", {.env = {from_map("map", "none", true)}}, {}, ""},
      {"later ones override",
       {.envFrom = {{.configMapRef = api::ConfigMapEnvSource{.name = "map"}},
                    {.secretRef = api::SecretEnvSource{.name = "keys"}}}},
       {{"a", "secret"}, {"x.y", "2"}},
       ""},
      {"what misses is named",
       {.envFrom = {map_source("none", false)}},
       {},
       "configmaps \"none\" not found"},
      {"a key that misses is named",
       {.env = {from_map("map", "none", std::nullopt)}},
       {},
       "couldn't find key none in ConfigMap team/map"},
  };
}

TEST(Environment, takes_from_config_maps_and_secrets) {
  const auto objects = make_objects({config_map("map", {{"a", "1"}, {"x.y", "2"}})},
                                    {secret("keys", {{"a", "secret"}})});
  api::Pod pod;
  pod.metadata.namespace_ = "team";
  pod.spec.enableServiceLinks = false;
  for (const Case& c : cases()) {
    const auto got = container_environment(pod, c.container, {.objects = objects});
    EXPECT_EQ(got ? "" : got.error().message, c.error) << c.what;
    EXPECT_EQ(got ? *got : Variables{}, c.expected) << c.what;
  }
}

}  // namespace
}  // namespace berth::node
