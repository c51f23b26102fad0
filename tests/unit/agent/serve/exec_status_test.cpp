// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/exec_status.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

struct Case {
  const char* json;
  int exit_code;
  const char* message;
};

TEST(ExecStatus, reports_the_exit_code_or_the_complaint) {
  const Case cases[] = {
      {R"({"metadata":{},"status":"Success"})", 0, ""},
      {R"({"status":"Failure","message":"command terminated with non-zero exit code",
           "reason":"NonZeroExitCode",
           "details":{"causes":[{"reason":"ExitCode","message":"42"}]}})",
       42, ""},
      {R"({"status":"Failure","message":"no such file","reason":"InternalError"})", 126,
       "no such file"},
      {R"({"status":"Failure","message":"odd","reason":"NonZeroExitCode",
           "details":{"causes":[{"reason":"ExitCode","message":"x"}]}})",
       126, "odd"},
      {R"({"status":"Failure","message":"bare","reason":"NonZeroExitCode"})", 126, "bare"},
      {R"({"status":"Failure","message":"none","reason":"NonZeroExitCode",
           "details":{"causes":[{"reason":"ExitCode","message":""}]}})",
       126, "none"},
      {R"({"status":"Failure","message":"zero","reason":"NonZeroExitCode",
           "details":{"causes":[{"reason":"ExitCode","message":"0"}]}})",
       126, "zero"},
      {R"({"status":"Failure","message":"large","reason":"NonZeroExitCode",
           "details":{"causes":[{"reason":"ExitCode","message":"99999999999"}]}})",
       126, "large"},
      {"connection reset", 126, "connection reset"},
      {"no text: \xff", 126, "no text: \\xff"},
  };
  for (const auto& c : cases) {
    const auto end = exec_end(c.json);
    EXPECT_EQ(end.exit_code, c.exit_code) << c.json;
    EXPECT_EQ(end.message, c.message) << c.json;
  }
}

}  // namespace
}  // namespace berth::agent
