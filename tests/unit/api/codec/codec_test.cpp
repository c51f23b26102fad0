// SPDX-License-Identifier: Apache-2.0

#include "api/codec.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "api/lists.hpp"
#include "api/node.hpp"
#include "api/secret.hpp"

namespace berth::api {
namespace {

template <class T>
DecodeResult<T> read(std::string_view text, FieldValidation validation) {
  const auto tree = parse_first_document(text);
  if (!tree) return std::unexpected(tree.error());
  return decode<T>(*tree, validation);
}

template <class T>
T good(std::string_view text) {
  const DecodeResult<T> decoded = read<T>(text, FieldValidation::kStrict);
  if (!decoded) {
    ADD_FAILURE() << to_string(decoded.error().front());
    return {};
  }
  return decoded->object;
}

std::vector<std::string> problems(std::string_view text) {
  std::vector<std::string> out;
  const DecodeResult<Pod> decoded = read<Pod>(text, FieldValidation::kStrict);
  if (decoded) return out;
  for (const Problem& problem : decoded.error()) out.push_back(to_string(problem));
  return out;
}

using Texts = std::vector<std::string>;

TEST(Codec, reads_a_pod) {
  const Pod pod = good<Pod>(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: prod, labels: {app: web}}\n"
      "spec:\n  containers:\n  - name: web\n    image: busybox:1\n    tty: yes\n"
      "    ports: [{containerPort: 80}]\n    resources: {limits: {cpu: 0.5, memory: 32Mi}}\n"
      "    livenessProbe: {httpGet: {port: http}, periodSeconds: 1e1}\n"
      "  volumes: [{name: s, secret: {secretName: s, defaultMode: 0644}}]\n");
  const Container& container = pod.spec.containers.at(0);
  EXPECT_EQ(pod.metadata.namespace_, "prod");
  EXPECT_EQ(pod.metadata.labels.at("app"), "web");
  EXPECT_TRUE(container.tty);
  EXPECT_EQ(container.ports.at(0).containerPort, 80);
  EXPECT_EQ(container.resources.limits.at("cpu").milli_value(), 500);
  EXPECT_EQ(container.livenessProbe->httpGet->port, IntOrString("http"));
  EXPECT_EQ(container.livenessProbe->periodSeconds, 10);
  EXPECT_EQ(pod.spec.volumes.at(0).secret->defaultMode, 0644);
}

TEST(Codec, strict_names_every_unknown_field_and_what_was_meant) {
  EXPECT_EQ(problems("kind: Pod\nspec:\n  containers:\n  - name: a\n    imge: b\n  zzz: 1\n"),
            (Texts{"line 5, column 5: spec.containers[0].imge: unknown field; did you mean "
                   "\"image\"?",
                   "line 6, column 3: spec.zzz: unknown field"}));
  EXPECT_EQ(problems("Kind: Pod\n"),
            (Texts{"line 1, column 1: Kind: unknown field; did you mean \"kind\"?"}));
}

TEST(Codec, strict_names_both_places_of_a_repeated_field) {
  EXPECT_EQ(
      problems("metadata:\n  name: a\n  labels: {x: a, x: b}\n  name: c\n"),
      (Texts{"line 3, column 18: metadata.labels[x]: repeated; already given in line 3, "
             "column 12",
             "line 4, column 3: metadata.name: repeated; already given in line 2, column 3"}));
  EXPECT_EQ(problems("{\"kind\":\"Pod\",\n\"kind\":\"Pod\"}"),
            (Texts{"line 2, column 1: kind: repeated; already given in line 1, column 2"}));
}

TEST(Codec, mistyped_fields_say_what_was_expected_and_found) {
  EXPECT_EQ(
      problems("metadata:\n  name: 123\n  labels: {on: off}\nspec:\n  hostNetwork: \"true\"\n"
               "  priority: 3000000000\n  containers:\n    name: a\n  nodeSelector: [a]\n"
               "  activeDeadlineSeconds: 1.5\n"),
      (Texts{
          "line 2, column 9: metadata.name: expected a string, found the number 123 (put it in "
          "quotes to make it a string)",
          "line 3, column 16: metadata.labels[true]: expected a string, found the boolean false, "
          "written off (put it in quotes to make it a string)",
          "line 5, column 16: spec.hostNetwork: expected true or false, found the string \"true\" "
          "(write it without quotes)",
          "line 6, column 13: spec.priority: expected a whole number from -2147483648 to "
          "2147483647, found the number 3000000000",
          "line 8, column 5: spec.containers: expected a list, found a mapping",
          "line 9, column 17: spec.nodeSelector: expected a mapping, found a list",
          "line 10, column 26: spec.activeDeadlineSeconds: expected a whole number of 64 bits, "
          "found the number 1.5"}));
}

TEST(Codec, mistyped_is_an_error_even_when_lenient) {
  EXPECT_FALSE(read<Pod>("metadata: {name: 1}\n", FieldValidation::kIgnore));
  EXPECT_FALSE(read<Pod>("[]", FieldValidation::kIgnore));
  EXPECT_FALSE(read<Secret>("data: {a: '!'}\n", FieldValidation::kIgnore));
}

TEST(Codec, lenient_ignores_the_unknown_and_takes_the_last_of_the_repeated) {
  const auto decoded = read<Pod>("x: 1\nmetadata: {name: a, name: b}\n", FieldValidation::kIgnore);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->object.metadata.name, "b");
  EXPECT_TRUE(decoded->warnings.empty());
}

