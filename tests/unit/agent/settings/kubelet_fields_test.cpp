// SPDX-License-Identifier: Apache-2.0

// The codec knows every field of the catalogue of KubeletConfiguration, with its type; zero means
// what it means to the kubelet.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "agent/settings/config_text.hpp"
#include "agent/settings/settings_check.hpp"
#include "tests/test_paths.hpp"

namespace berth::agent {
namespace {

struct Field {
  std::string path{};
  std::string type{};
  std::string default_value{};
};

std::vector<Field> catalogue() {
  std::ifstream input(test_data() / "wire/kubelet-config.tsv");
  std::vector<Field> fields;
  for (std::string line; std::getline(input, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream cells(line);
    Field field;
    std::getline(cells, field.path, '\t');
    std::getline(cells, field.type, '\t');
    std::getline(cells, field.default_value, '\t');
    fields.push_back(field);
  }
  return fields;
}

// A value that only the right type accepts.
std::string sample(std::string type) {
  if (type.starts_with('*')) type.erase(0, 1);
  if (type == "string") return R"("x")";
  if (type == "bool") return "true";
  if (type == "float64") return "0.5";
  if (type == "Duration" || type == "Duration or number") return R"("5s")";
  if (type == "Quantity") return R"("1Gi")";
  if (type == "[]string") return R"(["x"])";
  if (type == "[]int32") return "[1]";
  if (type == "map[string]string") return R"({"x": "1"})";
  if (type == "map[string]bool") return R"({"x": true})";
  if (type == "map[string][]string") return R"({"x": ["y"]})";
  if (type == "v1.ResourceList") return R"({"cpu": "1"})";
  if (type == "[]v1.Taint") return R"([{"key": "k", "effect": "NoSchedule"}])";
  if (type == "[]{filePattern,verbosity}") return R"([{"filePattern": "x", "verbosity": 1}])";
  if (type.starts_with("int") || type.starts_with("uint")) return "1";
  return {};  // a struct, whose fields have rows of their own
}

// {"a": {"b": value}}, with lists where the path has [].
std::string document(const Field& field, const std::string& value) {
  std::string text = value;
  std::string rest = field.path;
  while (true) {
    const auto dot = rest.rfind('.');
    std::string name = dot == std::string::npos ? rest : rest.substr(dot + 1);
    if (name.ends_with("[]")) {
      name.erase(name.size() - 2);
      text.insert(0, "[").append("]");
    }
    text = "{\"" + name + "\": " + text + "}";
    if (dot == std::string::npos) break;
    rest.erase(dot);
  }
  const std::string head =
      R"({"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", )";
  return head + text.substr(1);
}

TEST(KubeletFields, every_field_of_the_catalogue_is_known_with_its_type) {
  const auto fields = catalogue();
  ASSERT_GT(fields.size(), 140U);
  for (const auto& field : fields) {
    if (field.path == "apiVersion" || field.path == "kind") continue;
    const auto value = sample(field.type);
    if (value.empty()) continue;
    const auto parsed = parse_configuration(document(field, value), "c.json");
    EXPECT_TRUE(parsed.problems.empty()) << field.path << " " << field.type;
    if (field.type == "Duration or number") continue;
    const auto* wrong = value.front() == '{' ? "[7]" : R"({"wrong": {}})";
    EXPECT_FALSE(parse_configuration(document(field, wrong), "c.json").problems.empty())
        << field.path << " takes what is no " << field.type;
  }
}

// The zero of a type that cannot tell it from a missing field; empty for others.
std::string zero(const std::string& type) {
  if (type == "string") return R"("")";
  if (type == "Duration") return R"("0s")";
  if (type.starts_with("int") || type.starts_with("uint")) return "0";
  return {};
}

Settings settings_of(const std::string& text) {
  auto parsed = parse_configuration(text, "c.json");
  auto problems = std::move(parsed.problems);
  auto settings = resolve_settings(parsed.documents, {}, "host1", problems);
  for (const auto& problem : problems) ADD_FAILURE() << problem.to_string();
  return settings;
}

TEST(KubeletFields, zero_means_the_default_where_the_kubelet_cannot_tell_it_from_missing) {
  const auto none = settings_of(document({.path = "maxPods"}, "110"));
  std::vector<std::string> tried;
  for (const auto& field : catalogue()) {
    const auto value = zero(field.type);
    if (value.empty() || field.default_value.empty() || !kubelet_field_is_used(field.path))
      continue;
    tried.push_back(field.path);
    EXPECT_EQ(settings_of(document(field, value)), none) << field.path;
  }
  EXPECT_GT(tried.size(), 12U);
  EXPECT_NE(std::ranges::find(tried, "registryBurst"), tried.end());
}

TEST(KubeletFields, zero_is_a_value_where_the_kubelet_can_tell_it_from_missing) {
  EXPECT_EQ(settings_of(document({.path = "registryPullQPS"}, "0")).pods.registry_pull_qps, 0);
  for (const char* path : {"cpuCFSQuotaPeriod", "containerLogMonitorInterval"}) {
    auto parsed = parse_configuration(document({.path = path}, R"("0s")"), "c.json");
    std::vector<ConfigProblem> problems;
    static_cast<void>(resolve_settings(parsed.documents, {}, "host1", problems));
    ASSERT_EQ(problems.size(), 1U) << path;
    EXPECT_EQ(problems[0].path, path);
  }
}

}  // namespace
}  // namespace berth::agent
