// SPDX-License-Identifier: Apache-2.0

#include "ctl/evictions/commands.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "agent/settings/config_files.hpp"
#include "control/pod_name.hpp"
#include "ctl/evictions/eviction_json.hpp"
#include "ctl/evictions/eviction_text.hpp"
#include "ctl/evictions/plot.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/input/file_text.hpp"
#include "ctl/object_text.hpp"
#include "ctl/pod_query.hpp"
#include "ctl/words.hpp"

namespace berth::ctl {
namespace {

namespace wire = control::v1;

Result<wire::ExplainEvictionsReply> explanation(Connection& agent) {
  wire::ExplainEvictionsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ExplainEvictions(context.get(), {}, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return reply;
}

void show(const Options& options, const std::string& text, const boost::json::value& value) {
  print(options.output == Output::kTable ? text : value_text(value, options.output));
}

// Drop-ins apply as they would if berthd read the file; standard input has none.
Result<bool> put_configuration(const std::string& file, wire::SimulateEvictionsRequest& request) {
  auto text = file_text(file);
  if (!text) return fail(text.error());
  request.set_configuration(std::move(*text));
  request.set_file(shown_name(file));
  if (file == "-") return true;
  agent::ConfigFiles drop_ins = agent::read_drop_ins(file);
  for (const auto& warning : drop_ins.warnings) complain(warning + "\n");
  std::string problems;
  for (const auto& problem : drop_ins.problems)
    problems += (problems.empty() ? "" : "\n") + problem.to_string();
  if (!problems.empty()) return fail(ErrorCode::kInvalid, std::move(problems));
  for (auto& drop_in : drop_ins.texts) {
    complain("applying the drop-in " + drop_in.file + "\n");
    auto& sent = *request.add_drop_ins();
    sent.set_file(std::move(drop_in.file));
    sent.set_text(std::move(drop_in.text));
  }
  return true;
}

Result<bool> write_picture(const std::string& path, const wire::SimulateEvictionsReply& reply) {
  const std::string picture = plot_svg(reply);
  if (picture.empty())
    return fail(ErrorCode::kUnknown,
                reply.samples() > 0
                    ? "there is nothing to draw: no signal that has a threshold was measured"
                    : "there is nothing to draw: no history");
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << picture;
  file.close();
  if (!file) return fail(ErrorCode::kUnknown, "writing " + path + ": " + std::strerror(errno));
  return true;
}

Result<wire::TopPodsReply> usage_of(Connection& agent, const Options& options,
                                    const std::string& name) {
  wire::TopPodsRequest request;
  const auto typed = control::typed_pod_name(chosen_namespace(options), name);
  request.set_namespace_(typed.namespace_);
  request.set_all_namespaces(options.all_namespaces);
  request.set_name(typed.name);
  wire::TopPodsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().TopPods(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return reply;
}

void print_usage(const Options& options, const std::vector<wire::PodUsage>& pods) {
  if (options.output == Output::kJson || options.output == Output::kYaml) {
    print(value_text(top_json(pods), options.output));
    return;
  }
  std::vector<Row> rows;
  for (const auto& pod : pods) rows.push_back(top_pods_row(pod, options.all_namespaces));
  if (rows.empty()) complain("No pods found.\n");
  if (!rows.empty()) print_rows(options, top_pods_header(options.all_namespaces), rows);
}

}  // namespace

std::string evictions_problem(std::string_view command, const EvictionsOptions& asked) {
  struct Given {
    const char* option;
    bool is_given;
    std::string_view of;  // the command that takes it
  };
  constexpr std::string_view kSimulate = "simulate";
  for (const Given& one : {Given{"--config", !asked.config_file.empty(), kSimulate},
                           Given{"--since", !asked.since.empty(), kSimulate},
                           Given{"--plot", !asked.plot_file.empty(), kSimulate},
                           Given{"--limit", asked.limit.has_value(), "log"}}) {
    if (one.is_given && command != one.of)
      return fmt::format("evictions {} takes no {}: it is an option of evictions {}", command,
                         one.option, one.of);
  }
  if (command == kSimulate && asked.config_file.empty())
    return "which thresholds? berthctl evictions simulate --config FILE";
  return {};
}

Outcome explain_evictions(Connection& agent, const Options& options) {
  const auto reply = explanation(agent);
  if (!reply) return fail(reply.error());
  show(options, explain_text(*reply), explain_json(*reply));
  return kOk;
}

Outcome log_evictions(Connection& agent, const Options& options, const EvictionsOptions& asked) {
  // One more shows whether there are more.
  constexpr std::uint32_t kUsual = 100;
  const std::uint32_t limit = asked.limit.value_or(kUsual);
  wire::ListEvictionsRequest request;
  request.set_limit(limit + (asked.limit ? 0 : 1));
  wire::ListEvictionsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListEvictions(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  std::vector<wire::EvictionEntry> entries(reply.evictions().begin(), reply.evictions().end());
  if (entries.empty()) complain("No evictions found.\n");
  if (!asked.limit && entries.size() > limit) {
    entries.erase(entries.begin());
    complain(fmt::format("Only the newest {} are shown; --limit NUMBER shows more.\n", limit));
  }
  show(options, log_text(entries), log_json(entries));
  return kOk;
}

Outcome simulate_evictions(Connection& agent, const Options& options,
                           const EvictionsOptions& asked) {
  wire::SimulateEvictionsRequest request;
  const auto configuration = put_configuration(asked.config_file, request);
  if (!configuration) return fail(configuration.error());
  request.set_with_series(!asked.plot_file.empty());
  if (!asked.since.empty()) {
    const auto since = whole_seconds("--since", asked.since);
    if (!since) return fail(since.error());
    request.set_since_seconds(since->count());
  }
  wire::SimulateEvictionsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().SimulateEvictions(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  show(options, simulation_text(reply), simulation_json(reply));
  if (!asked.plot_file.empty()) {
    const auto written = write_picture(asked.plot_file, reply);
    if (!written) return fail(written.error());
  }
  return kOk;
}

Outcome top_pods(Connection& agent, const Options& options, const std::vector<std::string>& names) {
  std::vector<wire::PodUsage> pods;
  FoundPods named;
  for (const auto& name : names.empty() ? std::vector<std::string>{""} : names) {
    const auto found = usage_of(agent, options, name);
    if (!found && found.error().code == ErrorCode::kNotFound) {
      named.missing.push_back(found.error());
      continue;
    }
    if (!found) return fail(found.error());
    pods.insert(pods.end(), found->pods().begin(), found->pods().end());
  }
  if (names.empty() || !pods.empty()) print_usage(options, pods);
  return all_found(named);
}

Outcome top_node(Connection& agent, const Options& options) {
  const auto reply = explanation(agent);
  if (!reply) return fail(reply.error());
  std::vector<Row> rows = signal_rows(*reply);
  const Row header = rows.front();
  rows.erase(rows.begin());
  if (options.output == Output::kJson || options.output == Output::kYaml)
    print(value_text(explain_json(*reply), options.output));
  else
    print_rows(options, header, rows);
  return kOk;
}

}  // namespace berth::ctl
