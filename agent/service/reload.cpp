// SPDX-License-Identifier: Apache-2.0

#include "agent/service/reload.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "agent/node_settings.hpp"
#include "base/deadline.hpp"

namespace berth::agent {
namespace {

// Measuring takes milliseconds; the caller of the reload waits.
constexpr auto kMeasureWithin = std::chrono::seconds(5);

using Machine = std::function<Result<node::NodeFacts>(const Settings&)>;

Result<api::ResourceList> allocatable_with(const Settings& settings, const Machine& machine) {
  auto facts = machine(settings);
  if (!facts) return fail(wrap("reading what this machine is", facts.error()));
  return allocatable_on(settings, std::move(*facts));
}

// Why this machine cannot do what the settings ask for, in the words of a start that fails for it:
// those of the file, which the next start takes as a whole, or those in force until then. Blocking.
std::optional<std::string> asks_too_much(const Settings& in_file, const Settings& until_then,
                                         const Machine& machine) {
  const auto at_start = allocatable_with(in_file, machine);
  if (!at_start) return at_start.error().message;
  const auto meanwhile = allocatable_with(until_then, machine);
  if (meanwhile) return std::nullopt;
  return "the fields that take effect now do not fit those that wait for a restart: " +
         meanwhile.error().message + ", or restart berthd instead (systemctl restart berthd)";
}

}  // namespace

class Reloading::Turn {
 public:
  explicit Turn(Reloading& of) : of_(of) { of_.under_way_ = true; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    of_.under_way_ = false;
    of_.over_.ring();
  }

 private:
  Reloading& of_;
};

Reloading::Reloading(boost::asio::any_io_executor executor, Clock& clock, BlockingPool& pool,
                     Log& log, Settings& settings, Ports ports)
    : clock_(clock),
      pool_(pool),
      log_(log),
      settings_(settings),
      ports_(std::move(ports)),
      over_(std::move(executor)) {}

boost::asio::awaitable<ReloadOutcome> Reloading::reload() {
  while (under_way_) co_await over_.wait();
  const Turn turn(*this);
  ReloadDecision decision = co_await decide();
  if (decision.problems.empty()) {
    apply(decision);
  } else {
    for (const auto& problem : decision.problems)
      log_.write(LogLevel::kError, "ConfigurationRefused", problem, {});
    log_.warn("Reload", "the configuration in force stays; nothing has changed");
  }
  co_return ReloadOutcome{.problems = std::move(decision.problems),
                          .changes = std::move(decision.changes)};
}

boost::asio::awaitable<ReloadDecision> Reloading::decide() {
  auto reading = pool_.run("reading the configuration", ports_.load);
  const LoadedSettings loaded = co_await std::move(reading);
  ReloadDecision decision = decide_reload(settings_, loaded);
  if (!decision.problems.empty()) co_return decision;
  std::function<std::optional<std::string>()> look =
      [in_file = loaded.settings, until_then = decision.settings, machine = ports_.machine] {
        return asks_too_much(in_file, until_then, machine);
      };
  auto looking = pool_.run("looking at the machine", std::move(look));
  auto too_much = co_await std::move(looking);
  if (too_much) {
    decision.problems.push_back(std::move(*too_much));
    decision.changes.clear();
    co_return decision;
  }
  if (!decision.evicts_nobody_at_once) co_return decision;
  auto measuring = with_deadline(clock_, clock_.steady_now() + kMeasureWithin, "measuring the node",
                                 ports_.refusal(decision.settings.eviction.config));
  const auto refusal = co_await std::move(measuring);
  if (!refusal) {
    decision.problems.push_back("whether the eviction thresholds would evict at once is unknown (" +
                                refusal.error().message +
                                "); set evictAtOnce: true to accept that");
  } else if (*refusal) {
    decision.problems.push_back(**refusal);
  }
  if (!decision.problems.empty()) decision.changes.clear();
  co_return decision;
}

void Reloading::apply(const ReloadDecision& decision) {
  // Requested explicitly, so written whatever logLevel says, before or after.
  ports_.set_log_level(
      std::min({settings_.log_level, decision.settings.log_level, LogLevel::kInfo}));
  if (decision.settings.eviction.config != settings_.eviction.config)
    ports_.apply_eviction(decision.settings.eviction.config);
  settings_ = decision.settings;
  pending_ = pending_changes(decision.changes);
  report_decision(decision);
  ports_.set_log_level(settings_.log_level);
}

void Reloading::report_decision(const ReloadDecision& decision) {
  for (const auto& warning : decision.new_warnings) log_.warn("Configuration", warning);
  for (const auto& field : decision.new_unused_fields)
    log_.warn("UnusedConfiguration", field + " has no effect in this version");
  for (const auto& change : decision.changes) {
    if (change.takes_effect == TakesEffect::kAtOnce)
      log_.info("Reload", to_string(change));
    else
      log_.warn("Reload", to_string(change) + ", once berthd is restarted");
  }
  log_.info("Reload", reload_summary(decision.changes));
}

}  // namespace berth::agent
