// SPDX-License-Identifier: Apache-2.0

// Metrics in the format of Prometheus' own writer.
#include "agent/metrics/metric_text.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

TEST(MetricText, numbers_have_few_digits_and_an_exponent_from_a_million_on) {
  EXPECT_EQ(metric_number(0.0), "0");
  EXPECT_EQ(metric_number(0.0125), "0.0125");
  EXPECT_EQ(metric_number(std::uint64_t{999'999}), "999999");
  EXPECT_EQ(metric_number(std::uint64_t{1'234'567}), "1.234567e+06");
  EXPECT_EQ(metric_number(0.00001), "1e-05");
}

TEST(MetricText, labels_and_heads) {
  EXPECT_EQ(metric_label("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
  std::string out;
  write_metric_head(out, "name", "counter", "Help.");
  EXPECT_EQ(out, "# HELP name Help.\n# TYPE name counter\n");
}

TEST(MetricText, buckets_of_a_histogram_hold_all_below_them) {
  SecondsHistogram ages;
  ages.observe(0.005);  // a bucket includes its bound
  ages.observe(0.3);
  ages.observe(60);
  std::string out;
  ages.write(out, "age", "a=\"b\"");
  EXPECT_EQ(out,
            "age_bucket{a=\"b\",le=\"0.005\"} 1\n"
            "age_bucket{a=\"b\",le=\"0.01\"} 1\n"
            "age_bucket{a=\"b\",le=\"0.025\"} 1\n"
            "age_bucket{a=\"b\",le=\"0.05\"} 1\n"
            "age_bucket{a=\"b\",le=\"0.1\"} 1\n"
            "age_bucket{a=\"b\",le=\"0.25\"} 1\n"
            "age_bucket{a=\"b\",le=\"0.5\"} 2\n"
            "age_bucket{a=\"b\",le=\"1\"} 2\n"
            "age_bucket{a=\"b\",le=\"2.5\"} 2\n"
            "age_bucket{a=\"b\",le=\"5\"} 2\n"
            "age_bucket{a=\"b\",le=\"10\"} 2\n"
            "age_bucket{a=\"b\",le=\"+Inf\"} 3\n"
            "age_sum{a=\"b\"} 60.305\n"
            "age_count{a=\"b\"} 3\n");
}

}  // namespace
}  // namespace berth::agent
