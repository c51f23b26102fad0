// SPDX-License-Identifier: Apache-2.0

// The control API's calls about eviction: what is, what was, what would have been.
#include <algorithm>
#include <functional>
#include <utility>

#include "agent/control_calls.hpp"
#include "agent/eviction/eviction_manager.hpp"
#include "agent/eviction/eviction_wire.hpp"
#include "agent/eviction/simulated_eviction.hpp"
#include "lifecycle/ledger/eviction_record.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kUsualEvictions = 100;
constexpr std::size_t kMostEvictions = 10'000;

Error not_measured_yet() {
  return {ErrorCode::kUnavailable,
          "berthd has not measured the node yet; try again in a few seconds"};
}

}  // namespace

boost::asio::awaitable<Result<Answered>> answer_later(
    ControlSources& from, const wire::ExplainEvictionsRequest& /*request*/,
    wire::ExplainEvictionsReply& reply) {
  if (from.evictions == nullptr) co_return fail(not_measured_yet());
  const EvictionView view = co_await from.evictions->view();
  put(view, reply);
  co_return Answered{};
}

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::ListEvictionsRequest& request,
                                                      wire::ListEvictionsReply& reply) {
  if (from.ledger == nullptr) co_return Answered{};
  LedgerQuery query{.kind = std::string(lifecycle::kLedgerEviction), .limit = kUsualEvictions};
  if (request.limit() > 0) query.limit = std::min<std::size_t>(request.limit(), kMostEvictions);
  auto reading = from.ledger->read_ledger(std::move(query));
  const auto records = co_await std::move(reading);
  if (!records) co_return fail(records.error());
  for (const auto& record : *records) put(record, *reply.add_evictions());
  co_return Answered{};
}

// A day is a thousand looks at every pod: too long for the loop.
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::SimulateEvictionsRequest& request,
                                                      wire::SimulateEvictionsReply& reply) {
  if (from.evictions == nullptr) co_return fail(not_measured_yet());
  const auto layout = from.evictions->layout();
  if (!layout) co_return fail(not_measured_yet());
  std::optional<std::int64_t> since;
  if (request.has_since_seconds()) since = request.since_seconds();
  auto history = history_since(from.evictions->history(), from.clock.steady_now(), since);
  if (!history) co_return fail(history.error());
  std::function<Result<wire::SimulateEvictionsReply>()> work =
      [input = SimulationInput{.configuration = request.configuration(),
                               .node_name = from.settings.node_name,
                               .in_force = pods_limit(from.settings),
                               .history = std::move(*history),
                               .layout = *layout,
                               .with_series = request.with_series()}] { return simulated(input); };
  auto outcome = co_await from.pool.run("simulating evictions", std::move(work));
  if (!outcome) co_return fail(outcome.error());
  reply = std::move(*outcome);
  co_return Answered{};
}

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::TopPodsRequest& request,
                                                      wire::TopPodsReply& reply) {
  if (from.evictions == nullptr) co_return fail(not_measured_yet());
  const EvictionView view = co_await from.evictions->view();
  const PodSelection selection(request.namespace_(), request.all_namespaces(), request.name(),
                               from.settings.node_name);
  for (const auto& pod : view.pods)
    if (selection.takes(*pod)) put(view, *pod, *reply.add_pods());
  if (selection.by_name() && reply.pods().empty())
    co_return fail(ErrorCode::kNotFound, "pod \"" + request.name() + "\" not found");
  co_return Answered{};
}

}  // namespace berth::agent
