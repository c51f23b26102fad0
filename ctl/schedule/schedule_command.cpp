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
  if (asked.pod.starts_with("pod/")) asked.pod.erase(0, 4);
  if (asked.pod_file.empty() && asked.pod.empty()) {
    return usage_error("which pod? -f pod.yaml, or the name of one that is there");
  }
  auto files = asked.files;
  files.insert(files.end(), {asked.pod_file, asked.config_file});
  if (std::ranges::count(files, "-") > 1) return usage_error("only one file can be stdin");
  return explain_schedule(line.options, asked);
}

void add_explain(CLI::App& schedule, CommandLine& line) {
  ExplainOptions& asked = line.explain;
  auto* explain = schedule.add_subcommand(
      "explain", "Tells for each node whether it can take a pod, why not, and what to change");
  explain->add_option("POD", asked.pod, "the pod, of several in the file or one that is there")
      ->type_name("");
  explain
      ->add_option("-f,--filename", asked.pod_file,
                   "the pod's manifest; - is stdin. Other objects in it count as well")
      ->type_name("FILE");
  explain
      ->add_option("--nodes,--pods", asked.files,
                   "what kubectl get nodes,pods -A -o yaml (or json) prints, of any kinds; without "
                   "any file berthd is asked for its node and pods")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  explain
      ->add_option("--config", asked.config_file,
                   "a KubeSchedulerConfiguration; without one the default profile")
      ->type_name("FILE");
  explain->add_flag("--spread", asked.spread,
                    "adds the counts and the skew of topology spread, by domain");
  explain->add_flag("--all", asked.all, "every node and domain, not only those that matter");
  explain->add_option("-o,--output", line.output, "json or yaml, instead of text")
      ->type_name("FORMAT");
  explain->footer(
      "Besides nodes and pods these kinds matter: Namespace, PriorityClass, PodDisruptionBudget,\n"
      "Service, ReplicationController, ReplicaSet, StatefulSet. Others are passed over.\n"
      "Exit codes: 0 the pod can be placed, 6 it cannot, 1 the input is wrong.");
  explain->callback([&line] { line.run = run_explain; });
}

}  // namespace

void add_schedule(CLI::App& app, CommandLine& line) {
  auto* schedule = app.add_subcommand("schedule", "Where a pod would be placed, and why");
  schedule->require_subcommand(1);
  add_explain(*schedule, line);
}

}  // namespace berth::ctl
