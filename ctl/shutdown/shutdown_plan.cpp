// SPDX-License-Identifier: Apache-2.0

#include "ctl/shutdown/shutdown_plan.hpp"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "ctl/command_line.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/object_text.hpp"
#include "ctl/shutdown/plan_text.hpp"

namespace berth::ctl {
namespace {

Outcome show_plan(Connection& agent, const Options& options) {
  control::v1::PlanShutdownReply reply;
  const auto context = agent.context();
  const grpc::Status called = agent.stub().PlanShutdown(context.get(), {}, &reply);
  if (!called.ok()) return fail(agent.explain(called));
  print(options.output == Output::kTable ? plan_text(reply)
                                         : value_text(plan_json(reply), options.output));
  return budget_suffices(reply) ? kOk : kFailed;
}

Outcome run_shutdown_plan(CommandLine& line) {
  const auto output = output_format(line.output, kReportFormats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  auto agent = Connection::open(line.options.socket, line.options.request_timeout);
  if (!agent) return std::unexpected(agent.error());
  return show_plan(*agent, line.options);
}

}  // namespace

void add_shutdown_plan(CLI::App& app, CommandLine& line) {
  auto* plan = app.add_subcommand("shutdown-plan",
                                  "Show which pods are stopped when before the machine shuts down, "
                                  "and whether the time suffices");
  plan->add_option("-o,--output", line.output, "Print json or yaml instead of text")
      ->type_name("FORMAT");
  plan->footer("Exit codes: 0 the time suffices, 1 it does not, or nothing is set.");
  plan->callback([&line] { line.run = run_shutdown_plan; });
}

}  // namespace berth::ctl
