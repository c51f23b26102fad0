// SPDX-License-Identifier: Apache-2.0

#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/rpc_error.hpp"
#include "base/text.hpp"
#include "probes/attempts.hpp"
#include "probes/http_message.hpp"

namespace berth::probes {
namespace {

Attempt judge_failure(const Error& error, const std::vector<std::string>& command,
                      std::optional<Nanoseconds> limit) {
  Attempt attempt{.phase = Phase::kCommand};
  if (error.code == ErrorCode::kTimeout && limit) {
    attempt.outcome = Outcome::kFailure;
    attempt.cause = Cause::kTimeout;
    attempt.output = fmt::format("command timed out: \"{}\" timed out after {}",
                                 fmt::join(command, " "), go_duration(*limit));
    return attempt;
  }
  attempt.outcome = Outcome::kUnknown;
  attempt.errored = true;
  attempt.cause = Cause::kOther;
  attempt.output = without_call(error.message);
  return attempt;
}

Attempt judge_exit(cri::ExecResult result) {
  Attempt attempt{.output = std::move(result.stdout_data), .code = result.exit_code};
  attempt.output += result.stderr_data;
  attempt.output.resize(first_bytes(attempt.output, kOutputLimit).size());
  const bool passed = result.exit_code == 0;
  attempt.outcome = passed ? Outcome::kSuccess : Outcome::kFailure;
  attempt.phase = passed ? Phase::kDone : Phase::kCommand;
  attempt.cause = passed ? Cause::kNone : Cause::kAnswer;
  return attempt;
}

}  // namespace

boost::asio::awaitable<Attempt> exec_attempt(cri::Runtime& runtime, ExecTarget target,
                                             std::optional<Nanoseconds> limit) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limit.value_or(Nanoseconds::zero()));
  auto call = runtime.exec_sync(Context{}, target.container, target.command, seconds);
  auto result = co_await std::move(call);
  Attempt attempt = result ? judge_exit(std::move(*result))
                           : judge_failure(result.error(), target.command, limit);
  co_return attempt;
}

}  // namespace berth::probes
