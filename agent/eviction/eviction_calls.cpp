// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/eviction_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/eviction/eviction_wire.hpp"
#include "agent/eviction/simulated_eviction.hpp"
#include "agent/serve/control_requests.hpp"
#include "agent/settings/config_text.hpp"
#include "lifecycle/ledger/eviction_record.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kUsualEvictions = 100;
constexpr std::size_t kMostEvictions = 10'000;

Error not_measured_yet() {
  return {ErrorCode::kUnavailable,
          "berthd has not measured the node yet; try again in a few seconds"};
}

std::vector<ConfigText> configuration_of(const wire::SimulateEvictionsRequest& request) {
  std::vector<ConfigText> texts = {
      {.file = request.file().empty() ? "the configuration" : request.file(),
       .text = request.configuration()}};
  for (const auto& drop_in : request.drop_ins())
    texts.push_back({.file = drop_in.file(), .text = drop_in.text(), .role = ConfigRole::kDropIn});
  return texts;
}

}  // namespace

EvictionCall<wire::ExplainEvictionsReply> explain_evictions(EvictionCallSources from) {
  if (from.manager == nullptr) co_return fail(not_measured_yet());
  auto viewing = from.manager->view();
  const EvictionView view = co_await std::move(viewing);
  wire::ExplainEvictionsReply reply;
  put(view, reply);
  co_return reply;
}

EvictionCall<wire::ListEvictionsReply> list_evictions(EvictionCallSources from,
                                                      wire::ListEvictionsRequest request) {
  wire::ListEvictionsReply reply;
  if (from.ledger == nullptr) co_return reply;
  LedgerQuery query{.kind = std::string(lifecycle::kLedgerEviction), .limit = kUsualEvictions};
  if (request.limit() > 0) query.limit = std::min<std::size_t>(request.limit(), kMostEvictions);
  auto reading = from.ledger->read_ledger(std::move(query));
  const auto records = co_await std::move(reading);
  if (!records) co_return fail(records.error());
  for (const auto& record : *records) put(record, *reply.add_evictions());
  co_return reply;
}

// A day is a thousand looks at every pod: too long for the loop.
EvictionCall<wire::SimulateEvictionsReply> simulate_evictions(
    EvictionCallSources from, wire::SimulateEvictionsRequest request) {
  const auto layout = from.manager != nullptr ? from.manager->layout() : std::nullopt;
  if (!layout) co_return fail(not_measured_yet());
  std::optional<std::int64_t> since;
  if (request.has_since_seconds()) since = request.since_seconds();
  auto history = history_since(from.manager->history(), from.clock.steady_now(), since);
  if (!history) co_return fail(history.error());
  std::function<Result<wire::SimulateEvictionsReply>()> work =
      [input = SimulationInput{.configuration = configuration_of(request),
                               .node_name = from.node_name,
                               .in_force = from.in_force,
                               .history = std::move(*history),
                               .layout = *layout,
                               .with_series = request.with_series()}] { return simulated(input); };
  auto running = from.pool.run("simulating evictions", std::move(work));
  co_return co_await std::move(running);
}

EvictionCall<wire::TopPodsReply> top_pods(EvictionCallSources from, wire::TopPodsRequest request) {
  if (from.manager == nullptr) co_return fail(not_measured_yet());
  auto viewing = from.manager->view();
  const EvictionView view = co_await std::move(viewing);
  const PodSelection selection(request.namespace_(), request.all_namespaces(), request.name(),
                               from.node_name);
  const auto pods = selection.among(view.pods);
  if (!pods) co_return fail(pods.error());
  wire::TopPodsReply reply;
  for (const auto& pod : *pods) put(view, *pod, *reply.add_pods());
  co_return reply;
}

}  // namespace berth::agent
