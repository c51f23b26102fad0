// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_reboot.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

TEST(DoctorReboot, has_nothing_to_say_of_files_that_are_in_order) {
  EXPECT_TRUE(examine_reboot({.path = "/m", .exists = true}).empty());
}

TEST(DoctorReboot, names_what_a_reboot_would_lose_and_who_needs_it) {
  const auto findings = examine_reboot(
      {.secrets_at_risk = {
           {.file = "a.yaml", .secret = "default/keys", .pods = {"default/web-n1", "team/db-n1"}},
           {.file = "a.yaml", .secret = "default/more"}}});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0],
            Finding(Severity::kWarning, "manifests", "a.yaml",
                    "a reboot would lose Secret default/keys: the file is broken, and berthd "
                    "keeps the Secrets of its last good version in memory only; "
                    "default/web-n1, team/db-n1 could not be started again then",
                    Advice("correct the file: berthd reads it again as soon as it is saved")));
  EXPECT_NE(findings[1].text.find("no pod needs it now"), std::string::npos);
}

TEST(DoctorReboot, names_what_a_reboot_has_lost) {
  const auto findings = examine_reboot({.secrets_at_risk = {{.file = "a.yaml",
                                                             .secret = "default/keys",
                                                             .pods = {"default/web-n1"},
                                                             .state = SecretState::kMissing}}});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kTrouble);
  EXPECT_EQ(findings[0].text,
            "default/web-n1 needs Secret default/keys, which is not there: the file is broken, and "
            "Secrets of its last good version do not survive a reboot");
  EXPECT_TRUE(findings[0].advice.starts_with("correct the file")) << findings[0].advice;
}

}  // namespace
}  // namespace berth::agent
