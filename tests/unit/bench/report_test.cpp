// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/report.hpp"

#include <gtest/gtest.h>

namespace berth::bench {
namespace {

using Lines = std::vector<std::string>;

Lines missed(std::vector<Figure> figures) {
  Report report;
  for (Figure& figure : figures) report.add(std::move(figure));
  return report.missed();
}

TEST(Report, misses_a_bound_that_the_median_is_over) {
  EXPECT_EQ(missed({{.name = "start", .unit = "ms", .samples = {4, 6, 9}, .bound = 5}}),
            Lines{"start: 6.00 ms, bound 5.00"});
  EXPECT_EQ(missed({{.name = "start", .unit = "ms", .samples = {4, 5, 9}, .bound = 5}}), Lines{});
  EXPECT_EQ(missed({{.name = "start", .unit = "ms", .samples = {400}}}), Lines{});
}

TEST(Report, misses_a_bound_for_which_nothing_was_measured) {
  EXPECT_EQ(missed({{.name = "start", .unit = "ms", .bound = 5}}), Lines{"start: not measured"});
}

TEST(Report, names_what_is_missed_by_the_figure_that_it_stands_under) {
  EXPECT_EQ(missed({{.name = "start", .unit = "ms", .samples = {1}},
                    {.name = "  own share", .unit = "ms", .samples = {7}, .bound = 5}}),
            Lines{"start, own share: 7.00 ms, bound 5.00"});
}

TEST(Report, says_beside_each_figure_whether_its_bound_holds) {
  Report report;
  report.add(Figure{.name = "a", .unit = "ms", .samples = {4, 4, 9}, .bound = 5});
  report.add(Figure{.name = "b", .unit = "ms", .samples = {8}, .bound = 5});
  report.add(Figure{.name = "c", .unit = "ms", .bound = 5});
  const std::string text = report.text(false);
  EXPECT_NE(text.find("ok, p99 over"), std::string::npos) << text;
  EXPECT_NE(text.find("OVER"), std::string::npos) << text;
  EXPECT_NE(text.find("NOT MEASURED"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth::bench
