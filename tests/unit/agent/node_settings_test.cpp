// SPDX-License-Identifier: Apache-2.0

// From the configuration file's text to the settings of berthd's parts.
#include "agent/node_settings.hpp"

#include <gtest/gtest.h>

#include "agent/config_text.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

Settings settings_of(const std::string& text) {
  auto [documents, problems] = parse_configuration(text, "c.yaml");
  Settings settings = resolve_settings(documents, {}, "node1", problems);
  EXPECT_TRUE(problems.empty()) << (problems.empty() ? "" : problems.front().to_string());
  EXPECT_TRUE(settings.unused_fields.empty()) << settings.unused_fields.front();
  return settings;
}

TEST(NodeSettings, the_longest_restart_backoff_reaches_the_pods) {
  EXPECT_EQ(pod_set_options(settings_of("")).restarts, lifecycle::RestartBackoffPolicy{});
  const auto options = pod_set_options(
      settings_of("apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
                  "crashLoopBackOff: {maxContainerRestartPeriod: 4s}\n"));
  EXPECT_EQ(options.restarts.max, 4s);
  EXPECT_EQ(options.restarts.initial, 4s);
  EXPECT_EQ(options.restarts.reset_after, 600s);
}

TEST(NodeSettings, what_a_restart_means_for_stops_reaches_the_pods) {
  const std::string head = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";
  using lifecycle::TerminationOnRestart;
  EXPECT_EQ(pod_set_options(settings_of(head)).termination_on_restart,
            TerminationOnRestart::kResume);
  EXPECT_EQ(
      pod_set_options(settings_of(head + "terminationOnRestart: Resume\n")).termination_on_restart,
      TerminationOnRestart::kResume);
  EXPECT_EQ(pod_set_options(settings_of(head + "terminationOnRestart: FullGrace\n"))
                .termination_on_restart,
            TerminationOnRestart::kFullGrace);
}

}  // namespace
}  // namespace berth::agent
