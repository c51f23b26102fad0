// SPDX-License-Identifier: Apache-2.0

#include "agent/agent.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "agent/abort_on_failure.hpp"
#include "agent/agent_state.hpp"
#include "agent/allocatable/node_limits.hpp"
#include "agent/journal_log.hpp"
#include "agent/metrics/metrics_page.hpp"
#include "agent/node_settings.hpp"
#include "agent/root_lock.hpp"
#include "agent/serve/control_server.hpp"
#include "agent/serve/control_sources.hpp"
#include "agent/serve/http_server.hpp"
#include "agent/serve/probe_metrics.hpp"
#include "agent/service/late_note.hpp"
#include "agent/service/node_news.hpp"
#include "agent/service/reload_ports.hpp"
#include "agent/service/runtime_driver.hpp"
#include "agent/service/service_facts.hpp"
#include "agent/service/status_notifier.hpp"
#include "agent/service/watched_parts.hpp"
#include "agent/shutdown/unannounced_end.hpp"
#include "agent/sources/manifest_options.hpp"
#include "agent/sources/manifest_source.hpp"
#include "agent/store/sqlite_store.hpp"
#include "agent/systemd_slices.hpp"
#include "agent/upkeep/idle_memory.hpp"
#include "agent/upkeep/in_hand_file.hpp"
#include "agent/upkeep/node_upkeep.hpp"
#include "base/grpc_queue.hpp"
#include "base/no_throw.hpp"
#include "base/real_clock.hpp"
#include "base/version.hpp"
#include "cri/client.hpp"
#include "cri/client_events.hpp"
#include "node/allocatable.hpp"
#include "node/linux_host.hpp"
#include "node/read_node_facts.hpp"
#include "probes/handlers.hpp"
#include "systemd/notify.hpp"
#include "systemd/slice_units.hpp"

namespace berth::agent {
namespace {

constexpr unsigned kPoolThreads = 3;
// When berthd ends, it abandons blocking work that has not returned by then.
constexpr auto kStuckWorkWaitedFor = std::chrono::seconds(2);
// A shorter wait is not reported.
constexpr auto kWaitUnreported = std::chrono::seconds(1);

}  // namespace

// In the order of construction: later members use earlier ones.
struct Agent::Parts {
  Parts(Options given_options, Settings given_settings, Log& given_log)
      : options(std::move(given_options)), settings(std::move(given_settings)), log(given_log) {}

  Result<bool> build();
  Result<bool> open_files();
  Result<bool> look_at_node();
  void build_upkeep();
  boost::asio::awaitable<void> prepare_and_start();
  boost::asio::awaitable<void> live();
  boost::asio::awaitable<void> find_out_what_runs();
  boost::asio::awaitable<void> await_ready();
  void report_waiting();
  boost::asio::awaitable<void> stop();
  Result<bool> watch_own_parts();
  boost::asio::awaitable<void> beat_for_ever();
  void report_state();
  void give_up(int code, const char* event, const std::string& why);
  ControlSources sources();

  Options options;
  Settings settings;
  Log& log;
  boost::asio::io_context loop{1};
  RealClock clock{};
  TaskGroup::FailureHandler on_failure = abort_on_failure(log);
  BlockingPool pool{loop.get_executor(),
                    clock,
                    {.threads = kPoolThreads, .on_stuck = [this](const auto& work) {
                       log.warn("FileWorkStuck", BlockingPool::text(work, clock.steady_now()));
                     }}};
  TaskGroup root{loop.get_executor(), on_failure};    // live(), which stops the others
  TaskGroup stream{loop.get_executor(), on_failure};  // the runtime's events
  TaskGroup tasks{loop.get_executor(), on_failure};   // everything else in this file
  // The terminating signals are added when `live` waits for them: until then they terminate the
  // process at once, as berthd has started nothing yet.
  boost::asio::signal_set signals{loop, SIGHUP, SIGUSR1};
  WallTime started_at = clock.wall_now();
  LoopBeat beat{clock.steady_now()};
  PodsKnown known{loop.get_executor()};
  int exit_code = 0;

