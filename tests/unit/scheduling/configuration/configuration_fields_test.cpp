// SPDX-License-Identifier: Apache-2.0

// The codec knows every field of the catalogue of KubeSchedulerConfiguration by its name and type.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "scheduling/configuration/read_configuration.hpp"
#include "tests/test_paths.hpp"

namespace berth::scheduling {
namespace {

struct Field {
  std::string path{};
  std::string type{};
};

std::vector<Field> catalogue() {
  std::ifstream input(test_data() / "wire/scheduler-config.tsv");
  std::vector<Field> fields;
  for (std::string line; std::getline(input, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream cells(line);
    Field field;
    std::getline(cells, field.path, '\t');
    std::getline(cells, field.type, '\t');
    // A row covers the plugin sets of all extension points: this uses one of them.
    const auto open = field.path.find('{');
    if (open != std::string::npos) {
      field.path.replace(open, field.path.find('}') - open + 1, "score");
    }
    fields.push_back(field);
  }
  return fields;
}

// A value that only the right type accepts; empty for a struct, whose fields have rows of their
// own.
std::string sample(std::string type) {
  if (type.starts_with('*')) type.erase(0, 1);
  if (type == "string") return R"("x")";
  if (type == "bool") return "true";
  if (type == "Duration") return R"("5s")";
  if (type == "[]string") return R"(["x"])";
  if (type == "[]byte") return R"("eA==")";
  if (type.starts_with("int")) return "1";
  return {};
}

// {"a": {"b": value}}, with lists where the path has [].
std::string nested(std::string path, std::string value) {
  while (true) {
    const auto dot = path.rfind('.');
    std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
    if (name.ends_with("[]")) {
      name.erase(name.size() - 2);
      value.insert(0, "[").append("]");
    }
    value = "{\"" + name + "\": " + value + "}";
    if (dot == std::string::npos) return value;
    path.erase(dot);
  }
}

std::string document(const Field& field, const std::string& value) {
  const auto dot = field.path.find('.');
  const std::string first = field.path.substr(0, dot);
  std::string body;
  if (first.ends_with("Args")) {
    const std::string plugin = first.substr(0, first.size() - 4);
    body = R"({"profiles": [{"pluginConfig": [{"name": ")" + plugin + R"(", "args": )" +
           nested(field.path.substr(dot + 1), value) + "}]}]}";
  } else {
    body = nested(field.path, value);
  }
  const std::string head =
      R"({"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", )";
  return head + body.substr(1);
}

// The decoder's problems with the field, as opposed to the rules about its value.
bool is_decoded(const std::string& text) {
  const auto settings = read_scheduler_configuration(text);
  if (settings) return true;
  return std::ranges::none_of(settings.error(), [](const api::Problem& problem) {
    return problem.message.starts_with("unknown field") || problem.message.starts_with("expected");
  });
}

TEST(SchedulerConfigurationFields, are_all_known_with_their_types) {
  const auto fields = catalogue();
  ASSERT_GT(fields.size(), 70U);
  std::size_t looked_at = 0;
  for (const Field& field : fields) {
    const std::string value = sample(field.type);
    if (field.path == "apiVersion" || field.path == "kind" || value.empty()) continue;
    ++looked_at;
    EXPECT_TRUE(is_decoded(document(field, value))) << field.path << " " << field.type;
    EXPECT_FALSE(is_decoded(document(field, R"({"wrong": {}})")))
        << field.path << " takes what is no " << field.type;
  }
  EXPECT_GT(looked_at, 45U);
}

}  // namespace
}  // namespace berth::scheduling
