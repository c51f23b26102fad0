// SPDX-License-Identifier: Apache-2.0

#include "agent/agent.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "agent/agent_state.hpp"
#include "agent/journal_log.hpp"
#include "agent/node_settings.hpp"
#include "agent/parts/desired_pods.hpp"
#include "agent/parts/process.hpp"
#include "agent/parts/runtime_link.hpp"
#include "agent/parts/servers.hpp"
#include "agent/parts/state_files.hpp"
#include "agent/parts/this_node.hpp"
#include "agent/service/boot_note.hpp"
#include "agent/service/late_note.hpp"
#include "agent/service/node_news.hpp"
#include "agent/service/reload_ports.hpp"
#include "agent/service/service_facts.hpp"
#include "agent/service/service_life.hpp"
#include "agent/service/status_notifier.hpp"
#include "agent/service/watched_parts.hpp"
#include "agent/shutdown/unannounced_end.hpp"
#include "agent/upkeep/idle_memory.hpp"
#include "agent/upkeep/node_upkeep.hpp"
#include "base/version.hpp"
#include "systemd/notify.hpp"

namespace berth::agent {
namespace {

// When berthd ends, it abandons blocking work that has not returned by then.
constexpr auto kStuckWorkWaitedFor = std::chrono::seconds(2);
// A shorter wait is not reported.
constexpr auto kWaitUnreported = std::chrono::seconds(1);

void log_start(const Settings& settings, Log& log) {
  log.info("Starting", "berthd " + std::string(build_version()) + " on node " + settings.node_name,
           {{"RUNTIME", settings.runtime.endpoint},
            {"MANIFESTS", settings.paths.manifests},
            {"CONTROL_SOCKET", settings.paths.control_socket}});
  if (!settings.unused_fields.empty()) {
    std::string fields;
    for (const auto& field : settings.unused_fields) fields += (fields.empty() ? "" : ", ") + field;
    log.warn("UnusedConfiguration",
             "these fields of the configuration have no effect in this version: " + fields);
  }
  for (const auto& warning : settings.warnings) log.warn("Configuration", warning);
}

}  // namespace

// In the order of construction: later members use earlier ones.
struct Agent::Parts {
  Parts(Options options, Settings settings, Log& log)
      : process(std::move(options), std::move(settings), log) {}

  Result<bool> build();
  void build_pods();
  void build_upkeep();
  void report_reboot();
  Result<bool> watch_own_parts();
  boost::asio::awaitable<void> prepare_and_start();
  boost::asio::awaitable<void> live();
  boost::asio::awaitable<void> find_out_what_runs();
  boost::asio::awaitable<void> await_ready();
  void pass_on_network();
  void report_waiting();
  void report_ready();
  boost::asio::awaitable<void> stop();
  boost::asio::awaitable<void> beat_for_ever();
  void report_state();
  void give_up(int code, const char* event, const std::string& why);
  ControlSources sources();

