// SPDX-License-Identifier: Apache-2.0

// A request of the control API as bytes from the socket, and berthd's interpretation: which pods it
// means, which log, which period, which condition.
//
// The first byte picks the method; the rest is the message.
#include <chrono>
#include <vector>

#include <boost/json.hpp>

#include "agent/serve/control_requests.hpp"
#include "agent/serve/exec_status.hpp"
#include "api/codec.hpp"
#include "api/utf8.hpp"
#include "control/pod_name.hpp"
#include "control/status_code.hpp"
#include "lifecycle/deletion_period.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/status/foreign_conditions.hpp"
#include "node/pod_paths.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

namespace wire = control::v1;
using control::PodName;

constexpr const char* kNode = "node1";
constexpr WallTime kNow{std::chrono::days(20'000)};

api::ContainerStatus status_of(const std::string& name, std::int32_t restarts, bool running) {
  api::ContainerStatus status{.name = name, .restartCount = restarts};
  if (running) status.state.running.emplace();
  if (!running) status.state.waiting = api::ContainerStateWaiting{.reason = "ImagePullBackOff"};
  if (restarts > 0) status.lastState.terminated.emplace();
  return status;
}

api::Pod pod(const std::string& of_namespace, const std::string& name) {
  api::Pod pod;
  pod.metadata.namespace_ = of_namespace;
  pod.metadata.name = name;
  pod.metadata.uid = "u-" + name;
  pod.spec.terminationGracePeriodSeconds = 30;
  pod.spec.containers = {{.name = "app"}};
  pod.status.phase = "Running";
  pod.status.containerStatuses = {status_of("app", 0, true)};
  return pod;
}

const std::vector<api::Pod>& pods() {
  static const std::vector<api::Pod> kAll = [] {
    std::vector<api::Pod> all = {pod("default", "web-node1"), pod("default", "web"),
                                 pod("other", "db-node1"), pod("other", "web-node1-node1")};
    all[1].spec.containers.push_back({.name = "side"});
    all[1].spec.initContainers.push_back({.name = "setup"});
    all[1].status.containerStatuses.push_back(status_of("side", 3, false));
    all[1].status.initContainerStatuses.push_back(status_of("setup", 0, false));
    all[2].spec.containers.push_back({.name = "log"});
    all[2].metadata.annotations["kubectl.kubernetes.io/default-container"] = "log";
    all[2].metadata.deletionGracePeriodSeconds = 5;
    return all;
  }();
  return kAll;
}

void check_refusal(const Error& error) {
  const grpc::Status status = control::to_status(error);
  require(!status.ok() && !error.message.empty(), "a refusal has words");
  require(api::valid_utf8(error.message) == error.message, "a refusal is text", error.message);
  const Error heard = control::to_error(status);
  const bool whole = heard.message == error.message;
  const bool shortened =
      heard.message.size() > 1990 && heard.message.ends_with("...") &&
      error.message.starts_with(heard.message.substr(0, heard.message.size() - 3));
  require(heard.code == error.code && (whole || shortened), "a refusal comes through",
          error.message);
}

// As find_pod does, among the pods above. Null if refused.
const api::Pod* find(const std::string& of_namespace, const std::string& name) {
  std::vector<PodName> names;
  for (const auto& each : pods()) names.push_back({each.metadata.namespace_, each.metadata.name});
  const auto found = control::resolve_pod_name(names, of_namespace, name, kNode);
  if (!found) {
    check_refusal(found.error());
    return nullptr;
  }
  require(control::resolve_pod_name(names, found->namespace_, found->name, kNode) == *found,
          "a whole name means itself", name);
  const auto typed = control::typed_pod_name(of_namespace, name);
  require(found->namespace_ == typed.namespace_ &&
              (found->name == typed.name || found->name == typed.name + "-" + kNode),
          "a pod has the name that was asked for", name);
  for (const auto& each : pods()) {
    if (each.metadata.name == found->name && each.metadata.namespace_ == found->namespace_) {
      return &each;
    }
  }
  require(false, "a pod that is found is there", name);
  return nullptr;
}

template <class Request>
void check_selection(const Request& request, const std::string& name) {
  const agent::PodSelection selection(request.namespace_(), request.all_namespaces(), name, kNode);
  for (const auto& each : pods()) {
    const auto& meta = each.metadata;
    const std::string asked = request.namespace_().empty() ? "default" : request.namespace_();
    const bool here = request.all_namespaces() || meta.namespace_ == asked;
    const bool named = name.empty() || meta.name == name || meta.name == name + "-node1";
    require(selection.takes(each) == (here && named), "a list has what was asked for", name);
    api::Event event;
    event.metadata.namespace_ = meta.namespace_;
    event.involvedObject = {.kind = "Pod", .name = meta.name};
    require(selection.takes(event) == selection.takes(each), "events are their pods'", name);
  }
}

void check_deletion(const wire::DeletePodRequest& request) {
  const api::Pod* found = find(request.namespace_(), request.name());
  if (found == nullptr) return;
  const auto grace = agent::grace_of(request);
  std::optional<std::int64_t> requested;
  if (grace) requested = grace->count();
  const auto& in_force = found->metadata.deletionGracePeriodSeconds;
  const lifecycle::DeletionQuestion question{
      .pod = *found,
      .situation = {.requested = requested,
                    .own = found->spec.terminationGracePeriodSeconds,
                    .phase = found->status.phase,
                    .in_force = in_force}};
  const auto period = lifecycle::deletion_period(question.situation);
  require(period.seconds >= 0, "a period is no debt");
  require(!in_force || period.seconds <= *in_force, "another deletion is no reprieve");
  require(!lifecycle::deletion_reason(question, period).text.empty(), "a deletion has its reason");
  const lifecycle::GraceQuestion order{.pod = *found,
                                       .override_seconds = period.seconds,
                                       .cause = lifecycle::EndCause::kDeleted,
                                       .requested_at = kNow};
  const auto decision = lifecycle::decide_grace(order);
  require(decision.seconds >= 1 && decision.ends_at >= kNow, "a period ends after it began");
  require(!lifecycle::grace_reasons(order, decision).empty(), "a period has its reason");
  const auto stop = lifecycle::stop_grace(*found, found->spec.containers.front(),
                                          lifecycle::KillReason{}, requested);
  const lifecycle::StopPeriod stopped{.begun_at = SteadyTime{}, .seconds = stop.effective_seconds};
  require((stopped.ends_at() >= stopped.begun_at) == (stop.effective_seconds >= 0),
          "a container's period ends after it began");
}

void check_condition(const wire::SetConditionRequest& request) {
  const api::Pod* found = find(request.namespace_(), request.name());
  const api::PodCondition condition = agent::condition_of(request);
  const auto may = lifecycle::may_set_condition(condition);
  if (!may) return check_refusal(may.error());
  if (found == nullptr) return;
  api::Pod with = *found;
  lifecycle::put_condition(with.status.conditions, condition, kNow);
  const auto once = with.status.conditions;
  lifecycle::put_condition(with.status.conditions, condition, kNow + std::chrono::hours(1));
  require(with.status.conditions == once && once.size() == 1, "a condition is set once");
  const std::string json = api::to_json_text(with);
  const auto again = api::from_json_text<api::Pod>(json);
  require(again && *again == with, "a pod with a condition can be shown", json);
}

void check_instance(const api::Pod& of_pod, const std::string& wanted, bool previous) {
  const auto container = agent::choose_container(of_pod, wanted);
  if (!container) return check_refusal(container.error());
  require(wanted.empty() || container->name == wanted, "a container that is named is meant");
  const auto instance = agent::choose_instance(of_pod, container->name, previous);
  if (!instance) return check_refusal(instance.error());
  require(instance->restart_count >= 0 && !(previous && instance->running),
          "an instance before is over");
  const std::string path = node::container_log_path(
      container->name, static_cast<std::uint32_t>(instance->restart_count));
  require(path.find("..") == std::string::npos && path.front() != '/' && path.ends_with(".log"),
          "a log is in its folder", path);
}

void check_logs(const wire::LogsRequest& request) {
  const auto query = agent::log_query(request, kNow);
  if (!query) return check_refusal(query.error());
  require(!query->limit_bytes || *query->limit_bytes >= 1, "a limit lets something through");
  require(!request.has_since_seconds() || *query->since < kNow, "since is before now");
  const api::Pod* found = find(request.namespace_(), request.name());
  if (found != nullptr) check_instance(*found, request.container(), request.previous());
}

void check_exec(const wire::ExecRequest& request) {
  if (request.has_resize()) {
    boost::system::error_code bad;
    boost::json::parse(agent::size_json(request.resize()), bad);
    require(!bad, "a size is JSON");
  }
  if (!request.has_start()) return;
  const auto command = agent::command_of(request.start());
  if (!command) check_refusal(command.error());
  for (const auto& word : command.value_or(std::vector<std::string>{}))
    require(api::valid_utf8(word) == word && word.find('\0') == std::string::npos,
            "a command is text", word);
  const api::Pod* found = find(request.start().namespace_(), request.start().name());
  if (found != nullptr) check_instance(*found, request.start().container(), false);
}

// Not a request, but the runtime's report about one.
void check_exec_end(std::string_view status) {
  wire::ExecReply reply;
  const agent::ExecEnd end = agent::exec_end(status);
  boost::system::error_code bad;
  const auto json = boost::json::parse(status, bad);
  const auto* object = bad ? nullptr : json.if_object();
  const auto* word = object == nullptr ? nullptr : object->if_contains("status");
  const bool success = word != nullptr && word->is_string() && word->get_string() == "Success";
  require((end.exit_code == 0) == success, "nothing but a success is one", status);
  reply.mutable_result()->set_exit_code(end.exit_code);
  reply.mutable_result()->set_message(end.message);
  wire::ExecReply heard;
  require(heard.ParseFromString(reply.SerializeAsString()), "how a command ended can be reported",
          end.message);
  require(heard.result().message() == end.message, "how a command ended comes through");
}

template <class Request, class Check>
void parsed(std::string_view bytes, Check check) {
  Request request;
  // gRPC refuses anything else.
  if (request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) check(request);
}

void check(char method, std::string_view bytes) {
  switch (method) {
    case 'l':
      return parsed<wire::ListPodsRequest>(
          bytes, [](const auto& request) { check_selection(request, request.name()); });
    case 'e':
      return parsed<wire::ListEventsRequest>(
          bytes, [](const auto& request) { check_selection(request, request.pod_name()); });
    case 'g':
      return parsed<wire::GetPodRequest>(
          bytes, [](const auto& request) { find(request.namespace_(), request.name()); });
    case 'd':
      return parsed<wire::DeletePodRequest>(bytes, check_deletion);
    case 'c':
      return parsed<wire::SetConditionRequest>(bytes, check_condition);
    case 'o':
      return parsed<wire::LogsRequest>(bytes, check_logs);
    case 'x':
      return parsed<wire::ExecRequest>(bytes, check_exec);
    default:
      return check_exec_end(bytes);
  }
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = berth::fuzz::text_of(data, size);
  if (!text.empty()) berth::fuzz::check(text.front(), text.substr(1));
  return 0;
}
