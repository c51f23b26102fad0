// SPDX-License-Identifier: Apache-2.0

#include "ctl/doctor_text.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

TEST(DoctorText, says_of_every_area_that_it_is_well) {
  EXPECT_EQ(doctor_text({}),
            "berthd: answers\n"
            "Machine: has what pods need\n"
            "Container runtime: answers, and every change was reported by an event\n"
            "State file: is written and read\n"
            "Configuration: every field has its effect\n"
            "Manifest folder: everything in it is in force\n"
            "Pods: none is held up by the runtime or the state file\n"
            "A kubelet in place of berthd: would go on with every pod\n");
  EXPECT_FALSE(needs_attention({}));
}

TEST(DoctorText, the_worst_of_an_area_comes_first) {
  const std::vector<DoctorFinding> findings = {
      {.severity = "note", .area = "takeover", .subject = "default/web", .text = "recreated"},
      {.severity = "warning",
       .area = "manifests",
       .subject = "a.txt",
       .text = "is not read",
       .advice = "rename it"},
      {.severity = "trouble", .area = "manifests", .subject = "b.yaml", .text = "broken"}};
  const std::string text = doctor_text(findings);
  EXPECT_NE(text.find("Manifest folder:\n"
                      "  trouble  b.yaml: broken\n"
                      "  warning  a.txt: is not read; rename it\n"
                      "Pods: none is held up by the runtime or the state file\n"
                      "A kubelet in place of berthd:\n"
                      "  note     default/web: recreated\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(needs_attention(findings));
  EXPECT_FALSE(needs_attention({findings[0]}));
}

TEST(DoctorText, what_a_newer_berthd_finds_is_shown) {
  const std::string text = doctor_text({{.severity = "note", .area = "probes", .text = "x"}});
  EXPECT_NE(text.find("probes:\n  note     x\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth::ctl