  std::unique_ptr<RootLock> root_lock{};
  std::unique_ptr<InHandFile> in_hand{};
  std::unique_ptr<SqliteStore> store{};
  std::shared_ptr<const node::NodeView> view{};
  GrpcQueue grpc_queue{loop.get_executor()};
  std::shared_ptr<cri::Connection> connection{};
  std::unique_ptr<RuntimeDriver> driver{};
  std::unique_ptr<cri::CriClient> runtime{};
  std::unique_ptr<cri::ClientEvents> runtime_events{};
  std::unique_ptr<node::Slices> slices{};  // null if pods' cgroups are plain directories
  std::unique_ptr<node::LinuxHost> host{};
  std::unique_ptr<probes::NodeHandlers> handlers{};
  std::unique_ptr<EventRecorder> events{};
  std::unique_ptr<NodeLimits> limits{};
  std::unique_ptr<NodeState> node_state{};
  scheduling::BudgetBook budgets{};
  std::unique_ptr<NodeAdmission> admission{};
  std::unique_ptr<ManifestSource> manifests{};
  std::unique_ptr<lifecycle::PodSet> pods{};
  std::unique_ptr<NodeUpkeep> upkeep{};
  std::unique_ptr<Reloading> reloading{};
  Notification hung_up{loop.get_executor()};  // SIGHUP
  bool reported_ready = false;                // the service manager knows that berthd is ready
  MetricsPage metrics{};
  std::unique_ptr<HttpServer> http{};
  std::unique_ptr<ControlServer> control{};
  std::unique_ptr<PartBeats> beats{};  // null if this process is not watched
  StatusNotifier status{loop.get_executor(),
                        clock,
                        {.facts = [this] { return service_facts(sources()); },
                         .notify = [](const auto& line) { systemd::notify_status(line); }}};
};

Agent::Agent(Options options, Settings settings, Log& log)
    : parts_(std::make_unique<Parts>(std::move(options), std::move(settings), log)) {}

Agent::~Agent() = default;

int Agent::run() {
  const auto built = parts_->build();
  if (!built) {
    parts_->log.write(LogLevel::kError, "CannotStart", built.error().message, {});
    return built.error().code == ErrorCode::kUnimplemented ? kExitConfig : kExitUnavailable;
  }
  parts_->root.spawn("agent", parts_->live());
  parts_->loop.run();
  if (parts_->pool.gave_up()) {
    parts_->log.warn("FileWorkStuck", "berthd ends with file work that has not returned");
    // A thread is still running such work: destroy nothing that it may use.
    std::_Exit(parts_->exit_code == kStartAgain ? kExitUnavailable : parts_->exit_code);
  }
  return parts_->exit_code;
}

Result<bool> Agent::Parts::look_at_node() {
  auto config = node_config(settings);
  const auto chosen = driver->choose(loop, on_failure);
  if (!chosen) return fail(chosen.error());
  config.cgroup_driver = *chosen;
  auto facts = node::read_node_facts(config.paths);
  if (!facts) return fail(wrap("reading what this machine is", facts.error()));
  auto dns = node::read_host_dns(config.paths);
  if (!dns) log.warn("ResolvConf", dns.error().message + "; pods get no name servers from it");
  view = std::make_shared<const node::NodeView>(
      node::make_node_view(std::move(config), node_facts(settings, std::move(*facts)),
                           dns ? std::move(*dns) : cri::DnsConfig{}));
  const auto allocatable = node::checked_allocatable(view->config, view->facts);
  if (!allocatable) return fail(allocatable.error());
  return true;
}

Result<bool> Agent::Parts::open_files() {
  auto lock = RootLock::take(settings.paths.root);
  if (!lock) return fail(lock.error());
  root_lock = std::move(*lock);
  in_hand = std::make_unique<InHandFile>(settings.paths.root + "/in-hand", log);
  auto opened =
      SqliteStore::open(loop.get_executor(), clock, log, settings.paths.root + "/state.db");
  if (!opened) return fail(opened.error());
  store = std::move(*opened);
  return true;
}

Result<bool> Agent::Parts::build() {
  const auto executor = loop.get_executor();
  if (auto opened = open_files(); !opened) return opened;
  connection = cri::connect(
      executor, {.runtime = settings.runtime.endpoint, .images = settings.runtime.image_endpoint});
  driver =
      std::make_unique<RuntimeDriver>(connection, settings, systemd::is_service_manager(), log);
  if (auto seen = look_at_node(); !seen) return seen;
  runtime = std::make_unique<cri::CriClient>(clock, connection, settings.runtime.request_timeout);
  runtime_events = std::make_unique<cri::ClientEvents>(clock, executor, stream, connection);
  slices = slices_for(view->config.cgroup_driver);
  host = std::make_unique<node::LinuxHost>(pool, clock, view, slices.get());
  handlers = std::make_unique<probes::NodeHandlers>(clock, *runtime, grpc_queue);
  events = std::make_unique<EventRecorder>(executor, clock, log, settings.node_name);
  events->continue_from(store->recall_events(), *store);
  limits = std::make_unique<NodeLimits>(
      NodeLimits::Services{clock, pool, *events, *host, slices.get()}, view, settings.reserved);
  node_state = std::make_unique<NodeState>(executor, clock, *runtime, *runtime, view);
  admission = std::make_unique<NodeAdmission>(
      settings.scheduler, budgets, view, std::make_shared<const api::Node>(node_state->node()));
  manifests = std::make_unique<ManifestSource>(
      ManifestSource::Services{.executor = executor,
                               .clock = clock,
                               .log = log,
                               .pool = pool,
                               .events = *events,
                               .ledger = *store,
                               .in_hand = in_hand->manifests(),
                               .budgets = budgets,
                               .admission = *admission},
      settings.paths.manifests,
      ManifestSource::Copies{.on_disk = settings.paths.root + "/last-good-manifests",
                             .in_memory = settings.paths.root + "/last-good-secrets"},
      manifest_options(settings));
  pods =
      std::make_unique<lifecycle::PodSet>(lifecycle::PodSetServices{.executor = executor,
                                                                    .clock = &clock,
                                                                    .runtime = runtime.get(),
                                                                    .images = runtime.get(),
                                                                    .stream = runtime_events.get(),
                                                                    .host = host.get(),
                                                                    .handlers = handlers.get(),
                                                                    .events = events.get(),
                                                                    .log = &log,
                                                                    .incarnations = manifests.get(),
                                                                    .store = store.get(),
                                                                    .ledger = store.get(),
                                                                    .in_hand = &in_hand->pods(),
                                                                    .boot_id = view->facts.boot_id,
                                                                    .admission = admission.get(),
                                                                    .node = view,
                                                                    .on_failure = on_failure},
                                          pod_set_options(settings));
  build_upkeep();
  reloading = std::make_unique<Reloading>(
      executor, clock, pool, log, settings,
      reload_ports(options, {upkeep->eviction(), view, *node_state, *pods, log}));
  return watch_own_parts();
}

Result<bool> Agent::Parts::watch_own_parts() {
  const std::string late_note = settings.paths.root + "/watchdog";
  if (const auto late = consume_late_note(late_note); !late.empty()) {
    events->record_node(true, "WatchdogTimeout",
                        "The previous berthd ended while the watchdog waited for a part: " + late);
  }
  auto watched = watch_parts({.clock = clock,
                              .pool = pool,
                              .runtime_asked_at = [this] { return node_state->asked_at(); },
                              .store_turn = [this] { return store->turn(); },
                              .late_note = late_note});
  if (!watched) return fail(watched.error());
  beats = std::move(*watched);
  return true;
}

void Agent::Parts::build_upkeep() {
  upkeep = std::make_unique<NodeUpkeep>(NodeUpkeep::Services{.executor = loop.get_executor(),
                                                             .clock = clock,
                                                             .log = log,
                                                             .pool = pool,
                                                             .runtime = *runtime,
                                                             .pods = *pods,
                                                             .events = *events,
                                                             .store = *store,
                                                             .node_state = *node_state,
                                                             .node = view,
                                                             .on_failure = on_failure},
                                        settings);
  metrics.add([this](std::string& out) { upkeep->write_metrics(out); });
  metrics.add([this](std::string& out) { admission->write_metrics(out); });
}

ControlSources Agent::Parts::sources() {
  std::string address = http ? settings.http.address + ":" + std::to_string(http->port()) : "";
  return {.executor = loop.get_executor(),
          .settings = settings,
          .clock = clock,
          .log = log,
          .pool = pool,
          .pods = *pods,
          .known = known,
          .handlers = *handlers,
          .events = *events,
          .node = *node_state,
          .manifests = *manifests,
          .budgets = budgets,
          .runtime = *runtime,
          .images = *runtime,
          .stream = *runtime_events,
          .ledger = store.get(),
          .store = store.get(),
          .evictions = &upkeep->eviction().manager(),
          .shutdown = &upkeep->shutdown(),
          .reloading = reloading.get(),
          .kernel_version = view->facts.kernel_version,
          .started_at = started_at,
          .http_address = std::move(address)};
}

// First what can fail for good; then everything that waits for its own prerequisites.
boost::asio::awaitable<void> Agent::Parts::prepare_and_start() {
  std::string failure;
  const auto prepared = co_await limits->prepare();
  if (!prepared) failure = prepared.error().message;
  if (failure.empty() && settings.http.port > 0) {
    HttpSources shown{
        .pods_json = [this] { return pod_list_json(*pods); },
        .metrics = [this] { return metrics.text(); },
        .probe_metrics = [this] { return probe_metrics_text(pods->prober().views(), started_at); },
        .health = [this] { return health_checks(health_input(sources(), beat)); }};
    auto listening = HttpServer::listen(loop.get_executor(), clock, settings.http.address,
                                        static_cast<std::uint16_t>(settings.http.port),
                                        std::move(shown), on_failure);
    if (listening) http = std::move(*listening);
    if (!listening) failure = listening.error().message;
  }
  if (failure.empty()) {
    auto listening = ControlServer::listen(grpc_queue, sources(), on_failure);
    if (listening) control = std::move(*listening);
    if (!listening) failure = listening.error().message;
  }
  if (!failure.empty()) co_return give_up(kExitUnavailable, "CannotStart", failure);
  if (http) http->start();
  runtime_events->start();
  pods->start();
  tasks.spawn("limit of all pods", limits->limit_pods());
  tasks.spawn("node status", node_state->refresh_for_ever());
  tasks.spawn("manifests", manifests->run(*pods));
  tasks.spawn("manifest changes", manifests->notice_changes());
  tasks.spawn("mounts", manifests->notice_mounts());
  upkeep->begin(tasks);
  tasks.spawn("what runs", find_out_what_runs());
  tasks.spawn("readiness", await_ready());
  tasks.spawn("loop beat", beat_for_ever());
  tasks.spawn("idle memory", give_back_when_quiet(clock, *pods));
  tasks.spawn("service status", status.notify_until_cancelled());
  tasks.spawn("pods for the service status", status.follow(pods->watch()));
  if (beats) beats->begin(tasks);
}

void Agent::Parts::give_up(int code, const char* event, const std::string& why) {
  log.write(code == kStartAgain ? LogLevel::kWarn : LogLevel::kError, event, why, {});
  exit_code = code;
  signals.cancel();
}

boost::asio::awaitable<void> Agent::Parts::live() {
  signals.add(SIGTERM);
  signals.add(SIGINT);
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
  // Concurrently with the signals: preparing takes as long as the file system does.
  tasks.spawn("start", prepare_and_start());
  tasks.spawn("reload", reload_on_request(*reloading, hung_up, reported_ready, clock));
  while (exit_code == 0) {
    const auto [cancelled, signal] = co_await signals.async_wait(kNoThrow);
    if (cancelled) break;  // it could not start
    if (signal == SIGUSR1) {
      report_state();
    } else if (signal == SIGHUP) {
      hung_up.notify();
    } else {
      if (reported_ready) co_await stop_pods_of_a_machine_that_goes_off(upkeep->shutdown(), log);
      log.info("Stopping", "berthd stops; running pods continue");
      break;
    }
  }
  co_await stop();
}

boost::asio::awaitable<void> Agent::Parts::find_out_what_runs() {
  co_await pods->until_ready();
  known.begin();
}

boost::asio::awaitable<void> Agent::Parts::await_ready() {
  bool long_wait = false;
  Alarm late =
      clock.call_at(loop.get_executor(), clock.steady_now() + kWaitUnreported, [this, &long_wait] {
        long_wait = true;
        report_waiting();
      });
  while (!node_state->runtime_answers()) {
    co_await node_state->changed();
    if (long_wait) report_waiting();
  }
  auto confirming = driver->confirmed();
  const auto confirmed = co_await std::move(confirming);
  if (!confirmed) co_return give_up(kExitUnavailable, "CannotStart", confirmed.error().message);
  if (!*confirmed)
    co_return give_up(kStartAgain, "CgroupDriver",
                      "the container runtime, which did not answer before, has another cgroup "
                      "driver; berthd starts again with it");
  static_cast<void>(co_await known.by(clock, std::nullopt));
  late.reset();
  pods->set_node(view, std::make_shared<const api::Node>(node_state->node()));
  upkeep->start();
  log.info("Ready", "the container runtime answers, and berthd has adopted what runs");
  events->record_node(false, "Starting", "Starting berthd.");
  // Before berthd is ready: whoever started it requests its status at once.
  reported_ready = true;
  status.notify();
  systemd::notify_ready();
  NodeNews news({.node = *node_state,
                 .events = *events,
                 .log = log,
                 .endpoint = settings.runtime.endpoint,
                 .reported = [this] { status.look_again(); }});
  auto reporting = news.report_for_ever();
  co_await std::move(reporting);
}

void Agent::Parts::report_waiting() {
  std::string waits;
  for (const auto& sentence : waiting_for(sources())) {
    waits += (waits.empty() ? "" : "; ") + sentence;
  }
  if (waits.empty()) return;
  log.warn("Waiting", "waiting for " + waits);
  status.look_again();
}

boost::asio::awaitable<void> Agent::Parts::beat_for_ever() {
  std::optional<SteadyTime> measured;  // what the status line shows of the node
  for (;;) {
    co_await clock.sleep_until(beat.due());
    beat.beat(clock.steady_now());
    const auto* newest = upkeep->eviction().manager().history().newest();
    if (newest == nullptr || newest->at == measured) continue;
    measured = newest->at;
    status.look_again();
  }
}

// Requested explicitly, so written whatever logLevel says.
void Agent::Parts::report_state() {
  const auto lines = state_lines(agent_state(sources(), beat, tasks.names()));
  set_log_level(log, std::min(settings.log_level, LogLevel::kInfo));
  for (const auto& [message, fields] : lines) log.info("State", message, fields);
  set_log_level(log, settings.log_level);
}

// Refuse, cancel, join, destroy; callers first, the runtime last.
boost::asio::awaitable<void> Agent::Parts::stop() {
  if (exit_code != kStartAgain) systemd::notify_stopping();
  signals.cancel();
  co_await pods->finish_starts();
  Alarm patience = clock.call_at(loop.get_executor(), clock.steady_now() + kStuckWorkWaitedFor,
                                 [this] { pool.give_up(); });
  if (control) co_await control->stop();
  if (http) co_await http->stop();
  tasks.request_stop();
  co_await tasks.join();
  if (exit_code != kStartAgain) status.notify_stopped();
  beats.reset();
  co_await upkeep->stop();
  co_await pods->stop();
  stream.request_stop();
  co_await stream.join();
  store->close();
  in_hand->ended_well();
  control.reset();
  http.reset();
}

}  // namespace berth::agent
