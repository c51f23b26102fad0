// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_calls.hpp"

#include <utility>

#include "agent/shutdown/node_shutdown.hpp"
#include "agent/store/sqlite_store.hpp"
#include "api/codec.hpp"
#include "api/time.hpp"
#include "base/version.hpp"
#include "control/pod_name.hpp"
#include "cri/runtime_conditions.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/recent_reasons.hpp"
#include "probes/handlers.hpp"
#include "scheduling/disruption/budget_book.hpp"

namespace berth::agent {
namespace {

std::vector<control::PodName> names_of(const std::vector<lifecycle::PodPtr>& pods) {
  std::vector<control::PodName> names;
  names.reserve(pods.size());
  for (const auto& pod : pods) {
    names.push_back({.namespace_ = pod->metadata.namespace_, .name = pod->metadata.name});
  }
  return names;
}

std::string rfc3339(WallTime time) {
  return api::Time{time}.to_string();
}

void put(const ManifestProblem& problem, wire::ManifestProblem& message) {
  message.set_file(problem.file);
  message.set_line(problem.line);
  message.set_column(problem.column);
  message.set_path(problem.path);
  message.set_message(problem.message);
  message.set_warning(problem.warning);
  for (const auto& pod : problem.kept_pods) message.add_kept_pods(pod);
}

// The number of reasons shown by describe.
constexpr std::size_t kDescribedReasons = 64;

void put(const lifecycle::DatedReason& dated, wire::Decision& message) {
  const auto& [subject, rule, text] = dated.reason;
  message.set_time(rfc3339(dated.at));
  message.set_container(subject == "pod" ? "" : subject);
  message.set_action(rule);
  message.set_reason(text);
}

// Without a store, or if it cannot be read, a pod is described without its decisions.
boost::asio::awaitable<std::vector<lifecycle::DatedReason>> decisions_of(ControlSources& from,
                                                                         std::string uid) {
  if (from.ledger == nullptr) co_return std::vector<lifecycle::DatedReason>{};
  LedgerQuery query{.uid = std::move(uid),
                    .but_kind = std::string(lifecycle::kLedgerContainers),
                    .limit = kDescribedReasons};
  const auto records = co_await from.ledger->read_ledger(std::move(query));
  if (!records) co_return std::vector<lifecycle::DatedReason>{};
  co_return lifecycle::recent_reasons(*records, kDescribedReasons);
}

void put_runtime(ControlSources& from, wire::RuntimeStatus& message) {
  message.set_endpoint(from.settings.runtime.endpoint);
  message.set_connected(from.node.runtime_answers());
  if (const auto& version = from.node.version()) {
    message.set_name(version->runtime_name);
    message.set_version(version->runtime_version);
  }
  const auto& stream = from.stream.state();
  if (stream.connected && stream.features) {
    message.set_event_source(stream.features->container_events ? "CRI events"
                                                               : "containerd events");
  }
  if (!from.node.runtime_answers()) {
    message.set_last_error(from.node.runtime_error());
  } else if (!stream.connected && stream.last_error) {
    message.set_last_error(stream.last_error->message);
  }
}

void put_manifests(const ManifestReport& report, wire::ManifestStatus& message) {
  message.set_path(report.path);
  message.set_exists(report.exists);
  message.set_files(static_cast<std::uint32_t>(report.files));
  for (const auto& problem : report.problems) put(problem, *message.add_problems());
  for (const auto& file : report.ignored_files) message.add_ignored_files(file);
}

void count(const std::vector<lifecycle::PodPtr>& pods, wire::PodCounts& counts) {
  counts.set_total(static_cast<std::uint32_t>(pods.size()));
  for (const auto& pod : pods) {
    const auto& phase = pod->status.phase;
    if (pod->metadata.deletionTimestamp) counts.set_terminating(counts.terminating() + 1);
    if (phase == "Running") counts.set_running(counts.running() + 1);
    if (phase == "Pending") counts.set_pending(counts.pending() + 1);
    if (phase == "Succeeded") counts.set_succeeded(counts.succeeded() + 1);
    if (phase == "Failed") counts.set_failed(counts.failed() + 1);
  }
}

void put_held(const lifecycle::HeldPod& held, const Settings& settings, wire::HeldPod& out) {
  const auto& meta = held.pod->metadata;
  out.set_namespace_(meta.namespace_);
  out.set_name(meta.name);
  out.set_uid(meta.uid);
  out.set_since(api::Time{held.obstacle.since}.whole_seconds().to_string());
  out.set_text(lifecycle::obstacle_text(held.obstacle));
  out.set_advice(lifecycle::obstacle_advice(held, {.endpoint = settings.runtime.endpoint}));
}

void put_store(const StoreHealth& health, const std::string& path, wire::StoreStatus& out) {
  out.set_path(path);
  if (health.failing_since) out.set_failing_since(api::Time{*health.failing_since}.to_string());
  out.set_error(health.error);
  out.set_history_dropped(health.history_dropped);
  out.set_unreadable_pods(health.unreadable_pods);
  out.set_moved_aside(health.moved_aside);
}

void add_pod(const api::Pod& pod, const RefusalsToday& refusals, wire::ListPodsReply& reply) {
  reply.add_pods_json(api::to_json_text(pod));
  const std::string warning = refusal_warning(refusals, pod);
  if (!warning.empty()) reply.add_warnings(warning);
}

}  // namespace

std::string pod_list_json(const lifecycle::PodSet& pods) {
  std::string items;
  for (const auto& pod : pods.snapshot()) {
    items += (items.empty() ? "" : ",") + api::to_json_text(*pod);
  }
  // The kubelet prints null for an empty list.
  return R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":)" +
         (items.empty() ? "null" : "[" + items + "]") + "}\n";
}

std::vector<std::string> waiting_for(const ControlSources& sources) {
  std::vector<std::string> sentences;
  if (!sources.node.runtime_answers()) {
    sentences.push_back("the container runtime at " + sources.settings.runtime.endpoint + ": " +
                        sources.node.runtime_error());
  }
  const auto& runtime = sources.node.runtime();
  if (sources.node.runtime_answers() && runtime) {
    for (const auto& condition : cri::unmet(*runtime)) {
      const bool network = condition.type == cri::kNetworkReady;
      const bool unexplained = condition.reason.empty() && condition.message.empty();
      sentences.push_back(std::string(network ? "the pod network" : "the container runtime") +
                          ": " +
                          (unexplained ? "the runtime does not report " + condition.type + "=true"
                                       : condition.reason + ": " + condition.message));
    }
  }
  if (sources.node.shutting_down()) sentences.emplace_back("the machine to shut down");
  const auto& report = sources.manifests.report();
  if (!report.exists) {
    sentences.push_back("the manifest folder " + report.path + ": it does not exist");
  }
  if (const auto& obstacle = sources.pods.sandbox_obstacle(); !obstacle.empty())
    sentences.push_back("a container runtime with the same cgroup driver: " + obstacle);
  if (sentences.empty() && !sources.pods.ready()) {
    sentences.emplace_back("the adoption of the running pods");
  }
  return sentences;
}

Result<lifecycle::PodPtr> find_pod(ControlSources& from, const std::string& namespace_,
                                   const std::string& name) {
  const auto pods = from.pods.snapshot();
  const auto found =
      control::resolve_pod_name(names_of(pods), namespace_, name, from.settings.node_name);
  if (!found && !from.known.yet() && found.error().code == ErrorCode::kNotFound)
    return fail(not_known_yet(from));
  if (!found) return fail(found.error());
  if (auto pod = from.pods.find(found->namespace_, found->name)) return pod;
  return fail(ErrorCode::kNotFound, "pod \"" + found->name + "\" is gone");
}

Result<Answered> answer(ControlSources& from, const wire::VersionRequest& /*request*/,
                        wire::VersionReply& reply) {
  reply.set_berth(std::string(build_version()));
  reply.set_kernel(from.kernel_version);
  if (const auto& version = from.node.version()) {
    reply.set_cri(version->runtime_api_version);
    reply.set_runtime_name(version->runtime_name);
    reply.set_runtime_version(version->runtime_version);
  }
  return Answered{};
}

Result<Answered> answer(ControlSources& from, const wire::StatusRequest& /*request*/,
                        wire::StatusReply& reply) {
  reply.set_node_name(from.settings.node_name);
  reply.set_started_at(rfc3339(from.started_at));
  reply.set_ready(from.pods.ready() && from.node.ready() && from.pods.sandbox_obstacle().empty());
  for (const auto& sentence : waiting_for(from)) reply.add_waiting_for(sentence);
  put_runtime(from, *reply.mutable_runtime());
  put_manifests(from.manifests.report(), *reply.mutable_manifests());
  count(from.pods.snapshot(), *reply.mutable_pods());
  reply.mutable_runtime()->set_missed_events(from.pods.missed_events());
  if (from.store != nullptr)
    put_store(from.store->health(), from.settings.paths.root + "/state.db", *reply.mutable_store());
  for (const auto& held : from.pods.held()) put_held(held, from.settings, *reply.add_held());
  reply.set_http_address(from.http_address);
  reply.set_config_file(from.settings.config_file);
  for (const auto& file : from.settings.drop_ins) reply.add_drop_ins(file);
  for (const auto& field : from.settings.unused_fields) reply.add_unused_fields(field);
  for (const auto& warning : from.settings.warnings) reply.add_warnings(warning);
  if (from.shutdown != nullptr)
    if (const ShutdownComplaint complaint = from.shutdown->complaint(); !complaint.empty())
      reply.add_warnings(complaint.sentence());
  for (const auto& work : from.pool.stuck())
    reply.add_warnings(BlockingPool::text(work, from.clock.steady_now()));
  put(from.handlers.tracking(), reply);
  put_pending(from, reply);
  return Answered{};
}

// First checks whether the runtime answers, so that the report about it is current.
boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::StatusRequest& request,
                                                      wire::StatusReply& reply) {
  co_await from.node.ask(kAskRuntime);
  co_return answer(from, request, reply);
}

