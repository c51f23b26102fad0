// SPDX-License-Identifier: Apache-2.0

// The control API's calls about eviction: what is, what was, what would have been.
#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "agent/config_text.hpp"
#include "agent/control_calls.hpp"
#include "agent/eviction/eviction_manager.hpp"
#include "agent/eviction/eviction_wire.hpp"
#include "lifecycle/ledger/eviction_record.hpp"

namespace berth::agent {
namespace {

constexpr std::size_t kUsualEvictions = 100;
constexpr std::size_t kMostEvictions = 10'000;

Error not_measured_yet() {
  return {ErrorCode::kUnavailable,
          "berthd has not measured the node yet; try again in a few seconds"};
}

// The settings that a configuration of that text comes to.
Result<Settings> settings_of(const std::string& text, const std::string& node_name) {
  auto parsed = parse_configuration(text, "the configuration");
  std::vector<ConfigProblem> problems = std::move(parsed.problems);
  Settings settings = resolve_settings(parsed.documents, {}, node_name, problems);
  if (problems.empty()) return settings;
  std::string list;
  for (const auto& problem : problems) list += (list.empty() ? "" : "\n") + problem.to_string();
  return fail(ErrorCode::kInvalid, std::move(list));
}

eviction::History newer_than(const eviction::History& history, std::optional<SteadyTime> since) {
  const auto samples = history.samples();
  eviction::History out(eviction::HistoryPolicy{{.capacity = samples.size()}});
  for (const eviction::Sample* sample : samples)
    if (!since || sample->at >= *since) out.add(*sample);
  return out;
}

struct SimulationInput {
  std::string configuration{};
  std::string node_name{};
  eviction::History history{};
  eviction::FileSystemLayout layout{};
  bool with_series = false;
};

Result<wire::SimulateEvictionsReply> simulated(const SimulationInput& input) {
  const auto settings = settings_of(input.configuration, input.node_name);
  if (!settings) return fail(settings.error());
  const eviction::EvictionConfig& config = settings->eviction.config;
  wire::SimulateEvictionsReply reply;
  for (const auto& threshold : config.thresholds) reply.add_thresholds(to_string(threshold));
  for (const auto& warning : settings->warnings) reply.add_warnings(warning);
  put(eviction::simulate(input.history, config, input.layout), reply);
  if (input.with_series) put_series(input.history, config.thresholds, reply);
  return reply;
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
  std::optional<SteadyTime> since;
  if (request.has_since_seconds()) {
    if (request.since_seconds() < 0)
      co_return fail(ErrorCode::kInvalid, "since: must not be negative");
    const Nanoseconds span = std::chrono::seconds(std::min<std::int64_t>(
        request.since_seconds(), std::chrono::seconds(std::chrono::years(1)).count()));
    since = from.clock.steady_now() - span;
  }
  std::function<Result<wire::SimulateEvictionsReply>()> work =
      [input = SimulationInput{.configuration = request.configuration(),
                               .node_name = from.settings.node_name,
                               .history = newer_than(from.evictions->history(), since),
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
