// SPDX-License-Identifier: Apache-2.0

#include "control/pod_name.hpp"

#include <gtest/gtest.h>

namespace berth::control {
namespace {

const std::vector<PodName> kPods = {{"default", "web-n1"},
                                    {"default", "db-n1"},
                                    {"default", "api"},
                                    {"shop", "api-n1"},
                                    {"shop", "cart-n1"}};

struct Case {
  const char* what;
  const char* namespace_;
  const char* name;
  const char* expected;  // namespace/name, or the error's message
};

TEST(PodName, is_found_as_people_type_it) {
  const Case cases[] = {
      {"short", "", "web", "default/web-n1"},
      {"whole", "", "web-n1", "default/web-n1"},
      {"with kind", "", "pod/web", "default/web-n1"},
      {"with namespace", "", "shop/cart", "shop/cart-n1"},
      {"namespace in the name wins", "default", "shop/cart", "shop/cart-n1"},
      {"a whole name wins", "", "api", "default/api"},
      {"typo", "", "wbe", "pod \"wbe\" not found in namespace \"default\"; did you mean \"web\"?"},
      {"typo in upper case", "", "WEB",
       "pod \"WEB\" not found in namespace \"default\"; did you mean \"web\"?"},
      {"elsewhere", "", "cart",
       "pod \"cart\" not found in namespace \"default\"; there is one in namespace \"shop\" (use "
       "-n "
       "shop)"},
      {"nothing near", "shop", "zebra", "pod \"zebra\" not found in namespace \"shop\""},
      {"empty", "", "", "a pod's name is missing; use NAME or NAMESPACE/NAME"},
  };
  for (const auto& c : cases) {
    const auto found = resolve_pod_name(kPods, c.namespace_, c.name, "n1");
    const auto text = found ? found->namespace_ + "/" + found->name : found.error().message;
    EXPECT_EQ(text, c.expected) << c.what;
  }
}

}  // namespace
}  // namespace berth::control
