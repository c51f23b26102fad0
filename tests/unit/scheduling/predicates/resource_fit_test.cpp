// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/resource_fit.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "scheduling/predicates/host_ports.hpp"

namespace berth::scheduling {
namespace {

TEST(ResourceFit, all_that_is_short_is_listed_in_order) {
  const ResourceAmounts allocatable{
      .milli_cpu = 1000, .memory = 100, .scalars = {{.name = "a.io/x", .amount = 2}}};
  const ResourceAmounts used{.milli_cpu = 600, .memory = 100};
  const ResourceAmounts request{
      .milli_cpu = 500,
      .memory = 200,
      .scalars = {{.name = "a.io/x", .amount = 0}, {.name = "b.io/y", .amount = 1}}};
  const NodeRoom room{.allocatable = allocatable, .used = used, .allowed_pods = 3, .pods = 3};
  const std::vector<Shortage> found = shortages(request, room);
  std::vector<std::string> names;
  for (const Shortage& shortage : found) names.push_back(shortage.resource);
  EXPECT_EQ(names, (std::vector<std::string>{"pods", "cpu", "memory", "b.io/y"}));
  EXPECT_FALSE(found[0].is_unresolvable());
  EXPECT_FALSE(found[1].is_unresolvable());
  EXPECT_TRUE(found[2].is_unresolvable());
  EXPECT_EQ(fit(request, room), Fit::kUnresolvable);
}

TEST(ResourceFit, what_is_not_requested_may_be_overcommitted) {
  const ResourceAmounts allocatable{.milli_cpu = 100};
  const ResourceAmounts used{.milli_cpu = 200};
  const NodeRoom room{.allocatable = allocatable, .used = used, .allowed_pods = 3, .pods = 2};
  EXPECT_EQ(fit({}, room), Fit::kFits);
  EXPECT_EQ(fit({.milli_cpu = 1}, room), Fit::kShort);
}

TEST(ResourceFit, amounts_are_rounded_up_and_untracked_names_left_out) {
  const auto quantity = [](const char* text) { return *api::Quantity::parse(text); };
  const ResourceAmounts amounts = amounts_of({{"cpu", quantity("1500u")},
                                              {"memory", quantity("999500m")},
                                              {"a.io/x", quantity("3")},
                                              {"plain", quantity("3")}});
  EXPECT_EQ(amounts,
            (ResourceAmounts{
                .milli_cpu = 2, .memory = 1000, .scalars = {{.name = "a.io/x", .amount = 3}}}));
}

TEST(ResourceFit, extended_resources_are_named_as_a_quota_could_name_them) {
  const std::string long_name(64, 'x');
  const struct {
    std::string name;
    bool extended;
    bool counted;
  } cases[] = {
      {"vendor.example/gpu", true, true},
      {"cpu", false, false},
      {"kubernetes.io/x", false, true},
      {"mykubernetes.io/x", false, true},
      {"requests.vendor.example/gpu", false, false},
      {"Vendor.example/gpu", false, false},
      {"vendor.example/" + long_name, false, false},
      {"vendor.example/a/b", false, false},
      {"hugepages-2Mi", false, true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(is_extended_resource(c.name), c.extended) << c.name;
    EXPECT_EQ(is_scalar_resource(c.name), c.counted) << c.name;
  }
}

TEST(ResourceFit, what_was_added_can_be_taken_away_again) {
  ResourceAmounts sum{.milli_cpu = 5, .scalars = {{.name = "b.io/y", .amount = 1}}};
  const ResourceAmounts before = sum;
  const ResourceAmounts more{
      .memory = 7, .scalars = {{.name = "a.io/x", .amount = 2}, {.name = "b.io/y", .amount = 1}}};
  sum += more;
  EXPECT_EQ(sum.of("a.io/x"), 2);
  EXPECT_EQ(sum.of("b.io/y"), 2);
  sum -= more;
  EXPECT_EQ(sum, before);
}

TEST(HostPorts, conflict_by_address_protocol_and_port) {
  const HostPort any{.ip = "0.0.0.0", .protocol = "TCP", .port = 80};
  const HostPort one{.ip = "10.0.0.1", .protocol = "TCP", .port = 80};
  const HostPort other{.ip = "::", .protocol = "TCP", .port = 80};
  const HostPort udp{.ip = "0.0.0.0", .protocol = "UDP", .port = 80};
  EXPECT_TRUE(conflict(any, one));
  EXPECT_TRUE(conflict(one, any));
  EXPECT_TRUE(conflict(one, one));
  EXPECT_FALSE(conflict(one, other));
  EXPECT_FALSE(conflict(any, udp));
}

// A manifest may request anything; a node's totals are restored once it is gone.
TEST(ResourceFit, sums_beyond_64_bits_wrap_around_and_are_undone) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  ResourceAmounts total{.milli_cpu = 1500,
                        .memory = 1,
                        .ephemeral_storage = 2,
                        .scalars = {{.name = "example.com/gpu", .amount = 1}}};
  const ResourceAmounts before = total;
  const ResourceAmounts huge{.milli_cpu = kMost,
                             .memory = kMost,
                             .ephemeral_storage = kMost,
                             .scalars = {{.name = "example.com/gpu", .amount = kMost}}};
  total += huge;
  EXPECT_LT(total.milli_cpu, 0);
  const ResourceAmounts allocatable{.milli_cpu = 4000};
  EXPECT_EQ(fit(huge, {.allocatable = allocatable, .used = total, .allowed_pods = 110}),
            Fit::kUnresolvable);
  total -= huge;
  EXPECT_EQ(total, before);
}

}  // namespace
}  // namespace berth::scheduling