Result<Answered> answer(ControlSources& from, const wire::ListPodsRequest& request,
                        wire::ListPodsReply& reply) {
  const RefusalsToday refusals = refusals_today(from);
  if (!request.name().empty()) {
    const auto pod = find_pod(from, request.namespace_(), request.name());
    if (!pod) return fail(pod.error());
    add_pod(**pod, refusals, reply);
    return Answered{};
  }
  if (!from.known.yet()) return fail(not_known_yet(from));
  const PodSelection selection(request.namespace_(), request.all_namespaces(), "",
                               from.settings.node_name);
  for (const auto& pod : from.pods.snapshot()) {
    if (selection.takes(*pod)) add_pod(*pod, refusals, reply);
  }
  return Answered{};
}

Result<Answered> answer(ControlSources& from, const wire::GetPodRequest& request,
                        wire::GetPodReply& reply) {
  const auto pod = find_pod(from, request.namespace_(), request.name());
  if (!pod) return fail(pod.error());
  reply.set_pod_json(api::to_json_text(**pod));
  const std::string warning = refusal_warning(refusals_today(from), **pod);
  if (!warning.empty()) reply.add_warnings(warning);
  return Answered{};
}

Result<Answered> answer(ControlSources& from, const wire::ListEventsRequest& request,
                        wire::ListEventsReply& reply) {
  const PodSelection selection(request.namespace_(), request.all_namespaces(), request.pod_name(),
                               from.settings.node_name);
  for (const auto& event : from.events.store().list()) {
    if (selection.takes(*event)) reply.add_events_json(api::to_json_text(*event));
  }
  return Answered{};
}

