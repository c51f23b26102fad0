// SPDX-License-Identifier: Apache-2.0

// What a container's variables and words expand to, where Kubernetes does what nobody expects.
#include <gtest/gtest.h>

#include "node/cgroups/cpu_shares.hpp"
#include "node/container/field_values.hpp"
#include "node/container/variable_expansion.hpp"
#include "node/qos.hpp"

namespace berth::node {
namespace {

TEST(Expansion, takes_the_byte_after_a_dollar_for_a_character_of_its_own) {
  const Lookup none = [](const std::string&) { return std::optional<std::string>(); };
  struct Row {
    const char* text;
    const char* expanded;
  };
  const Row rows[] = {
      {"a$é", "a$Ã\uFFFD"},
      {"$€!", "$â\uFFFD\uFFFD!"},
      {"é$$é", "é$é"},
      {"$x$(x)é$", "$x$(x)é$"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(expand_variables(row.text, none).value_or("refused"), row.expanded) << row.text;
}

TEST(ResourceValue, of_an_init_container_that_is_named_has_no_default) {
  api::Pod pod;
  pod.spec.containers.resize(1);
  pod.spec.containers[0].name = "main";
  pod.spec.initContainers.resize(1);
  pod.spec.initContainers[0].name = "init";
  const api::ResourceList allocatable = {{"cpu", *api::Quantity::parse("4")}};
  struct Row {
    const api::Container* own;
    const char* named;
    const char* value;
  };
  const api::Container* main = &pod.spec.containers[0];
  const api::Container* init = &pod.spec.initContainers[0];
  const Row rows[] = {{main, "", "4"},       {main, "main", "4"}, {main, "init", "0"},
                      {init, "", "4"},       {init, "init", "0"}, {init, "main", "4"},
                      {nullptr, "init", "4"}};
  for (const Row& row : rows) {
    const auto value = resource_value(
        pod, row.own, {.containerName = row.named, .resource = "limits.cpu"}, allocatable);
    EXPECT_EQ(value.value_or("refused"), row.value)
        << (row.own == nullptr ? "a volume" : row.own->name) << " names " << row.named;
  }
}

TEST(AbsurdAmounts, wrap_around_as_in_kubernetes) {
  EXPECT_EQ(quota_from_milli_cpu(107'374'182'400'000, 100'000), 1000) << "limits.cpu: 100Gi";
}

}  // namespace
}  // namespace berth::node
