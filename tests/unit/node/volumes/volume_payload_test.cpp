// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/volume_payload.hpp"

#include <gtest/gtest.h>

namespace berth::node {
namespace {

ObjectsPtr objects() {
  api::ConfigMap map{.metadata = {.name = "map", .namespace_ = "team"},
                     .data = {{"a", "1"}, {"b", "2"}}};
  map.binaryData["c"] = {.data = std::string("\0x", 2)};
  api::Secret secret{.metadata = {.name = "keys", .namespace_ = "team"}};
  secret.data["a"] = {.data = "hunter2"};
  return make_objects({map}, {secret});
}

api::Pod pod() {
  api::Pod made;
  made.metadata = {
      .name = "web", .namespace_ = "team", .uid = "u-1", .labels = {{"app", "x\"y"}, {"b", "2"}}};
  made.spec.containers = {
      {.name = "c", .resources = {.limits = {{"cpu", api::Quantity::from_int(2)}}}}};
  return made;
}

struct Case {
  const char* what;
  api::Volume volume;
  Payload files;
  const char* error;
};

api::Volume config_map(api::ConfigMapVolumeSource source) {
  return {.name = "v", .configMap = std::move(source)};
}

api::Volume secret(api::SecretVolumeSource source) {
  return {.name = "v", .secret = std::move(source)};
}

api::Volume downward(std::vector<api::DownwardAPIVolumeFile> items) {
  return {
      .name = "v",
      .downwardAPI = api::DownwardAPIVolumeSource{.items = std::move(items), .defaultMode = 0644}};
}

std::vector<Case> object_cases() {
  return {
      {"every key is a file",
       config_map({.name = "map", .defaultMode = 0640}),
       {{"a", {"1", 0640}}, {"b", {"2", 0640}}, {"c", {std::string("\0x", 2), 0640}}},
       ""},
      {"items choose keys, name files and modes",
       config_map(
           {.name = "map",
            .items = {{.key = "a", .path = "x//./y", .mode = 0400}, {.key = "c", .path = "c"}},
            .defaultMode = 0644}),
       {{"x/y", {"1", 0400}}, {"c", {std::string("\0x", 2), 0644}}},
       ""},
      {"a key that misses is named",
       config_map({.name = "map", .items = {{.key = "none", .path = "x"}}}),
       {},
       "configmap references non-existent config key: none"},
      {"unless it may miss",
       config_map({.name = "map",
                   .items = {{.key = "none", .path = "x"}, {.key = "b", .path = "b"}},
                   .defaultMode = 0644,
                   .optional = true}),
       {{"b", {"2", 0644}}},
       ""},
      {"an object that misses is named",
       config_map({.name = "none"}),
       {},
       "configmap \"none\" not found"},
      {"a volume of one that may miss is empty",
       secret({.secretName = "none", .optional = true}),
       {},
       ""},
      {"secrets have their own words",
       secret({.secretName = "keys", .items = {{.key = "b", .path = "b"}}}),
       {},
       "references non-existent secret key: b"},
      {"secrets have their own words for the whole, too",
       secret({.secretName = "none"}),
       {},
       "secret \"none\" not found"},
      {"paths stay in the volume",
       config_map({.name = "map", .items = {{.key = "a", .path = "a/../b"}}}),
       {},
       "invalid path: must not contain '..': a/../b"},
      {"names with two dots are the writer's own",
       config_map({.name = "map", .items = {{.key = "a", .path = "..data"}}}),
       {},
       "invalid path: must not start with '..': ..data"},
  };
}

std::vector<Case> derived_cases() {
  const auto field = [](const std::string& path, const std::string& field_path) {
    return api::DownwardAPIVolumeFile{
        .path = path, .fieldRef = api::ObjectFieldSelector{.fieldPath = field_path}};
  };
  return {
      {"labels are sorted lines of quoted values",
       downward({field("labels", "metadata.labels"), field("name", "metadata.name")}),
       {{"labels", {"app=\"x\\\"y\"\nb=\"2\"", 0644}}, {"name", {"web", 0644}}},
       ""},
      {"resources are those of the container that is named",
       downward({{.path = "cpu",
                  .resourceFieldRef =
                      api::ResourceFieldSelector{.containerName = "c", .resource = "limits.cpu"},
                  .mode = 0400}}),
       {{"cpu", {"2", 0400}}},
       ""},
      {"everything that is wrong is reported at once",
       downward({field("ip", "status.podIP"),
                 {.path = "cpu",
                  .resourceFieldRef = api::ResourceFieldSelector{.containerName = "none",
                                                                 .resource = "limits.cpu"}}}),
       {},
       "[unsupported fieldPath: status.podIP, container none not found]"},
      {"later sources win",
       {.name = "v",
        .projected =
            api::ProjectedVolumeSource{
                .sources = {{.configMap = api::ConfigMapProjection{.name = "map"}},
                            {.secret = api::SecretProjection{.name = "keys"}},
                            {.secret = api::SecretProjection{.name = "none", .optional = true}},
                            {.downwardAPI =
                                 api::DownwardAPIProjection{
                                     .items = {field("b", "metadata.labels['b']")}}}},
                .defaultMode = 0600}},
       {{"a", {"hunter2", 0600}}, {"b", {"2", 0600}}, {"c", {std::string("\0x", 2), 0600}}},
       ""},
  };
}

TEST(VolumePayload, follows_the_volume) {
  const auto all = objects();
  for (const auto& cases : {object_cases(), derived_cases()}) {
    for (const Case& c : cases) {
      const auto files = volume_payload(pod(), c.volume, *all, {});
      EXPECT_EQ(files ? "" : files.error().message, c.error) << c.what;
      EXPECT_EQ(files ? *files : Payload{}, c.files) << c.what;
    }
  }
}

TEST(VolumePayload, other_volumes_below_need_a_place) {
  api::Pod made = pod();
  made.spec.containers[0].volumeMounts = {{.name = "v", .mountPath = "/etc/app/"},
                                          {.name = "other", .mountPath = "/etc/app/x/y"},
                                          {.name = "third", .mountPath = "/etc/app/x/y/z"},
                                          {.name = "far", .mountPath = "/etc/application"},
                                          {.name = "odd", .mountPath = "/etc/app/../.."}};
  EXPECT_EQ(nested_mount_points(made, "v"), (std::vector<std::string>{"x/y"}));
  EXPECT_EQ(nested_mount_points(made, "other"), (std::vector<std::string>{"z"}));
  EXPECT_TRUE(is_mounted(made, "far"));
  EXPECT_FALSE(is_mounted(made, "w"));
}

}  // namespace
}  // namespace berth::node
