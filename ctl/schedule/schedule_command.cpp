// SPDX-License-Identifier: Apache-2.0

#include "ctl/schedule/schedule_command.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "ctl/exit_code.hpp"

namespace berth::ctl {
namespace {

Outcome run_explain(CommandLine& line) {
  const auto output = output_format(line.output, kReportFormats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  ExplainOptions& asked = line.explain;
  if (asked.pod_file.empty() && asked.pod.empty()) {
    return usage_error("which pod? write -f pod.yaml, or the name of an existing pod");
  }
  auto files = asked.files;
  files.insert(files.end(), {asked.pod_file, asked.config_file});
  if (std::ranges::count(files, "-") > 1) return usage_error("only one file can be stdin");
  return explain_schedule(line.options, asked);
}

void add_explain(CLI::App& schedule, CommandLine& line) {
  ExplainOptions& asked = line.explain;
  auto* explain = schedule.add_subcommand(
      "explain", "Explain which nodes can take a pod, why others cannot, and what to change");
  explain->add_option("POD", asked.pod, "name of the pod, if there are several")->type_name("");
  explain
      ->add_option("-f,--filename", asked.pod_file,
                   "manifest of the pod or its controller; - for stdin")
      ->type_name("FILE");
  explain
      ->add_option("--nodes,--pods", asked.files,
                   "output of kubectl get nodes,pods -A -o yaml (or json); repeatable. Default: "
                   "berthd's node and pods")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  explain
      ->add_option("--config", asked.config_file,
                   "KubeSchedulerConfiguration; default: the default profile")
      ->type_name("FILE");
  explain->add_flag("--spread", asked.spread,
                    "show pods and skew per domain of each topology spread constraint");
  explain->add_flag("--all", asked.all, "show every node and domain, not only the most relevant");
  explain->add_option("-o,--output", line.output, "json or yaml instead of text")
      ->type_name("FORMAT");
  explain->footer(
      "Files may also contain Namespace, PriorityClass, PodDisruptionBudget, Service,\n"
      "ReplicationController, ReplicaSet and StatefulSet objects; other kinds are ignored.\n"
      "Exit codes: 0 a node can take the pod, 6 no node can, 1 the input is wrong.");
  explain->callback([&line] { line.run = run_explain; });
}

}  // namespace

void add_schedule(CLI::App& app, CommandLine& line) {
  auto* schedule = app.add_subcommand("schedule", "Explain scheduling decisions");
  schedule->require_subcommand(1);
  add_explain(*schedule, line);
}

}  // namespace berth::ctl
