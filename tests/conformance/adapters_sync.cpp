// SPDX-License-Identifier: Apache-2.0

// sync_pod: runs the real worker against the scripted runtime, on a clock that stands still at the
// second that the cases name, until it waits for the first time.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "api/manifest/static_pod.hpp"
#include "base/task_group.hpp"
#include "base/virtual_clock.hpp"
#include "lifecycle/container_identity.hpp"
#include "lifecycle/ledger/fact.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/worker/pod_environment.hpp"
#include "lifecycle/worker/pod_worker.hpp"
#include "lifecycle/worker/runtime/garbage_rounds.hpp"
#include "lifecycle/worker/starts/image_puller.hpp"
#include "lifecycle/worker/starts/start_calls.hpp"
#include "lifecycle/worker/starts/start_turns.hpp"
#include "node/container/variable_expansion.hpp"
#include "node/node_object.hpp"
#include "probes/prober.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/lifecycle_input.hpp"
#include "tests/conformance/pass_input.hpp"
#include "tests/conformance/scripted_runtime.hpp"
#include "tests/conformance/sync_pod_differences.hpp"
#include "tests/ledger/kept_ledger.hpp"
#include "tests/simulation/simulated_host.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using namespace lifecycle_input;

constexpr Nanoseconds kFirstWindow = std::chrono::seconds{10};

class InstantStore final : public lifecycle::PodStore {
 public:
  std::vector<lifecycle::PodMemoryPtr> recall() override { return {}; }
  boost::asio::awaitable<Result<bool>> commit(lifecycle::StoreBatch /*batch*/) override {
    co_return true;
  }
};

// Probes never complete: the case contains their results.
class SilentHandlers final : public probes::Handlers {
 public:
  explicit SilentHandlers(Clock& clock) : clock_(clock) {}
  boost::asio::awaitable<probes::Attempt> run(probes::Target /*target*/,
                                              std::optional<Nanoseconds> /*limit*/) override {
    while (true) co_await clock_.sleep_for(kForEver);
  }

 private:
  Clock& clock_;
};

class SilentLog final : public Log {
 private:
  void put(const LogLine& /*line*/) override {}
};

// Events in the cases' form: "TYPE REASON", and for some the text. Those that only the image puller
// has are not recorded.
class RecordedEvents final : public lifecycle::PodEvents {
 public:
  void record(const api::Pod& /*pod*/, const lifecycle::PodEvent& event) override {
    const bool warning = event.level == lifecycle::EventLevel::kWarning;
    const bool of_puller = event.reason == "Pulling" || event.reason == "Pulled" ||
                           event.reason == "ErrImageNeverPull" || event.reason == "InspectFailed" ||
                           (event.reason == "BackOff" && !warning);
    if (of_puller) return;
    std::string line = (warning ? "Warning " : "Normal ") + event.reason;
    const bool with_message = event.reason == "Created" || event.reason == "Started" ||
                              event.reason == "Killing" || event.reason == "BackOff";
    if (with_message) line += " " + event.message;
    lines.push_back(std::move(line));
  }

  std::vector<std::string> lines{};
};

class LastShown final : public lifecycle::WorkerOwner {
 public:
  void publish(const std::string& /*uid*/, const lifecycle::PodPtr& pod) override {
    status = pod->status;
  }
  void claim(const std::string& /*uid*/, const std::string& /*id*/) override {}
  void left_node(const std::string& /*uid*/) override {}
  void released(const std::string& /*uid*/) override {}
  [[nodiscard]] std::vector<std::string> ended_before(const api::Pod& /*pod*/) const override {
    return {};
  }
  void stored(const std::string& /*uid*/, const std::vector<std::string>& /*gone*/) override {}

  api::PodStatus status{};
};

class NoSink final : public probes::ProbeSink {
 public:
  void result_changed(const probes::ProbeChange& /*change*/) override {}
  void event(const probes::ProbeEvent& /*event*/) override {}
};

std::shared_ptr<const node::NodeView> node_view() {
  node::NodeConfig config;
  config.node_name = "node1";
  node::NodeFacts facts;
  facts.cpus = 4;
  facts.memory = std::int64_t{8} << 30;
  facts.hostname = "node1";
  facts.architecture = "amd64";
  facts.addresses = {"192.168.7.1"};
  return std::make_shared<const node::NodeView>(
      node::make_node_view(config, facts, {.servers = {"192.168.7.2"}}));
}

