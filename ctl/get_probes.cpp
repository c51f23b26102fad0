// SPDX-License-Identifier: Apache-2.0

// berthctl get probes [POD...]
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "control/pod_name.hpp"
#include "ctl/command.hpp"
#include "ctl/object_text.hpp"
#include "ctl/pod_query.hpp"
#include "ctl/shown_probe.hpp"

namespace berth::ctl {
namespace {

Nanoseconds microseconds(std::int64_t count) {
  return std::chrono::microseconds(count);
}

boost::json::object json_of(const control::v1::Probe& probe) {
  boost::json::array runs;
  for (const auto& run : probe.runs()) {
    runs.push_back({{"time", run.time()},
                    {"tookMicroseconds", run.took_us()},
                    {"lateMicroseconds", run.late_us()},
                    {"outcome", run.outcome()},
                    {"counted", run.standing() == "counted"},
                    {"standing", run.standing()},
                    {"words", run.words()}});
  }
  boost::json::object out{{"apiVersion", kReportVersion},
                          {"kind", "Probe"},
                          {"namespace", probe.namespace_()},
                          {"pod", probe.pod()},
                          {"container", probe.container()},
                          {"type", probe.type()},
                          {"result", probe.result()},
                          {"waitsFor", probe.waits_for()},
                          {"underWay", probe.under_way()},
                          {"periodMicroseconds", probe.period_us()},
                          {"worstLateMicroseconds", probe.worst_late_us()},
                          {"run", probe.run()},
                          {"successful", probe.successful()},
                          {"failed", probe.failed()},
                          {"errored", probe.errored()},
                          {"heldUp", probe.held_up()},
                          {"runs", std::move(runs)}};
  if (probe.has_next_in_us()) out["nextInMicroseconds"] = probe.next_in_us();
  return out;
}

Result<std::vector<control::v1::Probe>> fetch(Connection& agent, const Options& options,
                                              const std::string& name) {
  control::v1::ListProbesRequest request;
  const auto typed = control::typed_pod_name(chosen_namespace(options), name);
  request.set_namespace_(typed.namespace_);
  request.set_all_namespaces(options.all_namespaces);
  request.set_name(typed.name);
  control::v1::ListProbesReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListProbes(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  return std::vector<control::v1::Probe>(reply.probes().begin(), reply.probes().end());
}

Outcome print_probes(const Options& options, const std::vector<control::v1::Probe>& probes) {
  if (options.output == Output::kJson || options.output == Output::kYaml) {
    std::vector<std::string> objects;
    for (const auto& probe : probes) objects.push_back(boost::json::serialize(json_of(probe)));
    const auto text = list_text(objects, options.output);
    if (!text) return std::unexpected(text.error());
    print(*text);
    return 0;
  }
  const bool wide = options.output == Output::kWide;
  std::vector<Row> rows;
  for (const auto& probe : probes) {
    const ShownProbe shown = shown_probe(probe);
    if (options.output == Output::kName) {
      print(fmt::format("{}/{}/{}\n", shown.pod, shown.container, shown.type));
      continue;
    }
    rows.push_back(probe_row(shown, options.all_namespaces, wide));
  }
  if (probes.empty()) std::fputs("No probes found.\n", stderr);
  if (!rows.empty()) print_rows(options, probe_header(options.all_namespaces, wide), rows);
  return 0;
}

}  // namespace

ShownProbe shown_probe(const control::v1::Probe& probe) {
  ShownProbe out{.namespace_ = probe.namespace_(),
                 .pod = probe.pod(),
                 .container = probe.container(),
                 .type = probe.type(),
                 .result = probe.result(),
                 .waits_for = probe.waits_for(),
                 .under_way = probe.under_way(),
                 .period = microseconds(probe.period_us()),
                 .worst_late = microseconds(probe.worst_late_us()),
                 .run = probe.run(),
                 .success_threshold = probe.success_threshold(),
                 .failure_threshold = probe.failure_threshold(),
                 .successful = probe.successful(),
                 .failed = probe.failed(),
                 .errored = probe.errored(),
                 .held_up = probe.held_up()};
  if (probe.has_next_in_us()) out.next_in = microseconds(probe.next_in_us());
  for (const auto& run : probe.runs()) {
    out.runs.push_back({.time = run.time(),
                        .took = microseconds(run.took_us()),
                        .late = microseconds(run.late_us()),
                        .outcome = run.outcome(),
                        .standing = run.standing(),
                        .words = run.words()});
  }
  return out;
}

Outcome get_probes(Connection& agent, const Options& options,
                   const std::vector<std::string>& names) {
  std::vector<control::v1::Probe> probes;
  FoundPods pods;
  for (const auto& name : names.empty() ? std::vector<std::string>{""} : names) {
    const auto found = fetch(agent, options, name);
    if (!found && found.error().code == ErrorCode::kNotFound) {
      pods.missing.push_back(found.error());
      continue;
    }
    if (!found) return std::unexpected(found.error());
    probes.insert(probes.end(), found->begin(), found->end());
  }
  if (names.empty() || pods.missing.size() < names.size()) {
    auto printed = print_probes(options, probes);
    if (!printed) return printed;
  }
  return all_found(pods);
}

}  // namespace berth::ctl