  Process process;
  ServiceLife life{process.loop};
  TaskGroup root{process.executor(), process.on_failure};   // live(), which stops the others
  TaskGroup tasks{process.executor(), process.on_failure};  // everything else in this file
  StateFiles files{};
  std::unique_ptr<RuntimeLink> runtime{};
  std::unique_ptr<EventRecorder> events{};
  std::unique_ptr<ThisNode> node{};
  std::unique_ptr<DesiredPods> desired{};
  std::unique_ptr<lifecycle::PodSet> pods{};
  PodsKnown known{process.executor()};
  std::unique_ptr<NodeUpkeep> upkeep{};
  std::unique_ptr<Reloading> reloading{};
  Servers servers{process};
  std::unique_ptr<PartBeats> beats{};  // null if this process is not watched
  StatusNotifier status{process.executor(),
                        process.clock,
                        {.facts = [this] { return service_facts(sources()); },
                         .notify = [](const auto& line) { systemd::notify_status(line); }}};
};

Agent::Agent(Options options, Settings settings, Log& log)
    : parts_(std::make_unique<Parts>(std::move(options), std::move(settings), log)) {}

Agent::~Agent() = default;

int Agent::run() {
  Process& process = parts_->process;
  const auto built = parts_->build();
  if (!built) {
    process.log.write(LogLevel::kError, "CannotStart", built.error().message, {});
    return built.error().code == ErrorCode::kUnimplemented ? kExitConfig : kExitUnavailable;
  }
  parts_->root.spawn("agent", parts_->live());
  process.loop.run();
  const int code = parts_->life.exit_code();
  const auto& abandoned = process.pool.abandoned();
  for (const auto& work : abandoned)
    process.log.warn("FileWorkStuck", "berthd ends although " +
                                          BlockingPool::text(work, process.clock.steady_now()));
  // A thread is still running such work: destroy nothing that it may use.
  if (!abandoned.empty()) std::_Exit(code == kStartAgain ? kExitUnavailable : code);
  return code;
}

Result<bool> Agent::Parts::build() {
  auto opened = open_state_files(process);
  if (!opened) return fail(opened.error());
  files = std::move(*opened);
  runtime = std::make_unique<RuntimeLink>(process);
  const auto driver = runtime->driver.choose(process.loop, process.on_failure);
  if (!driver) return fail(driver.error());
  auto view = look_at_node(process.settings, *driver, process.log);
  if (!view) return fail(view.error());
  events = std::make_unique<EventRecorder>(process.executor(), process.clock, process.log,
                                           process.settings.node_name);
  events->continue_from(files.store->recall_events(), *files.store);
  node = std::make_unique<ThisNode>(process, *runtime, *events, std::move(*view));
  report_reboot();
  desired = std::make_unique<DesiredPods>(process, files, *events, *node);
  build_pods();
  build_upkeep();
  reloading = std::make_unique<Reloading>(
      process.executor(), process.clock, process.pool, process.log, process.settings,
      reload_ports(process.options,
                   {upkeep->eviction(), node->view, node->state, *pods, process.log}));
  return watch_own_parts();
}

void Agent::Parts::build_pods() {
  pods = std::make_unique<lifecycle::PodSet>(
      lifecycle::PodSetServices{.executor = process.executor(),
                                .clock = &process.clock,
                                .runtime = &runtime->client,
                                .images = &runtime->client,
                                .stream = &runtime->events,
                                .host = &node->host,
                                .handlers = &node->handlers,
                                .events = events.get(),
                                .log = &process.log,
                                .incarnations = &desired->manifests,
                                .store = files.store.get(),
                                .ledger = files.store.get(),
                                .in_hand = &files.in_hand->pods(),
                                .admission = &desired->admission,
                                .node = node->view,
                                .on_failure = process.on_failure},
      pod_set_options(process.settings));
}

void Agent::Parts::build_upkeep() {
  upkeep = std::make_unique<NodeUpkeep>(NodeUpkeep::Services{.executor = process.executor(),
                                                             .clock = process.clock,
                                                             .log = process.log,
                                                             .pool = process.pool,
                                                             .runtime = runtime->client,
                                                             .pods = *pods,
                                                             .events = *events,
                                                             .store = *files.store,
                                                             .node_state = node->state,
                                                             .node = node->view,
                                                             .on_failure = process.on_failure},
                                        process.settings);
  servers.add_metrics([this](std::string& out) { upkeep->write_metrics(out); });
  servers.add_metrics([this](std::string& out) { desired->admission.write_metrics(out); });
}

void Agent::Parts::report_reboot() {
  const std::string& boot_id = node->view->facts.boot_id;
  if (!note_boot(process.settings.paths.root + "/boot-id", boot_id)) return;
  const std::string& name = process.settings.node_name;
  events->record_node(true, "Rebooted", "Node " + name + " has been rebooted, boot id: " + boot_id);
}

Result<bool> Agent::Parts::watch_own_parts() {
  const std::string late_note = process.settings.paths.root + "/watchdog";
  if (const auto late = consume_late_note(late_note); !late.empty()) {
    events->record_node(true, "WatchdogTimeout",
                        "The previous berthd ended while the watchdog waited for a part: " + late);
  }
  auto watched = watch_parts({.clock = process.clock,
                              .pool = process.pool,
                              .runtime_asked_at = [this] { return node->state.asked_at(); },
                              .store_turn = [this] { return files.store->turn(); },
                              .late_note = late_note});
  if (!watched) return fail(watched.error());
  beats = std::move(*watched);
  return true;
}

ControlSources Agent::Parts::sources() {
  return {.executor = process.executor(),
          .settings = process.settings,
          .clock = process.clock,
          .log = process.log,
          .pool = process.pool,
          .pods = *pods,
          .known = known,
          .handlers = node->handlers,
          .events = *events,
          .node = node->state,
          .manifests = desired->manifests,
          .budgets = desired->budgets,
          .runtime = runtime->client,
          .images = runtime->client,
          .stream = runtime->events,
          .ledger = files.store.get(),
          .store = files.store.get(),
          .evictions = &upkeep->eviction().manager(),
          .shutdown = &upkeep->shutdown(),
          .reloading = reloading.get(),
          .kernel_version = node->view->facts.kernel_version,
          .started_at = process.started_at,
          .http_address = servers.http_address()};
}

// First what can fail for good; then everything that waits for its own prerequisites.
boost::asio::awaitable<void> Agent::Parts::prepare_and_start() {
  const auto prepared = co_await node->limits.prepare();
  if (!prepared) co_return give_up(kExitUnavailable, "CannotStart", prepared.error().message);
  // Cancelling does not interrupt the preparation: `stop` may be past what is started below, and
  // nobody would stop it.
  if (life.is_ending()) co_return;
  const auto listening = servers.listen([this] { return sources(); });
  if (!listening) co_return give_up(kExitUnavailable, "CannotStart", listening.error().message);
  servers.start();
  runtime->events.start();
  pods->start();
  tasks.spawn("limit of all pods", node->limits.limit_pods());
  tasks.spawn("node status", node->state.refresh_for_ever());
  tasks.spawn("manifests", desired->manifests.run(*pods));
  tasks.spawn("manifest changes", desired->manifests.notice_changes());
  tasks.spawn("mounts", desired->manifests.notice_mounts());
  upkeep->begin(tasks);
  tasks.spawn("what runs", find_out_what_runs());
  tasks.spawn("readiness", await_ready());
  tasks.spawn("loop beat", beat_for_ever());
  tasks.spawn("idle memory", give_back_when_quiet(process.clock, *pods));
  tasks.spawn("service status", status.notify_until_cancelled());
  tasks.spawn("pods for the service status", status.follow(pods->watch()));
  if (beats) beats->begin(tasks);
}

void Agent::Parts::give_up(int code, const char* event, const std::string& why) {
  if (!life.give_up(code)) return;
  process.log.write(code == kStartAgain ? LogLevel::kWarn : LogLevel::kError, event, why, {});
}

boost::asio::awaitable<void> Agent::Parts::live() {
  life.begin();
  log_start(process.settings, process.log);
  // Concurrently with the signals: preparing takes as long as the file system does.
  tasks.spawn("start", prepare_and_start());
  tasks.spawn("reload", reload_on_request(*reloading, life, process.clock));
  auto order = co_await life.next_order();
  while (order == ServiceLife::Order::kReportState) {
    report_state();
    order = co_await life.next_order();
  }
  if (order == ServiceLife::Order::kEnd) {
    if (life.is_ready())
      co_await stop_pods_of_a_machine_that_goes_off(upkeep->shutdown(), process.log);
    process.log.info("Stopping", "berthd stops; running pods continue");
  }
  co_await stop();
}

boost::asio::awaitable<void> Agent::Parts::find_out_what_runs() {
  co_await pods->until_ready();
  known.begin();
}

boost::asio::awaitable<void> Agent::Parts::await_ready() {
  bool long_wait = false;
  Alarm late = process.clock.call_at(
      process.executor(), process.clock.steady_now() + kWaitUnreported, [this, &long_wait] {
        long_wait = true;
        report_waiting();
      });
  while (!node->state.runtime_answers()) {
    co_await node->state.changed();
    if (long_wait) report_waiting();
  }
  pass_on_network();  // now: pods begin before berthd is ready
  auto confirming = runtime->driver.confirmed();
  const auto confirmed = co_await std::move(confirming);
  if (!confirmed) co_return give_up(kExitUnavailable, "CannotStart", confirmed.error().message);
  if (!*confirmed)
    co_return give_up(kStartAgain, "CgroupDriver",
                      "the container runtime, which did not answer before, has another cgroup "
                      "driver; berthd starts again with it");
  static_cast<void>(co_await known.by(process.clock, std::nullopt));
  late.reset();
  if (life.is_ending()) co_return;
  report_ready();
  NodeNews news({.node = node->state,
                 .events = *events,
                 .log = process.log,
                 .endpoint = process.settings.runtime.endpoint,
                 .reported = [this] {
                   pass_on_network();
                   status.look_again();
                 }});
  auto reporting = news.report_for_ever();
  co_await std::move(reporting);
}

void Agent::Parts::pass_on_network() {
  pods->set_network_error(node::network_error(node->state.runtime()));
}

void Agent::Parts::report_ready() {
  pods->set_node(node->view, node->object());
  upkeep->start();
  process.log.info("Ready", "the container runtime answers, and berthd has adopted what runs");
  events->record_node(false, "Starting", "Starting berthd.");
  // Before berthd is ready: whoever started it requests its status at once.
  life.reported_ready();
  status.notify();
  systemd::notify_ready();
}

void Agent::Parts::report_waiting() {
  std::string waits;
  for (const auto& sentence : waiting_for(sources())) {
    waits += (waits.empty() ? "" : "; ") + sentence;
  }
  if (waits.empty()) return;
  process.log.warn("Waiting", "waiting for " + waits);
  status.look_again();
}

boost::asio::awaitable<void> Agent::Parts::beat_for_ever() {
  std::optional<SteadyTime> measured;  // what the status line shows of the node
  for (;;) {
    co_await process.clock.sleep_until(process.beat.due());
    process.beat.beat(process.clock.steady_now());
    const auto* newest = upkeep->eviction().manager().history().newest();
    if (newest == nullptr || newest->at == measured) continue;
    measured = newest->at;
    status.look_again();
  }
}

// Requested explicitly, so written whatever logLevel says.
void Agent::Parts::report_state() {
  const auto lines = state_lines(agent_state(sources(), process.beat, tasks.names()));
  set_log_level(process.log, std::min(process.settings.log_level, LogLevel::kInfo));
  for (const auto& [message, fields] : lines) process.log.info("State", message, fields);
  set_log_level(process.log, process.settings.log_level);
}

// Refuse, cancel, join; callers first, the runtime last.
boost::asio::awaitable<void> Agent::Parts::stop() {
  const bool starts_again = life.exit_code() == kStartAgain;
  if (!starts_again) systemd::notify_stopping();
  co_await pods->finish_starts();
  Alarm patience =
      process.clock.call_at(process.executor(), process.clock.steady_now() + kStuckWorkWaitedFor,
                            [this] { process.pool.give_up(); });
  co_await servers.stop();
  tasks.request_stop();
  co_await tasks.join();
  if (!starts_again) status.notify_stopped();
  beats.reset();
  co_await upkeep->stop();
  co_await pods->stop();
  co_await runtime->stop();
  files.store->close();
  files.in_hand->ended_well();
}

}  // namespace berth::agent
