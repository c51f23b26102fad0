// SPDX-License-Identifier: Apache-2.0

// What a container's variables and words expand to, where Kubernetes does what nobody expects.
#include <gtest/gtest.h>

#include <ctime>

#include "node/cgroups/cpu_shares.hpp"
#include "node/container/container_config.hpp"
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

// A reference that is never closed, as often as it fits.
std::string unclosed(std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 1);
  while (text.size() < bytes) text += "$(";
  return text;
}

constexpr std::size_t kNineMegabytes = 9'000'000;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

TEST(Expansion, closes_each_reference_where_it_can_be_closed) {
  const Lookup known = [](const std::string& name) { return std::optional("<" + name + ">"); };
  struct Row {
    const char* text;
    const char* expanded;
  };
  const Row rows[] = {
      {"$(", "$("},          {"$(a", "$(a"},   {"$()", "<>"},        {"$(a)$(b", "<a>$(b"},
      {"$(a$(b)", "<a$(b>"}, {")$(a", ")$(a"}, {"$(a)$()", "<a><>"}, {"$$(a)$(", "$(a)$("},
      {"$(a)$", "<a>$"},     {")$", ")$"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(expand_variables(row.text, known).value_or("refused"), row.expanded) << row.text;
}

// Read to its end once for each "$(", each of these takes seconds; read once, milliseconds.
TEST(Expansion, reads_a_text_once_whose_references_are_not_closed) {
  const Lookup none = [](const std::string&) { return std::optional<std::string>(); };
  const std::string text = unclosed(kLongestText);
  const double before = cpu_seconds();
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(expand_variables(text, none));
  EXPECT_LT(cpu_seconds() - before, 2.0);
  const std::string fits = unclosed(kLongestString - 1);
  EXPECT_EQ(expand_variables(fits, none).value_or("refused"), fits);
}

TEST(Expansion, may_be_shorter_than_its_text_and_a_text_far_beyond_is_not_begun) {
  int lookups = 0;
  const Lookup empty = [&lookups](const std::string&) {
    ++lookups;
    return std::optional<std::string>("");
  };
  const std::string dollars(2 * kLongestString, '$');
  EXPECT_EQ(expand_variables(dollars, empty).value_or("refused").size(), kLongestString);
  const std::string name(kLongestText - 3, 'n');
  EXPECT_EQ(expand_variables("$(" + name + ")", empty).value_or("refused"), "");
  EXPECT_EQ(lookups, 1);
  const auto refused = expand_variables("$(n" + name + ")", empty);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(refused.error().message,
            "before expansion it is longer than the 1048576 bytes that are expanded");
  EXPECT_FALSE(expand_variables("$(n)" + unclosed(kNineMegabytes), empty));
  EXPECT_EQ(lookups, 1);
}

TEST(Expansion, of_nine_megabytes_is_refused_by_the_name_of_what_is_too_long) {
  const std::string huge = unclosed(kNineMegabytes);
  const auto refusal = [](api::Container container) {
    api::Pod pod;
    pod.spec.enableServiceLinks = true;
    pod.spec.containers = {std::move(container)};
    const auto config = container_config({}, pod, pod.spec.containers[0], {});
    return config ? "none" : config.error().message;
  };
  const std::string why = "before expansion it is longer than the 1048576 bytes that are expanded";
  EXPECT_EQ(refusal({.name = "c", .env = {{.name = "V", .value = huge}}}),
            "env variable V: " + why);
  EXPECT_EQ(refusal({.name = "c", .args = {"a", huge}}), "args: word 2: " + why);
  EXPECT_EQ(refusal({.name = "c", .command = {huge}}), "command: word 1: " + why);
  EXPECT_EQ(expand_sub_path(huge, {}).error().message, why);
}

TEST(Expansion, of_a_probe_s_nine_megabytes_leaves_its_command_as_written) {
  const std::vector<std::string> words = {"$(A)", unclosed(kNineMegabytes)};
  EXPECT_TRUE(expand_probe_command(words, {{"A", "a"}}) == words);
  EXPECT_EQ(expand_probe_command({words[0]}, {{"A", "a"}}), std::vector<std::string>{"a"});
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
