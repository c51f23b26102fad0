// SPDX-License-Identifier: Apache-2.0

// The page to which the parts of berthd add their metrics.
#include "agent/metrics/metrics_page.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

TEST(MetricsPage, holds_what_its_writers_have_to_say_now) {
  MetricsPage page;
  EXPECT_EQ(page.text(), "");
  int count = 1;
  page.add([&count](std::string& out) { out += "a " + std::to_string(count) + "\n"; });
  page.add([](std::string& out) { out += "b 1\n"; });
  EXPECT_EQ(page.text(), "a 1\nb 1\n");
  count = 2;
  EXPECT_EQ(page.text(), "a 2\nb 1\n");
}

}  // namespace
}  // namespace berth::agent