Result<Answered> answer(ControlSources& from, const wire::ListBudgetsRequest& request,
                        wire::ListBudgetsReply& reply) {
  const PodSelection selection(request.namespace_(), request.all_namespaces(), "",
                               from.settings.node_name);
  for (const auto& budget : from.budgets.look(from.pods.snapshot(), from.clock.wall_now())) {
    if (selection.takes(budget.metadata.namespace_, budget.metadata.name))
      reply.add_budgets_json(api::to_json_text(budget));
  }
  return Answered{};
}

Result<Answered> answer(ControlSources& from, const wire::GetNodeRequest& /*request*/,
                        wire::GetNodeReply& reply) {
  reply.set_node_json(api::to_json_text(from.node.node()));
  return Answered{};
}

boost::asio::awaitable<Result<Answered>> answer_later(ControlSources& from,
                                                      const wire::DescribePodRequest& request,
                                                      wire::DescribePodReply& reply) {
  co_await until_known(from);
  const auto found = find_pod(from, request.namespace_(), request.name());
  if (!found) co_return fail(found.error());
  const auto& pod = **found;
  const auto decisions = co_await decisions_of(from, pod.metadata.uid);
  for (const auto& decision : decisions) put(decision, *reply.add_decisions());
  reply.set_pod_json(api::to_json_text(pod));
  for (const auto& event : from.events.store().about(pod.metadata.uid)) {
    reply.add_events_json(api::to_json_text(*event));
  }
  for (const auto& view : from.pods.prober().views(pod.metadata.uid))
    put(view, from.clock.wall_now(), *reply.add_probes());
  const auto file = from.manifests.file_of(pod);
  reply.set_manifest_file(file);
  const RefusalsToday refusals = refusals_today(from);
  if (const auto refused = refusals.find(pod.metadata.uid); refused != refusals.end())
    reply.set_refused_today(refused->second);
  for (const auto& problem : from.manifests.report().problems) {
    if (!file.empty() && problem.file == file) put(problem, *reply.add_problems());
  }
  co_return Answered{};
}

}  // namespace berth::agent
