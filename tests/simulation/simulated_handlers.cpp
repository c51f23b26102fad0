// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/simulated_handlers.hpp"

#include <chrono>
#include <utility>
#include <variant>

#include "probes/attempts.hpp"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kProbePath = "/probe/";

std::optional<AskedProbe> asked_by(const probes::Target& target) {
  if (const auto* exec = std::get_if<probes::ExecTarget>(&target)) {
    auto words = read_probe(exec->command);
    if (!words) return std::nullopt;
    return AskedProbe{.id = exec->container, .words = std::move(*words)};
  }
  if (const auto* connection = std::get_if<probes::TcpTarget>(&target)) {
    auto words = read_probe_port(connection->port);
    if (!words) return std::nullopt;
    return AskedProbe{.host = connection->host, .words = std::move(*words)};
  }
  if (const auto* check = std::get_if<probes::GrpcTarget>(&target)) {
    auto words = read_probe(std::string_view(check->service));
    if (!words) return std::nullopt;
    return AskedProbe{.host = check->host, .words = std::move(*words)};
  }
  const auto* request = std::get_if<probes::HttpTarget>(&target);
  if (request == nullptr || !request->url.path.starts_with(kProbePath)) return std::nullopt;
  auto words = read_probe(std::string_view(request->url.path).substr(kProbePath.size()));
  if (!words) return std::nullopt;
  return AskedProbe{.host = request->url.hostname(), .words = std::move(*words)};
}

probes::Attempt failed(probes::Phase phase, probes::Cause cause, std::string output) {
  return {.outcome = probes::Outcome::kFailure,
          .output = std::move(output),
          .phase = phase,
          .cause = cause};
}

probes::Attempt refused() {
  return failed(probes::Phase::kConnect, probes::Cause::kRefused,
                "dial tcp: connect: connection refused");
}

// The answer of a server that does not know TLS.
probes::Attempt plain_answer(const probes::HttpTarget& request) {
  if (request.url.scheme != "https") return {.outcome = probes::Outcome::kSuccess, .code = 200};
  probes::Attempt attempt = failed(probes::Phase::kTls, probes::Cause::kProtocol,
                                   "http: server gave HTTP response to HTTPS client");
  attempt.plain_http_answer = true;
  return attempt;
}

}  // namespace

boost::asio::awaitable<probes::Attempt> SimulatedHandlers::run(probes::Target target,
                                                               std::optional<Nanoseconds> limit) {
  const auto asked = asked_by(target);
  if (!asked) co_return co_await answer_hook(std::move(target));
  const bool there = listener_ == nullptr || listener_->probe_asked(*asked);
  const SteadyTime began = clock_.steady_now();
  probes::Attempt attempt;
  if (const auto* exec = std::get_if<probes::ExecTarget>(&target)) {
    auto called = probes::exec_attempt(runtime_, *exec, limit);
    attempt = co_await std::move(called);
  } else {
    auto answered = answer_probe(asked->words.script, limit.value_or(Nanoseconds::max()), there);
    attempt = co_await std::move(answered);
  }
  attempt.took = clock_.steady_now() - began;
  if (listener_ != nullptr) listener_->probe_answered(*asked, attempt);
  co_return attempt;
}

boost::asio::awaitable<probes::Attempt> SimulatedHandlers::answer_hook(probes::Target target) {
  co_await clock_.sleep_for(milliseconds(5));
  const auto* request = std::get_if<probes::HttpTarget>(&target);
  if (request != nullptr && request->url.hostname() == "plain") co_return plain_answer(*request);
  const bool nobody = request != nullptr && request->url.hostname() == "refused";
  co_return nobody ? refused() : probes::Attempt{.outcome = probes::Outcome::kSuccess};
}

boost::asio::awaitable<probes::Attempt> SimulatedHandlers::answer_probe(ProbeScript script,
                                                                        Nanoseconds limit,
                                                                        bool somebody_there) {
  if (!somebody_there) {
    co_await clock_.sleep_for(milliseconds(1));
    co_return refused();
  }
  const bool passes = script.passes(clock_.steady_now());
  const bool late = (script.stalls && !passes) || script.takes >= limit;
  co_await clock_.sleep_for(late ? limit : script.takes);
  if (late) {
    co_return failed(probes::Phase::kResponse, probes::Cause::kTimeout,
                     "context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
  }
  if (!passes) {
    auto attempt = failed(probes::Phase::kDone, probes::Cause::kAnswer,
                          "HTTP probe failed with statuscode: 503");
    attempt.code = 503;
    co_return attempt;
  }
  co_return probes::Attempt{.outcome = probes::Outcome::kSuccess, .code = 200};
}

}  // namespace berth::simulation
