// SPDX-License-Identifier: Apache-2.0

// The plot of a simulation.
#include "ctl/evictions/plot.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "ctl/evictions/plot_axis.hpp"
#include "tests/unit/ctl/evictions/simulated_reply.hpp"

namespace berth::ctl {
namespace {

constexpr std::int64_t kBegin = 1'767'322'800'000;  // 2026-01-02T03:00:00Z
constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kHour = 3600 * kSecond;
constexpr double kGi = 1024.0 * 1024 * 1024;

using Labels = std::vector<std::string>;

Labels labels(const std::vector<Tick>& ticks) {
  Labels texts;
  for (const Tick& tick : ticks) texts.push_back(tick.label);
  return texts;
}

TEST(PlotAxis, has_round_amounts_that_people_read) {
  EXPECT_EQ(labels(amount_ticks("bytes", 5.4 * kGi)),
            (Labels{"0", "1Gi", "2Gi", "3Gi", "4Gi", "5Gi", "6Gi"}));
  EXPECT_EQ(labels(amount_ticks("bytes", 1.4 * kGi)),
            (Labels{"0", "256Mi", "512Mi", "768Mi", "1Gi", "1.25Gi", "1.5Gi"}));
  EXPECT_EQ(labels(amount_ticks("bytes", 900 * kGi)),
            (Labels{"0", "200Gi", "400Gi", "600Gi", "800Gi", "1000Gi"}));
  EXPECT_EQ(labels(amount_ticks("ppm", 220'000)), (Labels{"0%", "5%", "10%", "15%", "20%", "25%"}));
  EXPECT_EQ(labels(amount_ticks("ppm", 0)), (Labels{"0%", "0.1%"})) << "nothing stalled";
  EXPECT_EQ(labels(amount_ticks("count", 32'000)), (Labels{"0", "10k", "20k", "30k", "40k"}));
  EXPECT_EQ(labels(amount_ticks("count", 2'600'000)),
            (Labels{"0", "500k", "1M", "1.5M", "2M", "2.5M", "3M"}));
}

TEST(PlotAxis, that_leaves_out_zero_has_round_amounts_whose_labels_differ) {
  EXPECT_EQ(labels(amount_ticks_between("bytes", 21.55 * kGi, 22.6 * kGi)),
            (Labels{"21.4Gi", "21.6Gi", "21.8Gi", "22Gi", "22.2Gi", "22.4Gi", "22.6Gi"}));
  EXPECT_EQ(labels(amount_ticks_between("bytes", 210.2 * kGi, 210.4 * kGi)),
            (Labels{"210Gi", "211Gi"}));
  EXPECT_EQ(labels(amount_ticks_between("count", 32'110, 32'140)),
            (Labels{"32.11k", "32.12k", "32.13k", "32.14k"}));
  EXPECT_EQ(labels(amount_ticks_between("ppm", 981'000, 990'000)),
            (Labels{"98%", "98.2%", "98.4%", "98.6%", "98.8%", "99%"}));
}

TEST(PlotAxis, has_round_times_with_the_date_where_it_is_new) {
  EXPECT_EQ(labels(time_ticks(kBegin, kBegin + 20 * kSecond)),
            (Labels{"Jan 02 03:00:00", "03:00:05", "03:00:10", "03:00:15", "03:00:20"}));
  EXPECT_EQ(labels(time_ticks(kBegin + 1, kBegin + 24 * kHour)),
            (Labels{"Jan 02 06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "Jan 03 00:00",
                    "03:00"}));
  EXPECT_EQ(time_ticks(kBegin, kBegin).size(), 1U);
}

TEST(EvictionPlot, draws_signals_thresholds_and_evictions) {
  const std::string picture = plot_svg(simulated());
  EXPECT_TRUE(picture.starts_with("<svg "));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  for (const char* part :
       {"<polyline", ">memory.available<", ">memory.available&lt;5Gi (5.03Gi)<",
        ">Eviction as simulated from 2026-01-02 03:00:00 to 2026-01-02 03:00:20 UTC, 3 samples<",
        ">measured<", ">threshold; shaded: it is met<", ">6Gi<", ">03:00:10<",
        ">1. 2026-01-02 03:00:10 default/a&lt;b<",
        ">2. 2026-01-02 03:00:10 default/a&lt;b (a guess)<", "stroke-opacity"})
    EXPECT_NE(picture.find(part), std::string::npos) << part << " is missing in\n" << picture;
  EXPECT_EQ(plot_svg({}), "");
}

// What "y=" says of each text that contains `part`.
std::vector<double> rows_of(const std::string& picture, const std::string& part) {
  std::vector<double> rows;
  std::istringstream lines(picture);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("<text") && line.find(part) != std::string::npos)
      rows.push_back(std::stod(line.substr(line.find("y=\"") + 3)));
  return rows;
}

TEST(EvictionPlot, shows_amounts_apart_that_are_near_to_each_other) {
  auto reply = simulated();
  auto& series = *reply.mutable_series(0);
  for (int i = 0; i < 3; ++i) series.set_values(i, (22.5 - 0.4 * i) * kGi);
  series.mutable_limits(0)->set_value(21.7 * kGi);
  auto& soft = *series.add_limits();
  soft.set_threshold("memory.available<22.2Gi");
  soft.set_value(22.2 * kGi);
  const std::string picture = plot_svg(reply);
  EXPECT_EQ(picture.find(">0<"), std::string::npos) << picture;
  EXPECT_NE(picture.find(">22Gi<"), std::string::npos) << picture;
}

TEST(EvictionPlot, names_of_thresholds_do_not_overlap_where_they_are_near_to_each_other) {
  constexpr double kHeight = 11;
  for (const double share : {0.001, 0.98}) {
    auto reply = simulated();
    auto& series = *reply.mutable_series(0);
    series.set_values(0, 0);
    series.clear_limits();
    for (int i = 0; i < 3; ++i) {
      auto& limit = *series.add_limits();
      limit.set_threshold("memory.available<" + std::to_string(i));
      limit.set_value(6e9 * share + i);
    }
    auto rows = rows_of(plot_svg(reply), "memory.available&lt;");
    ASSERT_EQ(rows.size(), 3U);
    std::ranges::sort(rows);
    EXPECT_GE(rows[1] - rows[0], kHeight) << share;
    EXPECT_GE(rows[2] - rows[1], kHeight) << share;
  }
}

TEST(EvictionPlot, numbers_of_evictions_at_one_time_stand_below_one_another) {
  const std::string picture = plot_svg(simulated());
  const auto first = picture.find("<circle");
  const auto second = picture.find("<circle", first + 1);
  ASSERT_NE(second, std::string::npos);
  const auto place = [&](std::size_t at) {
    return picture.substr(at, picture.find(" r=", at) - at);
  };
  EXPECT_NE(place(first), place(second));
}

TEST(EvictionPlot, what_was_not_measured_is_a_hole_and_not_a_line) {
  auto reply = simulated();
  auto& series = *reply.mutable_series(0);
  for (const std::int64_t at : {5 * kHour, 5 * kHour + kSecond}) {
    series.add_time_ms(kBegin + at);
    series.add_values(6e9);
  }
  const std::string picture = plot_svg(reply);
  const auto first = picture.find("<polyline");
  EXPECT_NE(picture.find("<polyline", first + 1), std::string::npos) << picture;
}

TEST(EvictionPlot, says_so_if_nobody_would_have_gone) {
  auto reply = simulated();
  reply.clear_events();
  const std::string picture = plot_svg(reply);
  EXPECT_NE(picture.find(">No pod would have been evicted.<"), std::string::npos);
  EXPECT_EQ(picture.find("<circle"), std::string::npos);
}

}  // namespace
}  // namespace berth::ctl