TEST(Codec, warn_lists_and_goes_on) {
  const auto decoded = read<Pod>("x: 1\nmetadata: {name: a, name: b}\n", FieldValidation::kWarn);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->object.metadata.name, "b");
  ASSERT_EQ(decoded->warnings.size(), 2u);
  EXPECT_EQ(decoded->warnings[0].path, "x");
  EXPECT_EQ(decoded->warnings[1].path, "metadata.name");
}

TEST(Codec, null_is_the_same_as_absence) {
  const Pod pod = good<Pod>(
      "metadata: ~\nspec:\n  containers: null\n  priority:\n  nodeSelector: {a: ~}\n"
      "  tolerations: [~]\n");
  EXPECT_TRUE(pod.spec.containers.empty());
  EXPECT_FALSE(pod.spec.priority.has_value());
  EXPECT_EQ(pod.spec.nodeSelector.at("a"), "");
  EXPECT_EQ(pod.spec.tolerations.size(), 1u);
}

TEST(Codec, writes_what_kubernetes_writes_and_leaves_out_the_rest) {
  Pod pod{.kind = "Pod", .apiVersion = "v1"};
  pod.spec.containers.push_back(Container{.name = "a"});
  EXPECT_EQ(to_json_text(pod),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":[{"name":"a",)"
            R"("resources":{}}]},"status":{}})");
  EXPECT_EQ(to_json_text(PodCondition{.type = "Ready", .status = "True"}),
            R"({"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":null})");
  EXPECT_EQ(to_json_text(PodList{}), R"({"metadata":{},"items":[]})");
}

TEST(Codec, bytes_travel_in_base64_and_raw_json_as_it_is) {
  const Secret secret = good<Secret>(
      "data: {a: aGVsbG8=, b: ''}\nmetadata: {managedFields: [{fieldsV1: {\"f:a\": {}}}]}\n");
  EXPECT_EQ(secret.data.at("a").data, "hello");
  EXPECT_EQ(secret.metadata.managedFields.at(0).fieldsV1->text, R"({"f:a":{}})");
  EXPECT_EQ(to_json_text(secret), R"({"metadata":{"managedFields":[{"fieldsV1":{"f:a":{}}}]},)"
                                  R"("data":{"a":"aGVsbG8=","b":""}})");
}

TEST(Codec, quantities_keep_their_notation) {
  const auto list = good<ResourceList>("cpu: 1e3\nmemory: \" 1Gi \"\nx: 0.1\nz: \"+5k\"\n");
  EXPECT_EQ(to_json_text(list), R"({"cpu":"1k","memory":"1Gi","x":"100m","z":"+5k"})");
  const auto json = good<ResourceList>(R"({"cpu": 1E3})");
  EXPECT_EQ(json.at("cpu").to_string(), "1E3");
}

TEST(Codec, from_json_takes_what_programs_hold) {
  const Result<Taint> taint = from_json<Taint>({{"key", "a"}, {"effect", "NoSchedule"}, {"x", 1}});
  ASSERT_TRUE(taint);
  EXPECT_EQ(taint->key, "a");
  const Result<Taint> bad = from_json<Taint>({{"key", 1}});
  EXPECT_EQ(bad.error().message,
            "key: expected a string, found the number 1 (put it in quotes to make it a string)");
}

}  // namespace
}  // namespace berth::api
