// SPDX-License-Identifier: Apache-2.0

#include "ctl/table.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

TEST(Table, columns_are_as_wide_as_their_widest_cell_and_three_apart) {
  EXPECT_EQ(format_table({{"NAME", "READY"}, {"web-node1", "1/1"}, {"b", ""}}),
            "NAME        READY\n"
            "web-node1   1/1\n"
            "b\n");
}

TEST(Table, counts_letters_not_bytes) {
  EXPECT_EQ(format_table({{"é", "x"}, {"ab", "y"}}), "é    x\nab   y\n");
}

}  // namespace
}  // namespace berth::ctl