std::string image_of(const api::Pod& pod, const std::string& name) {
  if (const auto* container = lifecycle::find_container(pod, name)) return container->image;
  if (const auto* container = lifecycle::find_init_container(pod, name)) return container->image;
  for (const auto& container : pod.spec.ephemeralContainers)
    if (container.name == name) return container.image;
  return "unknown";
}

RuntimeScript::Instance instance(const api::Pod& pod, const lifecycle::RuntimeContainer& seen) {
  const std::string image = image_of(pod, seen.name);
  cri::ContainerStatus status{
      .id = seen.id,
      .metadata = {.name = seen.name, .attempt = static_cast<std::uint32_t>(seen.restart_count)},
      .state = seen.state,
      .created_at = seen.created_at,
      .started_at = seen.started_at,
      .finished_at = seen.finished_at,
      .exit_code = seen.exit_code,
      .image = image,
      .image_ref = image,
      .reason = seen.reason,
      .message = seen.message,
      .labels = {{cri::kLabelContainerName, seen.name}},
      .annotations =
          lifecycle::identity_annotations(seen.name, seen.spec_changed ? image + "-old" : image)};
  status.annotations[cri::kAnnotationRestartCount] = std::to_string(seen.restart_count);
  if (const auto& grace = pod.spec.terminationGracePeriodSeconds)
    status.annotations[cri::kAnnotationPodTerminationGracePeriod] = std::to_string(*grace);
  return {.status = std::move(status), .sandbox = seen.sandbox.str()};
}

RuntimeScript script_of(const PassInput& input) {
  RuntimeScript script{.present_images = input.present_images, .fails = input.fails};
  lifecycle::RuntimePod runtime = input.runtime;
  renumber(runtime);
  std::int64_t created = cri::unix_nanoseconds(kPassAt) / 2;
  for (const lifecycle::RuntimeSandbox& seen : runtime.sandboxes) {
    script.sandboxes.push_back({.id = seen.id,
                                .metadata = {.name = input.pod.metadata.name,
                                             .uid = input.pod.metadata.uid,
                                             .namespace_ = input.pod.metadata.namespace_,
                                             .attempt = seen.attempt},
                                .state = seen.state,
                                .created_at = created--,
                                .has_network = seen.has_network,
                                .ip = seen.ip,
                                .network_mode = seen.network,
                                // As on every sandbox that a kubelet creates.
                                .annotations = {{std::string(api::kConfigSource), "api"}}});
  }
  for (const lifecycle::RuntimeContainer& seen : runtime.containers)
    script.containers.push_back(instance(input.pod, seen));
  return script;
}

// Earlier probe results, and the first backoff windows, reach the worker as over a restart of
// berthd.
lifecycle::PodMemoryPtr memory_of(const PassInput& input, const lifecycle::PodPtr& pod) {
  auto memory = std::make_shared<lifecycle::PodMemory>();
  memory->uid = pod->metadata.uid;
  memory->pod = pod;
  memory->probes = input.probes;
  for (const std::string& name : input.in_backoff) {
    const api::Container* spec = lifecycle::find_container(*pod, name);
    if (spec == nullptr) spec = lifecycle::find_init_container(*pod, name);
    if (spec == nullptr) continue;
    memory->restarts.entries[lifecycle::restart_identity(*pod, *spec).key()] = {
        .window = kFirstWindow, .last_start = kPassAt};
  }
  return memory;
}

using Records = std::vector<lifecycle::LedgerRecord>;

// Failures, as the worker reports them.
struct Reported {
  std::map<std::string, std::string> failed_stops{};  // by container
  std::string failed_sandbox{};
};

Reported reported_by(const lifecycle::PodWorker& worker, const Records& records) {
  Reported reported;
  for (const lifecycle::Obstacle& obstacle : worker.obstacles())
    if (obstacle.kind == lifecycle::ObstacleKind::kStop)
      reported.failed_stops[obstacle.container] = obstacle.error;
  for (const lifecycle::LedgerRecord& record : records) {
    if (record.kind != lifecycle::kLedgerFact) continue;
    const lifecycle::Fact fact = lifecycle::recorded_fact(record);
    const auto* failed = std::get_if<lifecycle::StartFailed>(&fact);
    if (failed != nullptr && failed->reason.empty()) reported.failed_sandbox = failed->error;
  }
  return reported;
}

bool is_failed_pull(const lifecycle::LedgerRecord& record) {
  return record.kind == lifecycle::kLedgerFact &&
         std::holds_alternative<lifecycle::PullFailed>(lifecycle::recorded_fact(record));
}

