// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/hook_runner.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/field_error.hpp"
#include "base/rpc_error.hpp"
#include "lifecycle/grace_period.hpp"
#include "probes/target.hpp"

namespace berth::lifecycle {
namespace {

HookOutcome failed(const HookCall& call, std::string_view kind, const std::string& what,
                   const std::string& error) {
  return {.failure = fmt::format(
              "{} lifecycle hook ({}) for Container \"{}\" in Pod \"{}\" failed - error: {}", kind,
              what, call.container, call.pod, error)};
}

boost::asio::awaitable<HookOutcome> run_command(HookServices services, HookCall call) {
  const std::vector<std::string> command = call.handler.exec->command;
  const std::string words = fmt::format("[{}]", fmt::join(command, " "));
  Context context;
  auto result =
      co_await services.runtime.exec_sync(context, call.id, command, std::chrono::seconds(0));
  if (!result) {
    const std::string error(without_call(result.error().message));
    co_return failed(call, "Exec", words, error + ", message: \"\"");
  }
  if (result->exit_code == 0) co_return HookOutcome{};
  const std::string error = fmt::format(
      "command '{}' exited with {}: {}, message: {}", fmt::join(command, " "), result->exit_code,
      result->stderr_data, api::go_quote(result->stdout_data + result->stderr_data));
  co_return failed(call, "Exec", words, error);
}

boost::asio::awaitable<HookOutcome> run_request(HookServices services, HookCall call) {
  const api::HTTPGetAction& action = *call.handler.httpGet;
  auto target = probes::http_hook_target(action, call.ports, call.pod_ip);
  if (!target) co_return failed(call, "HTTP", action.path, target.error().message);
  const std::string authority = target->url.authority;
  auto result = co_await probes::run_http_hook(services.handlers, std::move(*target), std::nullopt);
  if (result.error) co_return failed(call, "HTTP", action.path, *result.error);
  HookOutcome done;
  if (result.fell_back)
    done.fallback = fmt::format(
        "request to HTTPS lifecycle hook {} got HTTP response, retry with HTTP succeeded",
        authority);
  co_return done;
}

}  // namespace

boost::asio::awaitable<HookOutcome> run_hook(HookServices services, HookCall call) {
  if (call.handler.exec) {
    auto done = co_await run_command(services, std::move(call));
    co_return done;
  }
  if (call.handler.httpGet) {
    auto done = co_await run_request(services, std::move(call));
    co_return done;
  }
  if (call.handler.sleep) {
    const std::chrono::seconds pause(
        std::min<std::int64_t>(call.handler.sleep->seconds, kLongestGraceSeconds));
    co_await services.clock.sleep_for(pause);
    co_return HookOutcome{};
  }
  co_return HookOutcome{.failure = fmt::format("Cannot run handler: invalid handler: {} is not "
                                               "supported in a lifecycle hook of Container "
                                               "\"{}\" in Pod \"{}\"; use exec, httpGet or sleep",
                                               call.handler.tcpSocket ? "tcpSocket" : "none",
                                               call.container, call.pod)};
}

}  // namespace berth::lifecycle
