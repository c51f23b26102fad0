// SPDX-License-Identifier: Apache-2.0

// The control API's calls about eviction, given the part of its sources that they need.
#include <utility>

#include "agent/eviction/eviction_calls.hpp"
#include "agent/serve/control_calls.hpp"

namespace berth::agent {
namespace {

EvictionCallSources sources(const ControlSources& from) {
  return {.manager = from.evictions,
          .ledger = from.ledger,
          .clock = from.clock,
          .pool = from.pool,
          .node_name = from.settings.node_name,
          .in_force = pods_limit(from.settings)};
}

template <class Reply>
boost::asio::awaitable<Result<Answered>> answered(EvictionCall<Reply> call, Reply& reply) {
  auto outcome = co_await std::move(call);
  if (!outcome) co_return fail(outcome.error());
  reply = std::move(*outcome);
  co_return Answered{};
}

}  // namespace

boost::asio::awaitable<Result<Answered>> answer_later(
    ControlSources& from, const wire::ExplainEvictionsRequest& /*request*/,
    wire::ExplainEvictionsReply& reply) {
  return answered(explain_evictions(sources(from)), reply);
}

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::ListEvictionsRequest& request,
                                                      wire::ListEvictionsReply& reply) {
  return answered(list_evictions(sources(from), request), reply);
}

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::SimulateEvictionsRequest& request,
                                                      wire::SimulateEvictionsReply& reply) {
  return answered(simulate_evictions(sources(from), request), reply);
}

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::TopPodsRequest& request,
                                                      wire::TopPodsReply& reply) {
  return answered(top_pods(sources(from), request), reply);
}

}  // namespace berth::agent
