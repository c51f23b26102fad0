// SPDX-License-Identifier: Apache-2.0

#include "probes/attempt.hpp"

#include <gtest/gtest.h>

namespace berth::probes {
namespace {

using namespace std::chrono_literals;

TEST(AttemptTest, explains_itself_in_a_few_words) {
  const std::vector<std::pair<Attempt, std::string>> cases = {
      {{.outcome = Outcome::kSuccess, .took = 1'234us}, "answered in 1.23 ms"},
      {{.phase = Phase::kConnect, .cause = Cause::kRefused, .took = 1ms},
       "connect refused after 1 ms"},
      {{.phase = Phase::kResponse, .cause = Cause::kTimeout, .took = 1s}, "no response within 1 s"},
      {{.phase = Phase::kConnect, .cause = Cause::kTimeout, .took = 2s},
       "no connection within 2 s"},
      {{.body = "\n overloaded\nmore", .cause = Cause::kAnswer, .code = 503},
       "status 503, overloaded"},
      {{.cause = Cause::kAnswer, .code = 404}, "status 404"},
      {{.output = "no such file\n", .phase = Phase::kCommand, .cause = Cause::kAnswer, .code = 2},
       "exit code 2, no such file"},
      {{.phase = Phase::kResponse, .cause = Cause::kClosed, .took = 250us},
       "response cut off after 250 µs"},
      {{.output = "service unhealthy", .cause = Cause::kAnswer}, "service unhealthy"},
      {{.errored = true, .output = "invalid port number: 0", .cause = Cause::kOther},
       "invalid port number: 0"},
      {{.output = "Get \"http://h/\": 301 response missing Location header",
        .phase = Phase::kResponse,
        .cause = Cause::kProtocol,
        .took = 1ms},
       "response not understood after 1 ms, 301 response missing Location header"},
      {{.output = "Get \"http://web/\": dial tcp: lookup web: no such host",
        .phase = Phase::kConnect,
        .cause = Cause::kOther,
        .took = 3ms},
       "connect failed after 3 ms, dial tcp: lookup web: no such host"},
      {{.output = "invalid port number: 0", .phase = Phase::kTarget, .cause = Cause::kOther},
       "invalid port number: 0"},
  };
  for (const auto& [attempt, words] : cases) EXPECT_EQ(explain(attempt), words);
}

TEST(AttemptTest, a_long_line_is_cut_between_characters) {
  std::string line(79, 'x');
  for (int i = 0; i < 10; ++i) line += "é";
  EXPECT_EQ(explain({.body = line, .cause = Cause::kAnswer, .code = 500}),
            "status 500, " + std::string(79, 'x'));
}

}  // namespace
}  // namespace berth::probes
