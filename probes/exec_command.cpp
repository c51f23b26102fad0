#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probes/attempts.hpp"
#include "probes/http_message.hpp"

namespace berth::probes {
namespace {

// As gRPC's status prints itself.
std::string_view code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return "NotFound";
    case ErrorCode::kAlreadyExists:
      return "AlreadyExists";
    case ErrorCode::kInvalid:
      return "InvalidArgument";
    case ErrorCode::kUnavailable:
      return "Unavailable";
    case ErrorCode::kTimeout:
      return "DeadlineExceeded";
    case ErrorCode::kCancelled:
      return "Canceled";
    case ErrorCode::kUnimplemented:
      return "Unimplemented";
    case ErrorCode::kPermission:
      return "PermissionDenied";
    case ErrorCode::kUnknown:
      break;
  }
  return "Unknown";
}

std::string rpc_error(const Error& error) {
  constexpr std::string_view kCall = "ExecSync: ";
  std::string_view text = error.message;
  if (text.starts_with(kCall)) text.remove_prefix(kCall.size());
  return fmt::format("rpc error: code = {} desc = {}", code_name(error.code), text);
}

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
  attempt.output = rpc_error(error);
  return attempt;
}

Attempt judge_exit(cri::ExecResult result) {
  Attempt attempt{.output = std::move(result.stdout_data), .code = result.exit_code};
  attempt.output += result.stderr_data;
  if (attempt.output.size() > kOutputLimit) attempt.output.resize(kOutputLimit);
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
