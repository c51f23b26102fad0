// SPDX-License-Identifier: Apache-2.0

#include "node/image_credentials.hpp"

#include <gtest/gtest.h>

#include "api/codec/base64.hpp"

namespace berth::node {
namespace {

api::Secret registry_secret(const std::string& name, const std::string& json,
                            const std::string& type = "kubernetes.io/dockerconfigjson",
                            const std::string& key = ".dockerconfigjson") {
  api::Secret secret{.metadata = {.name = name, .namespace_ = "team"}};
  secret.data[key] = {.data = json};
  secret.type = type;
  return secret;
}

std::string entry(const std::string& location, const std::string& user) {
  return "\"" + location + R"(": {"auth": ")" + api::to_base64(user + ":pass:word") + "\"}";
}

api::Pod pod_with(const std::vector<std::string>& secrets) {
  api::Pod pod;
  pod.metadata.namespace_ = "team";
  for (const auto& name : secrets) pod.spec.imagePullSecrets.push_back({.name = name});
  return pod;
}

std::vector<std::string> users(const std::string& image, const std::string& entries) {
  const auto objects = make_objects({}, {registry_secret("s", R"({"auths": {)" + entries + "}}")});
  const auto credentials = image_credentials(pod_with({"s"}), image, *objects);
  std::vector<std::string> users;
  if (!credentials) return {credentials.error().message};
  for (const auto& auth : *credentials) {
    EXPECT_EQ(auth.password, "pass:word");
    users.push_back(auth.username);
  }
  return users;
}

using Users = std::vector<std::string>;

TEST(ImageCredentials, are_those_for_the_images_registry_the_closest_first) {
  struct Case {
    const char* image;
    const char* location;
    bool fits;
  };
  const Case cases[] = {
      {"r.example/team/app:1", "r.example", true},
      {"r.example/team/app:1", "https://r.example/v2/", true},
      {"r.example/team/app:1", "http://r.example/v1/team", true},
      {"r.example/team/app", "r.example/other", false},
      {"r.example/team/app", "other.example", false},
      {"r.example:5000/app", "r.example", false},
      {"r.example:5000/app", "r.example:5000", true},
      {"a.r.example/app", "*.r.example", true},
      {"a.b.r.example/app", "*.r.example", false},
      {"busybox", "https://index.docker.io/v1/", true},
      {"team/app", "index.docker.io", true},
      {"docker.io/team/app", "docker.io", true},
      {"r.example/app", "https://index.docker.io/v1/", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(users(c.image, entry(c.location, "u")), c.fits ? Users{"u"} : Users{})
        << c.image << " " << c.location;
  }
  EXPECT_EQ(users("r.example/team/app", entry("r.example", "all") + "," +
                                            entry("r.example/team", "team") + "," +
                                            entry("r.example/team/app", "app")),
            (Users{"app", "team", "all"}));
}

TEST(ImageCredentials, come_from_all_secrets_of_the_pod_in_both_formats) {
  const auto objects = make_objects(
      {},
      {registry_secret("new", R"({"auths": {"r.example": {"username": "a", "password": "1"}}})"),
       registry_secret("old", R"({"r.example": {"username": "b", "password": "2"}})",
                       "kubernetes.io/dockercfg", ".dockercfg"),
       registry_secret("opaque", "{", "Opaque", "x")});
  const api::Pod pod = pod_with({"old", "gone", "", "opaque", "new"});
  const auto credentials = image_credentials(pod, "r.example/app", *objects);
  ASSERT_TRUE(credentials);
  ASSERT_EQ(credentials->size(), 2U);
  EXPECT_EQ((*credentials)[0].username, "b");
  EXPECT_EQ((*credentials)[1].password, "1");
  EXPECT_EQ(missing_pull_secrets(pod, *objects), Users{"gone"});
  EXPECT_EQ(missing_secrets_message({"a", "b"}),
            "Unable to retrieve some image pull secrets (a, b); attempting to pull the image may "
            "not succeed.");
}

TEST(ImageCredentials, that_cannot_be_read_are_reported_without_their_contents) {
  for (const std::string json :
       {R"({"auths": {"r": {"auth": "hunter2"}}})", R"({"auths": hunter2)"}) {
    const auto objects = make_objects({}, {registry_secret("s", json)});
    const auto credentials = image_credentials(pod_with({"s"}), "r.example/app", *objects);
    ASSERT_FALSE(credentials);
    EXPECT_EQ(credentials.error().message.find("hunter2"), std::string::npos);
    EXPECT_NE(credentials.error().message.find("imagePullSecret \"s\""), std::string::npos);
  }
}

}  // namespace
}  // namespace berth::node