// Without the event that the image puller records for each failed pull: its reason is also that of
// other failures.
std::vector<std::string> without_failed_pulls(std::vector<std::string> events,
                                              const Records& records) {
  for (auto failed = std::ranges::count_if(records, is_failed_pull); failed > 0; --failed) {
    const auto event = std::ranges::find(events, "Warning Failed");
    if (event == events.end()) throw std::runtime_error("a failed pull without an event");
    events.erase(event);
  }
  return events;
}

// Kills and sandboxes, from the calls and what the worker reported about them.
json::array call_results(const api::Pod& pod, const json::array& calls, const Reported& reported) {
  json::array out;
  const auto add = [&](const char* action, std::string target, const char* error,
                       std::string message) {
    out.push_back({{"action", action},
                   {"target", std::move(target)},
                   {"error", error},
                   {"message", std::move(message)}});
  };
  std::string before;
  for (const json::value& call : calls) {
    const json::object& in = call.as_object();
    const std::string op = text(in, "op");
    if (op == "StopContainer") {
      const std::string name = text(in, "name");
      const auto failure = reported.failed_stops.find(name);
      const bool failed = failure != reported.failed_stops.end();
      add("KillContainer", name, failed ? "KillContainerError" : "",
          failed ? failure->second : std::string());
    } else if (op == "StopPodSandbox" && before != op) {
      add("KillPodSandbox", pod.metadata.uid, "", "");
    } else if (op == "RunPodSandbox") {
      const bool failed = !reported.failed_sandbox.empty();
      add("CreatePodSandbox", lifecycle::pod_description(pod),
          failed ? "CreatePodSandboxError" : "", reported.failed_sandbox);
    }
    before = op;
  }
  return out;
}

// How each start ended, according to the ledger.
class StartResults {
 public:
  json::array of(const Records& records) {
    for (const lifecycle::LedgerRecord& record : records) {
      if (record.kind == "plan") {
        add_refusals(record);
      } else if (record.kind == "image") {
        const lifecycle::Reason& reason = record.reasons.at(0);
        if (reason.rule == lifecycle::kErrImageNeverPull)
          add(reason.subject, reason.rule, reason.text);
      } else if (record.kind == lifecycle::kLedgerFact) {
        container_ = record.reasons.at(0).subject;
        std::visit(*this, lifecycle::recorded_fact(record));
      }
    }
    return std::move(out_);
  }

  void operator()(const lifecycle::StartFailed& fact) {
    if (!fact.reason.empty()) add(container_, fact.reason, fact.error);
  }
  void operator()(const lifecycle::PullFailed& fact) { add(container_, fact.reason, fact.error); }
  void operator()(const lifecycle::ImageFailed& fact) { add(container_, fact.reason, fact.error); }
  void operator()(const lifecycle::Remark& fact) {
    if (fact.action == "Started") add(container_, "", "");
    if (fact.action != "PostStartFailed") return;
    // Replaces the success of its start.
    for (auto result = out_.end(); result != out_.begin();) {
      --result;
      if (result->at("target").as_string() != container_) continue;
      result->as_object()["error"] = "PostStartHookError";
      break;
    }
  }
  void operator()(const auto& /*fact*/) {}

 private:
  void add(const std::string& target, const std::string& error, const std::string& message) {
    out_.push_back(
        {{"action", "StartContainer"}, {"target", target}, {"error", error}, {"message", message}});
  }

  // Once per window.
  void add_refusals(const lifecycle::LedgerRecord& record) {
    const json::value plan = json::parse(record.output);
    for (const json::value& refusal : plan.at("refusals").as_array()) {
      const json::object& one = refusal.as_object();
      const std::int64_t until = one.at("until").as_int64();
      const auto [known, first] = until_.try_emplace(text(one, "container"), until);
      if (!first && known->second == until) continue;
      known->second = until;
      add(text(one, "container"), text(one, "reason"), text(one, "message"));
    }
  }

  json::array out_{};
  std::string container_{};  // of the current fact
  std::map<std::string, std::int64_t> until_{};
};

