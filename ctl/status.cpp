// SPDX-License-Identifier: Apache-2.0

// berthctl status: whether the agent is well, and if not, what it is waiting for.
#include <fmt/format.h>
#include <boost/json.hpp>

#include "ctl/command.hpp"
#include "ctl/describe/describe_text.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/object_text.hpp"
#include "ctl/problem_text.hpp"
#include "ctl/reload/change_text.hpp"

namespace berth::ctl {
namespace {

std::vector<std::string> strings(const google::protobuf::RepeatedPtrField<std::string>& list) {
  return {list.begin(), list.end()};
}

std::string runtime_text(const control::v1::RuntimeStatus& runtime) {
  if (!runtime.connected()) {
    return fmt::format("not connected: {}", runtime.last_error());
  }
  return fmt::format("{} {}", runtime.name(), runtime.version());
}

// Empty if there is no trouble.
std::vector<std::string> store_troubles(const control::v1::StoreStatus& store) {
  std::vector<std::string> lines;
  if (!store.failing_since().empty())
    lines.push_back(fmt::format("cannot be written since {}: {}; nothing new is started meanwhile",
                                store.failing_since(), store.error()));
  if (store.history_dropped() > 0)
    lines.push_back(fmt::format("berthd dropped {} events and decisions", store.history_dropped()));
  if (store.unreadable_pods() > 0)
    lines.push_back(fmt::format("{} pods in it cannot be read", store.unreadable_pods()));
  if (!store.moved_aside().empty())
    lines.push_back("was damaged and replaced; the damaged one is " + store.moved_aside());
  return lines;
}

std::string counts_text(const control::v1::PodCounts& pods) {
  std::string text = fmt::format("{}", pods.total());
  const std::pair<unsigned, const char*> parts[] = {{pods.running(), "running"},
                                                    {pods.pending(), "pending"},
                                                    {pods.succeeded(), "succeeded"},
                                                    {pods.failed(), "failed"},
                                                    {pods.terminating(), "terminating"}};
  const char* separator = " (";
  for (const auto& [count, name] : parts) {
    if (count == 0) continue;
    text += fmt::format("{}{} {}", separator, count, name);
    separator = ", ";
  }
  return separator[0] == ',' ? text + ")" : text;
}

std::string held_text(const control::v1::HeldPod& held) {
  return fmt::format("{}/{}: since {}: {}; {}", held.namespace_(), held.name(), held.since(),
                     held.text(), held.advice());
}

std::string status_text(const control::v1::StatusReply& reply) {
  DescribeText out;
  out.field("Node", reply.node_name());
  out.field("Ready", reply.ready() ? "yes" : "no");
  if (!reply.ready()) out.list("Waiting For", strings(reply.waiting_for()));
  out.field("Started", reply.started_at());
  out.field("Configuration", !reply.config_file().empty() ? reply.config_file()
                             : reply.drop_ins_size() == 0 ? "built-in defaults"
                                                          : "built-in defaults, and drop-ins");
  if (reply.drop_ins_size() > 0) out.list("Drop-ins", strings(reply.drop_ins()));
  if (reply.pending_restart_size() > 0) {
    out.enter("Pending Restart");
    for (const auto& change : reply.pending_restart()) out.line(change_text(shown(change)));
    out.leave();
  }
  out.field("Runtime", runtime_text(reply.runtime()));
  out.field("Endpoint", reply.runtime().endpoint());
  if (!reply.runtime().event_source().empty()) {
    out.field("Events From", reply.runtime().event_source());
  }
  if (reply.runtime().missed_events() > 0) {
    out.field("Missed Events", std::to_string(reply.runtime().missed_events()));
  }
  if (const auto troubles = store_troubles(reply.store()); troubles.empty()) {
    out.field("Store", reply.store().path());
  } else {
    out.list("Store " + reply.store().path(), troubles);
  }
  if (!reply.http_address().empty()) out.field("HTTP", reply.http_address());
  const auto& manifests = reply.manifests();
  out.field("Manifests", manifests.exists()
                             ? fmt::format("{} ({} {})", manifests.path(), manifests.files(),
                                           manifests.files() == 1 ? "file" : "files")
                             : fmt::format("{} (does not exist)", manifests.path()));
  out.field("Pods", counts_text(reply.pods()));
  if (reply.held_size() > 0) {
    out.enter("Held Pods");
    for (const auto& held : reply.held()) out.line(held_text(held));
    out.leave();
  }
  if (const auto& resets = reply.connection_tracking().resets(); !resets.empty())
    out.field("Probes", resets);
  if (manifests.ignored_files_size() > 0) {
    out.list("Ignored Files", strings(manifests.ignored_files()));
  }
  if (reply.unused_fields_size() > 0) out.list("Unused Fields", strings(reply.unused_fields()));
  if (reply.warnings_size() > 0) out.list("Warnings", strings(reply.warnings()));
  if (manifests.problems_size() > 0) {
    out.enter("Manifest Problems");
    for (const auto& problem : manifests.problems()) out.line(problem_text(problem));
    out.leave();
  }
  return out.text();
}

boost::json::array held_json(const control::v1::StatusReply& reply) {
  boost::json::array held;
  for (const auto& pod : reply.held()) {
    held.push_back({{"namespace", pod.namespace_()},
                    {"name", pod.name()},
                    {"uid", pod.uid()},
                    {"since", pod.since()},
                    {"text", pod.text()},
                    {"advice", pod.advice()}});
  }
  return held;
}

boost::json::array pending_json(const control::v1::StatusReply& reply) {
  boost::json::array pending;
  for (const auto& change : reply.pending_restart()) pending.push_back(change_json(shown(change)));
  return pending;
}

boost::json::value tracking_json(const control::v1::ConnectionTracking& tracking) {
  return {{"entries", tracking.entries()},
          {"limit", tracking.limit()},
          {"probesPerSecond", tracking.probes_a_second()},
          {"resets", tracking.resets()}};
}

boost::json::value status_json(const control::v1::StatusReply& reply) {
  boost::json::array problems;
  for (const auto& problem : reply.manifests().problems()) {
    problems.push_back({{"file", problem.file()},
                        {"line", problem.line()},
                        {"column", problem.column()},
                        {"path", problem.path()},
                        {"message", problem.message()},
                        {"warning", problem.warning()},
                        {"keptPods", boost::json::value_from(strings(problem.kept_pods()))}});
  }
  const auto& runtime = reply.runtime();
  const auto& manifests = reply.manifests();
  const auto& pods = reply.pods();
  return {{"apiVersion", kReportVersion},
          {"kind", "AgentStatus"},
          {"nodeName", reply.node_name()},
          {"ready", reply.ready()},
          {"waitingFor", boost::json::value_from(strings(reply.waiting_for()))},
          {"startedAt", reply.started_at()},
          {"configFile", reply.config_file()},
          {"dropIns", boost::json::value_from(strings(reply.drop_ins()))},
          {"httpAddress", reply.http_address()},
          {"runtime",
           {{"endpoint", runtime.endpoint()},
            {"connected", runtime.connected()},
            {"name", runtime.name()},
            {"version", runtime.version()},
            {"eventSource", runtime.event_source()},
            {"lastError", runtime.last_error()},
            {"missedEvents", runtime.missed_events()}}},
          {"store",
           {{"path", reply.store().path()},
            {"failingSince", reply.store().failing_since()},
            {"error", reply.store().error()},
            {"historyDropped", reply.store().history_dropped()},
            {"unreadablePods", reply.store().unreadable_pods()},
            {"movedAside", reply.store().moved_aside()}}},
          {"manifests",
           {{"path", manifests.path()},
            {"exists", manifests.exists()},
            {"files", manifests.files()},
            {"problems", problems},
            {"ignoredFiles", boost::json::value_from(strings(manifests.ignored_files()))}}},
          {"pods",
           {{"total", pods.total()},
            {"running", pods.running()},
            {"pending", pods.pending()},
            {"succeeded", pods.succeeded()},
            {"failed", pods.failed()},
            {"terminating", pods.terminating()}}},
          {"heldPods", held_json(reply)},
          {"pendingRestart", pending_json(reply)},
          {"connectionTracking", tracking_json(reply.connection_tracking())},
          {"unusedFields", boost::json::value_from(strings(reply.unused_fields()))},
          {"warnings", boost::json::value_from(strings(reply.warnings()))}};
}

}  // namespace

Outcome show_status(Connection& agent, const Options& options) {
  control::v1::StatusReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().Status(context.get(), {}, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  print(options.output == Output::kTable ? status_text(reply)
                                         : value_text(status_json(reply), options.output));
  return reply.ready() ? kOk : kFailed;
}

}  // namespace berth::ctl
