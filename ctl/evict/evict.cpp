// SPDX-License-Identifier: Apache-2.0

#include "ctl/evict/evict.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/codec.hpp"
#include "ctl/command_line.hpp"
#include "ctl/evict/eviction_answer.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/object_text.hpp"

namespace berth::ctl {
namespace {

Outcome evict_one(Connection& agent, const Options& options, const EvictOptions& asked,
                  const std::string& name) {
  control::v1::EvictPodRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(name);
  request.set_dry_run(asked.dry_run);
  if (asked.grace) request.set_grace_period_seconds(*asked.grace);
  control::v1::EvictPodReply reply;
  const auto context = agent.context();
  const grpc::Status called = agent.stub().EvictPod(context.get(), request, &reply);
  if (!called.ok()) return fail(agent.explain(called));
  auto answer = api::from_json_text<api::Status>(reply.status_json());
  if (!answer) return fail(answer.error());
  const EvictionReport report = eviction_report({.pod = reply.name(),
                                                 .answer = std::move(*answer),
                                                 .why = reply.why(),
                                                 .dry_run = asked.dry_run,
                                                 .comes_back = reply.comes_back(),
                                                 .not_stored = reply.not_stored()});
  if (options.output == Output::kTable) {
    print(report.text);
  } else {
    const auto text = object_text(reply.status_json(), options.output);
    if (!text) return fail(text.error());
    print(*text);
  }
  complain(report.complaint);
  return report.exit_code;
}

// Requests each eviction, whatever happened to the previous one, unless berthd cannot be asked; the
// first failure decides.
Outcome evict_pods(Connection& agent, const CommandLine& line,
                   const std::vector<std::string>& names) {
  int outcome = kOk;
  for (const std::string& name : names) {
    Outcome one = evict_one(agent, line.options, line.eviction, name);
    if (!one && one.error().code == ErrorCode::kNotFound) {
      complain(fmt::format("error: {}\n", one.error().message));
      one = exit_code(ErrorCode::kNotFound);
    }
    if (!one) return one;
    if (outcome == kOk) outcome = *one;
  }
  return outcome;
}

Outcome run_evict(CommandLine& line) {
  const auto objects = typed_objects(line.words);
  if (!objects) return usage_error(objects.error().message);
  if (objects->type != ObjectType::kPod) return usage_error("only pods can be evicted");
  if (objects->names.empty()) return usage_error("which pod? berthctl evict pod/NAME");
  if (line.eviction.grace && *line.eviction.grace < 0) line.eviction.grace.reset();
  const auto output = output_format(line.output, kReportFormats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  auto agent = Connection::open(line.options.socket, line.options.request_timeout);
  if (!agent) return std::unexpected(agent.error());
  return evict_pods(*agent, line, objects->names);
}

}  // namespace

void add_evict(CLI::App& app, CommandLine& line) {
  auto* evict = app.add_subcommand(
      "evict", "Evict a pod, as a drain does: delete it unless a PodDisruptionBudget forbids it");
  evict->add_option("TYPE", line.words, "pod NAME..., or pod/NAME...")->type_name("");
  evict
      ->add_option("--grace-period", line.eviction.grace,
                   "Seconds given to the pod to terminate (default: its own)")
      ->type_name("SECONDS");
  evict->add_flag("--dry-run", line.eviction.dry_run, "Ask the budgets, but do not delete the pod");
  evict->add_option("-o,--output", line.output, "Print the answer, a v1 Status, as json or yaml")
      ->type_name("FORMAT");
  evict->footer("Exit codes: 0 evicted, 7 a budget does not allow it now, 1 refused otherwise.");
  evict->callback([&line] { line.run = run_evict; });
}

}  // namespace berth::ctl