// What the status shows of a failed start is what was reported last. A wait that ends together with
// another one that was already reported is not reported again.
void expect_shown(const api::PodStatus& status, const json::array& results) {
  std::map<std::string, std::string> last;
  for (const json::value& result : results)
    if (text(result.as_object(), "action") == "StartContainer")
      last[text(result.as_object(), "target")] = text(result.as_object(), "error");
  for (const auto* statuses : {&status.initContainerStatuses, &status.containerStatuses})
    for (const api::ContainerStatus& one : *statuses) {
      const std::string reason = one.state.waiting ? one.state.waiting->reason : "";
      if (reason.empty() || reason == "ContainerCreating" || reason == "PodInitializing") continue;
      const bool waits = last[one.name].ends_with("BackOff") || last[one.name] == "ErrImagePull";
      if (last[one.name] == reason || (waits && reason == "ImagePullBackOff")) continue;
      throw std::runtime_error("the status shows " + reason + " of " + one.name +
                               ", which is not how its last start ended");
    }
}

class OurPass {
 public:
  explicit OurPass(const PassInput& input)
      : pod_(std::make_shared<const api::Pod>(input.pod)),
        runtime_(clock_, script_of(input)),
        puller_(loop_.get_executor(), clock_, runtime_, {.qps = 0}),
        prober_(loop_.get_executor(), clock_, handlers_, probe_sink_,
                {.expand_command = &node::expand_probe_command}, failure()),
        tasks_(loop_.get_executor(), failure()),
        worker_(environment_, pod_, std::nullopt, memory_of(input, pod_)) {}

  json::object run() {
    if (pod_->metadata.deletionTimestamp) worker_.post({.end = lifecycle::deleted({}, kPassAt)});
    tasks_.spawn("worker", worker_.run());
    loop_.poll();
    json::array calls = runtime_.calls();
    std::vector<std::string> events = without_failed_pulls(events_.lines, ledger_.records);
    std::ranges::sort(events);
    json::array lines;
    for (const std::string& line : events) lines.emplace_back(line);
    json::array results = call_results(*pod_, calls, reported_by(worker_, ledger_.records));
    for (json::value& result : StartResults().of(ledger_.records))
      results.push_back(std::move(result));
    end();
    if (failed_) std::rethrow_exception(failed_);
    expect_shown(owner_.status, results);
    return {{"calls", std::move(calls)},
            {"events", lines},
            {"results", std::move(results)},
            {"syncError", ""}};
  }

 private:
  TaskGroup::FailureHandler failure() {
    return [this](std::string_view, std::exception_ptr failure) { failed_ = failure; };
  }
  void end() {
    tasks_.request_stop();
    prober_.request_stop();
    loop_.restart();
    loop_.poll();
    TaskGroup last(loop_.get_executor(), failure());
    last.spawn("join", prober_.join());
    loop_.restart();
    loop_.poll();
  }

  boost::asio::io_context loop_{1};
  VirtualClock clock_{loop_, kPassAt};
  std::exception_ptr failed_{};
  lifecycle::PodPtr pod_;
  ScriptedRuntime runtime_;
  simulation::SimulatedHost host_{clock_, {}};
  InstantStore store_{};
  SilentHandlers handlers_{clock_};
  SilentLog log_{};
  NoSink probe_sink_{};
  RecordedEvents events_{};
  LastShown owner_{};
  ledger_test::KeptLedger ledger_{};
  lifecycle::ImagePuller puller_;
  probes::Prober prober_;
  lifecycle::PodSetOptions options_{.node_name = "node1",
                                    .features = {.container_restart_rules = false,
                                                 .container_stop_signals = false,
                                                 .static_pod_rules = true}};
  lifecycle::StartTurns turns_{loop_.get_executor(), clock_};
  lifecycle::StartCalls start_calls_{loop_.get_executor()};
  lifecycle::GarbageRounds garbage_{loop_.get_executor(), clock_};
  lifecycle::PodEnvironment environment_{
      .executor = loop_.get_executor(),
      .clock = clock_,
      .runtime = runtime_,
      .images = runtime_,
      .host = host_,
      .handlers = handlers_,
      .prober = prober_,
      .store = store_,
      .teller = {.clock = clock_, .events = events_, .log = log_, .ledger = &ledger_},
      .owner = owner_,
      .options = options_,
      .shared = {.pulls = puller_,
                 .starts = turns_,
                 .start_calls = start_calls_,
                 .garbage = garbage_},
      .now = {.view = node_view()},
      .on_failure = failure()};
  TaskGroup tasks_;
  lifecycle::PodWorker worker_;
};

json::value run_sync_pod(const json::object& input) {
  json::object out = OurPass(pass_input(input)).run();
  out["input"] = input;  // for the comparison
  return out;
}

}  // namespace

std::vector<Kind> sync_kinds() {
  return {{.name = "sync_pod",
           .run = run_sync_pod,
           .compare = compare_sync_pod,
           .report = report_sync_pod}};
}

}  // namespace berth::conformance
