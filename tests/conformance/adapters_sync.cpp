// sync_pod: the real worker against the scripted runtime, on a clock that stands at the second the
// cases name, until it waits for the first time.
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/task_group.hpp"
#include "base/virtual_clock.hpp"
#include "lifecycle/container_identity.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/pod_worker.hpp"
#include "node/node_object.hpp"
#include "node/variable_expansion.hpp"
#include "probes/prober.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/lifecycle_input.hpp"
#include "tests/conformance/scripted_runtime.hpp"
#include "tests/conformance/sync_pod_differences.hpp"
#include "tests/simulation/simulated_host.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using namespace lifecycle_input;

// When the recorded passes ran.
constexpr WallTime kPassAt{std::chrono::seconds{1'756'718'600}};
constexpr Nanoseconds kForEver = std::chrono::hours{1};  // the clock stands
constexpr Nanoseconds kFirstWindow = std::chrono::seconds{10};

class InstantStore final : public lifecycle::PodStore {
 public:
  std::vector<lifecycle::PodMemoryPtr> recall() override { return {}; }
  boost::asio::awaitable<Result<bool>> commit(lifecycle::StoreBatch /*batch*/) override {
    co_return true;
  }
};

// Probes never come to anything: what they have found is in the case.
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
 public:
  void write(LogLevel, std::string_view, std::string_view, const std::vector<LogField>&) override {}
};

// As the cases write events: "TYPE REASON", and for some the text. Those of the image puller are
// not recorded.
class RecordedEvents final : public lifecycle::PodEvents {
 public:
  void record(const api::Pod& /*pod*/, const lifecycle::PodEvent& event) override {
    const bool warning = event.level == lifecycle::EventLevel::kWarning;
    const bool of_puller = event.reason == "Pulling" || event.reason == "Pulled" ||
                           event.reason == "ErrImageNeverPull" || event.reason == "InspectFailed" ||
                           (event.reason == "BackOff" && !warning) ||
                           event.message.starts_with("Failed to pull image");
    if (of_puller) return;
    std::string line = (warning ? "Warning " : "Normal ") + event.reason;
    const bool told = event.reason == "Created" || event.reason == "Started" ||
                      event.reason == "Killing" || event.reason == "BackOff";
    if (told) line += " " + event.message;
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
  void stored(const std::string& /*uid*/) override {}

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

// With what the cases leave to the API server's defaults.
lifecycle::PodPtr completed_pod(const json::object& input) {
  auto pod = std::make_shared<api::Pod>(decoded<api::Pod>(input, "pod"));
  pod->spec.enableServiceLinks = false;
  pod->spec.dnsPolicy = "Default";
  pod->spec.automountServiceAccountToken = false;
  return pod;
}

std::string image_of(const api::Pod& pod, const std::string& name) {
  if (const auto* container = lifecycle::find_container(pod, name)) return container->image;
  if (const auto* container = lifecycle::find_init_container(pod, name)) return container->image;
  for (const auto& container : pod.spec.ephemeralContainers)
    if (container.name == name) return container.image;
  return "unknown";
}

std::set<std::string> names(const json::object& in, const char* key) {
  const auto all = strings(in, key);
  return {all.begin(), all.end()};
}

RuntimeScript::Instance instance(const api::Pod& pod, const json::object& in) {
  const lifecycle::RuntimeContainer seen = container(in);
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

// Newest first. An older instance with a higher restart count, which the generated cases have here
// and there, cannot be: each gets the count of the one before it, and one more. Its container's
// later ones are numbered on from there; by how much the newest is higher then, by name.
std::map<std::string, std::int32_t> renumber(std::vector<RuntimeScript::Instance>& instances) {
  std::map<std::string, std::int32_t> highest;
  std::map<std::string, std::int32_t> raised;
  for (auto one = instances.rbegin(); one != instances.rend(); ++one) {
    cri::ContainerStatus& status = one->status;
    const std::string& name = status.metadata.name;
    auto count = static_cast<std::int32_t>(status.metadata.attempt);
    const auto before = highest.find(name);
    raised[name] = before == highest.end() ? 0 : std::max(before->second + 1 - count, 0);
    count += raised[name];
    highest[name] = count;
    status.metadata.attempt = static_cast<std::uint32_t>(count);
    status.annotations[cri::kAnnotationRestartCount] = std::to_string(count);
  }
  std::erase_if(raised, [](const auto& entry) { return entry.second == 0; });
  return raised;
}

RuntimeScript script_of(const json::object& input, const api::Pod& pod) {
  const json::object& failures = object(input, "failures");
  const json::object& shown = object(input, "runtime");
  RuntimeScript script{.present_images = names(input, "presentImages"),
                       .fails_create = names(failures, "createContainer"),
                       .fails_start = names(failures, "startContainer"),
                       .fails_stop = names(failures, "stopContainer"),
                       .fails_post_start = names(failures, "postStartHook"),
                       .fails_pull = names(failures, "pullImage"),
                       .fails_sandbox = flag(failures, "runPodSandbox")};
  std::int64_t created = cri::unix_nanoseconds(kPassAt) / 2;
  for (const lifecycle::RuntimeSandbox& seen : sandboxes(shown)) {
    script.sandboxes.push_back({.id = seen.id,
                                .metadata = {.name = pod.metadata.name,
                                             .uid = pod.metadata.uid,
                                             .namespace_ = pod.metadata.namespace_,
                                             .attempt = seen.attempt},
                                .state = seen.state,
                                .created_at = created--,
                                .has_network = seen.has_network,
                                .ip = seen.ip,
                                .network_mode = seen.network});
  }
  for (const json::value& item : list(shown, "containers"))
    script.containers.push_back(instance(pod, item.as_object()));
  return script;
}

// Probe results of before, and the first backoff windows, come to the worker as they would over a
// restart of berthd.
lifecycle::PodMemoryPtr memory_of(const json::object& input, const lifecycle::PodPtr& pod) {
  auto memory = std::make_shared<lifecycle::PodMemory>();
  memory->uid = pod->metadata.uid;
  memory->pod = pod;
  memory->probes = probe_results(input);
  memory->boot_id = "one boot";
  for (const std::string& name : strings(input, "inBackOff")) {
    const api::Container* spec = lifecycle::find_container(*pod, name);
    if (spec == nullptr) spec = lifecycle::find_init_container(*pod, name);
    if (spec == nullptr) continue;
    memory->restarts.entries[lifecycle::restart_identity(*pod, *spec).key()] = {
        .window = kFirstWindow, .last_start = kPassAt};
  }
  return memory;
}

// How each start ended, by what is shown of the container: the waiting reason, or success.
// What was refused or failed is told among the decisions, too: for an init container that once
// ended with 0 the status does not say it.
json::array start_results(const json::array& calls, const api::PodStatus& status,
                          const std::deque<lifecycle::DecisionNote>& decisions) {
  std::map<std::string, json::object> results;
  for (const lifecycle::DecisionNote& note : decisions) {
    if (note.action == "Wait") {
      const bool restart = note.why.starts_with("back-off ");
      results[note.container] = {{"error", restart ? "CrashLoopBackOff" : "ImagePullBackOff"},
                                 {"message", note.why}};
    }
    const auto colon = note.why.find(": ");  // "REASON: MESSAGE"
    if (note.action == "StartFailed" && colon != std::string::npos)
      results[note.container] = {{"error", note.why.substr(0, colon)},
                                 {"message", note.why.substr(colon + 2)}};
  }
  for (const json::value& call : calls) {
    const json::object& in = call.as_object();
    if (text(in, "op") != "StartContainer") continue;
    results[text(in, "name")] = {{"error", ""}, {"message", ""}};
  }
  for (const auto* statuses : {&status.initContainerStatuses, &status.containerStatuses})
    for (const api::ContainerStatus& one : *statuses) {
      if (!one.state.waiting) continue;
      const std::string& reason = one.state.waiting->reason;
      if (reason.empty() || reason == "ContainerCreating" || reason == "PodInitializing") continue;
      results[one.name] = {{"error", reason}, {"message", one.state.waiting->message}};
    }
  json::array out;
  for (auto& [name, result] : results) {
    result["action"] = "StartContainer";
    result["target"] = name;
    out.push_back(std::move(result));
  }
  return out;
}

class Pass {
 public:
  Pass(const json::object& input, RuntimeScript script)
      : pod_(completed_pod(input)),
        runtime_(clock_, std::move(script)),
        puller_(loop_.get_executor(), clock_, runtime_, {.qps = 0}),
        prober_(loop_.get_executor(), clock_, handlers_, probe_sink_,
                {.expand_command = &node::expand_command}, failure()),
        tasks_(loop_.get_executor(), failure()),
        worker_(environment_, pod_, std::nullopt, memory_of(input, pod_), {}) {}

  json::object run() {
    tasks_.spawn("worker", worker_.run());
    loop_.poll();
    json::array calls = runtime_.calls();
    std::vector<std::string> events = events_.lines;
    std::ranges::sort(events);
    json::array lines;
    for (const std::string& line : events) lines.emplace_back(line);
    json::array results = start_results(calls, owner_.status, worker_.decisions());
    const bool ended = worker_.state() != lifecycle::WorkerState::kSyncing;
    end();
    if (failed_) std::rethrow_exception(failed_);
    return {{"calls", std::move(calls)},
            {"events", lines},
            {"results", std::move(results)},
            {"ended", ended}};
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
  lifecycle::ImagePuller puller_;
  probes::Prober prober_;
  lifecycle::PodSetOptions options_{.node_name = "node1",
                                    .features = {.container_restart_rules = false,
                                                 .container_stop_signals = false,
                                                 .static_pod_rules = true}};
  lifecycle::StartTurns turns_{loop_.get_executor(), clock_};
  lifecycle::PodEnvironment environment_{.executor = loop_.get_executor(),
                                         .clock = clock_,
                                         .runtime = runtime_,
                                         .images = runtime_,
                                         .puller = puller_,
                                         .host = host_,
                                         .handlers = handlers_,
                                         .prober = prober_,
                                         .store = store_,
                                         .node = node_view(),
                                         .events = events_,
                                         .log = log_,
                                         .owner = owner_,
                                         .turns = turns_,
                                         .options = options_,
                                         .boot_id = "one boot",
                                         .on_failure = failure()};
  TaskGroup tasks_;
  lifecycle::PodWorker worker_;
};

json::value run_sync_pod(const json::object& input) {
  RuntimeScript script = script_of(input, *completed_pod(input));
  json::object renumbered;
  for (const auto& [name, by] : renumber(script.containers)) renumbered[name] = by;
  json::object out = Pass(input, std::move(script)).run();
  out["renumbered"] = std::move(renumbered);  // both for the comparison
  out["input"] = input;
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
