// SPDX-License-Identifier: Apache-2.0

#include "probes/handlers.hpp"

#include <utility>

#include <fmt/format.h>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "base/deadline.hpp"
#include "base/text.hpp"
#include "probes/attempts.hpp"
#include "probes/tls_stream.hpp"

namespace berth::probes {

namespace asio = boost::asio;

struct NodeHandlers::Impl {
  Impl(Clock& the_clock, cri::Runtime& the_runtime, GrpcQueue& the_queue,
       std::filesystem::path tracking)
      : clock(the_clock),
        runtime(the_runtime),
        queue(the_queue),
        sockets{.clock = the_clock,
                .tracking = {the_clock, std::move(tracking)},
                .names = NameLookups(the_clock)} {}

  Clock& clock;
  cri::Runtime& runtime;
  GrpcQueue& queue;
  SocketKeeper sockets;
  TlsContext tls{};
};

namespace {

// The operation's own answer; `std::nullopt` if the limit came first.
asio::awaitable<std::optional<Attempt>> within(Clock& clock, std::optional<Nanoseconds> limit,
                                               Try operation, Progress& progress) {
  if (!limit) {
    auto outcome = co_await std::move(operation);
    if (!outcome) co_return std::nullopt;
    co_return std::move(*outcome);
  }
  auto racing = with_deadline(clock, progress.begun_at + *limit, "attempt", std::move(operation));
  auto outcome = co_await std::move(racing);
  if (outcome) co_return std::move(*outcome);
  // Answered in time; the limit only ended the wait for the server's close.
  co_return std::move(progress.settled);
}

}  // namespace

std::string go_duration(Nanoseconds duration) {
  const auto count = duration.count();
  if (count < 1'000'000) return fmt::format("{}µs", count / 1'000);
  if (count < 1'000'000'000) return fmt::format("{}ms", static_cast<double>(count) / 1e6);
  const auto minutes = count / 60'000'000'000;
  const double seconds = static_cast<double>(count % 60'000'000'000) / 1e9;
  std::string out;
  if (minutes >= 60) out += fmt::format("{}h", minutes / 60);
  if (minutes > 0) out += fmt::format("{}m", minutes % 60);
  return out + fmt::format("{}s", seconds);
}

NodeHandlers::NodeHandlers(Clock& clock, cri::Runtime& runtime, GrpcQueue& queue,
                           std::filesystem::path tracking)
    : impl_(std::make_unique<Impl>(clock, runtime, queue, std::move(tracking))) {}

NodeHandlers::~NodeHandlers() = default;

SocketCounts NodeHandlers::sockets() const {
  return impl_->sockets.counts;
}

TrackingReport NodeHandlers::tracking() const {
  return impl_->sockets.tracking.report();
}

asio::awaitable<Attempt> NodeHandlers::run(Target target, std::optional<Nanoseconds> limit) {
  Clock& clock = impl_->clock;
  Progress progress{.begun_at = clock.steady_now()};
  std::optional<Attempt> answered;
  Attempt late;
  if (auto* exec = std::get_if<ExecTarget>(&target)) {
    auto running = exec_attempt(impl_->runtime, std::move(*exec), limit);
    answered = co_await std::move(running);
  } else if (const auto* http = std::get_if<HttpTarget>(&target)) {
    progress.url = http->url.str();
    auto asking =
        within(clock, limit, http_attempt(impl_->sockets, impl_->tls, *http, progress), progress);
    answered = co_await std::move(asking);
    if (!answered) late = http_timeout(progress);
  } else if (const auto* tcp = std::get_if<TcpTarget>(&target)) {
    std::optional<Dialing> dialing;
    if (const auto to = endpoint_of(tcp->host, tcp->port)) {
      dialing = start_dial(impl_->sockets, *to);
    }
    answered = tcp_at_once(impl_->sockets, dialing);
    if (!answered) {
      auto asking =
          within(clock, limit, tcp_attempt(impl_->sockets, *tcp, std::move(dialing)), progress);
      answered = co_await std::move(asking);
    }
    if (!answered) late = tcp_timeout(*tcp);
  } else {
    const auto& grpc = std::get<GrpcTarget>(target);
    auto asking = within(
        clock, limit, grpc_attempt(impl_->sockets, impl_->queue, grpc, limit, progress), progress);
    answered = co_await std::move(asking);
    if (!answered) late = grpc_timeout(grpc, progress, limit.value_or(Nanoseconds::zero()));
  }
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    // Whatever the sockets reported at the end, there was no result.
    throw boost::system::system_error(asio::error::operation_aborted);
  }
  if (!answered) late = without_full_table(std::move(late), impl_->sockets.tracking.report().table);
  const Nanoseconds passed = clock.steady_now() - progress.begun_at;
  Attempt attempt = answered ? std::move(*answered) : std::move(late);
  attempt.took = progress.took.value_or(answered ? passed : limit.value_or(passed));
  attempt.output = valid_text(std::move(attempt.output));
  attempt.body = valid_text(std::move(attempt.body));
  co_return attempt;
}

asio::awaitable<HttpHookResult> run_http_hook(Handlers& handlers, HttpTarget target,
                                              std::optional<Nanoseconds> limit) {
  HttpHookResult result;
  auto first = handlers.run(target, limit);
  result.attempt = co_await std::move(first);
  if (!http_hook_failed(result.attempt)) co_return result;
  result.error = result.attempt.output;
  if (!result.attempt.plain_http_answer) co_return result;
  auto second = handlers.run(plain_http_fallback(std::move(target)), limit);
  Attempt retried = co_await std::move(second);
  if (http_hook_failed(retried)) co_return result;
  result.error.reset();
  result.fell_back = true;
  result.attempt = std::move(retried);
  co_return result;
}

}  // namespace berth::probes
