// SPDX-License-Identifier: Apache-2.0

#include "ctl/command_line.hpp"

#include <cstdio>
#include <span>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/time.hpp"
#include "base/version.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/reload/reload.hpp"
#include "ctl/schedule/schedule_command.hpp"
#include "ctl/shutdown/shutdown_plan.hpp"

namespace berth::ctl {
namespace {

constexpr const char* kFooter =
    "Names: NAME, NAMESPACE/NAME or pod/NAME; a manifest pod also answers to its short name (web\n"
    "for web-node1) unless two pods share it.\n"
    "Exit codes: 0 success, 1 failure, 2 wrong command line, 3 not found, 4 berthd does not answer "
    "or\n"
    "does not know yet what runs, 5 permission denied, 6 no node fits, 7 a disruption budget "
    "forbids it,\n"
    "124 timed out; exec: the command's own.";

Outcome with_agent(CommandLine& line, const std::function<Outcome(Connection&)>& command) {
  auto agent = Connection::open(line.options.socket, line.options.request_timeout);
  if (!agent) return std::unexpected(agent.error());
  return command(*agent);
}

// Runs `command`, with the output format if it is one of `formats`.
Outcome with_agent(CommandLine& line, std::span<const Output> formats,
                   const std::function<Outcome(Connection&)>& command) {
  const auto output = output_format(line.output, formats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  return with_agent(line, command);
}

Outcome run_get(CommandLine& line) {
  const auto asked = typed_objects(line.words);
  if (!asked) return usage_error(asked.error().message);
  const auto& [type, names] = *asked;
  if (line.watch && names.size() > 1) return usage_error("-w takes one name or none");
  if (line.watch && type == ObjectType::kProbe) return usage_error("probes cannot be watched");
  if (line.watch && type == ObjectType::kBudget) return usage_error("budgets cannot be watched");
  if (line.options.all_namespaces && !names.empty() && type != ObjectType::kNode)
    return usage_error("a name belongs to one namespace: omit -A, or the name");
  return with_agent(line, kListFormats, [&](Connection& agent) -> Outcome {
    switch (type) {
      case ObjectType::kProbe:
        return get_probes(agent, line.options, names);
      case ObjectType::kBudget:
        return get_budgets(agent, line.options, names);
      case ObjectType::kPod:
        return get_pods(agent, line.options, names, line.watch);
      case ObjectType::kNode:
        return get_node(agent, line.options, names, line.watch);
      case ObjectType::kEvent:
        return show_events(agent, line.options,
                           {.watch = line.watch, .style = EventStyle::kGet, .names = names});
    }
    return usage_error("unknown resource type");
  });
}

Outcome run_describe(CommandLine& line) {
  const auto asked = typed_objects(line.words);
  if (!asked) return usage_error(asked.error().message);
  const bool node = asked->type == ObjectType::kNode;
  if (!node && asked->type != ObjectType::kPod)
    return usage_error("describe takes pods and the node; for other types, use get -o yaml");
  return with_agent(line, [&](Connection& agent) {
    return node ? describe_nodes(agent, asked->names)
                : describe_pods(agent, line.options, asked->names);
  });
}

Outcome run_delete(CommandLine& line) {
  const auto objects = typed_objects(line.words);
  if (!objects) return usage_error(objects.error().message);
  if (objects->type != ObjectType::kPod) return usage_error("only pods can be deleted");
  if (objects->names.empty()) return usage_error("which pod? berthctl delete pod NAME");
  if (!line.timeout.empty()) {
    const auto seconds = whole_seconds("--timeout", line.timeout);
    if (!seconds) return usage_error(seconds.error().message);
    line.deletion.timeout = *seconds;
  }
  const auto asked = as_kubectl_asks(line.deletion);
  if (!asked) return usage_error(asked.error().message);
  return with_agent(line, [&](Connection& agent) {
    return delete_pods(agent, line.options, objects->names, line.deletion);
  });
}

// set condition pod/NAME TYPE=STATUS, or set condition pod NAME TYPE=STATUS
Outcome run_set(CommandLine& line) {
  constexpr const char* kUsageText = "write: berthctl set condition pod/NAME TYPE=STATUS";
  auto& words = line.words;
  if (words.empty() || words.front() != "condition") return usage_error(kUsageText);
  words.erase(words.begin());
  if (words.size() < 2) return usage_error(kUsageText);
  const std::string pair = words.back();
  const auto equals = pair.find('=');
  if (equals == std::string::npos) return usage_error(kUsageText);
  words.pop_back();
  const auto asked = typed_objects(words);
  if (!asked) return usage_error(asked.error().message);
  if (asked->type != ObjectType::kPod || asked->names.size() != 1) return usage_error(kUsageText);
  line.condition.pod = asked->names.front();
  line.condition.type = pair.substr(0, equals);
  line.condition.status = pair.substr(equals + 1);
  return with_agent(
      line, [&](Connection& agent) { return set_condition(agent, line.options, line.condition); });
}

Outcome run_events(CommandLine& line) {
  const auto filter = event_filter(line.events.for_object, line.events.types);
  if (!filter) return usage_error(filter.error().message);
  line.events.watch = line.watch;
  return with_agent(line, kListFormats, [&](Connection& agent) {
    return show_events(agent, line.options, line.events);
  });
}

Outcome run_why(CommandLine& line) {
  // `why web` can only mean a pod.
  const bool bare = line.words.size() == 1 && line.words.front().find('/') == std::string::npos &&
                    !object_type(line.words.front());
  const bool all = line.words.empty() && (line.why.records || !line.why.decision.empty());
  if (!bare && !all) {
    const auto asked = typed_objects(line.words);
    if (!asked) return usage_error(asked.error().message);
    line.why.node = asked->type == ObjectType::kNode;
    if (!line.why.node && (asked->type != ObjectType::kPod || asked->names.empty()))
      return usage_error("why takes pods and the node: berthctl why pod/NAME, berthctl why node");
    line.words = asked->names;
  }
  return with_agent(
      line, [&](Connection& agent) { return show_why(agent, line.options, line.words, line.why); });
}

Outcome run_evictions(CommandLine& line) {
  constexpr const char* kUsageText = "write: berthctl evictions explain, log or simulate";
  if (line.words.size() != 1) return usage_error(kUsageText);
  const std::string& what = line.words.front();
  if (what != "explain" && what != "log" && what != "simulate") return usage_error(kUsageText);
  line.evictions.config_file = line.config_file;
  line.evictions.since = line.since;
  const std::string problem = evictions_problem(what, line.evictions);
  if (!problem.empty()) return usage_error(problem);
  return with_agent(line, kReportFormats, [&](Connection& agent) {
    if (what == "explain") return explain_evictions(agent, line.options);
    if (what == "log") return log_evictions(agent, line.options, line.evictions);
    return simulate_evictions(agent, line.options, line.evictions);
  });
}

Outcome run_top(CommandLine& line) {
  const auto asked = typed_objects(line.words);
  if (!asked) return usage_error(asked.error().message);
  const auto& [type, names] = *asked;
  if (type != ObjectType::kPod && type != ObjectType::kNode)
    return usage_error("top takes pods and the node");
  return with_agent(line, kReportFormats, [&](Connection& agent) {
    return type == ObjectType::kPod ? top_pods(agent, line.options, names)
                                    : top_node(agent, line.options);
  });
}

// kubectl accepts the container as a second word, too.
Outcome resolve_pod_and_container(CommandLine& line) {
  if (line.logs.pod.empty()) return usage_error("which pod? berthctl logs POD [-c CONTAINER]");
  if (line.container_word.empty()) return kOk;
  if (!line.logs.container.empty())
    return usage_error("the container is named twice: as a word and by -c");
  line.logs.container = line.container_word;
  return kOk;
}

Outcome resolve_log_limits(CommandLine& line) {
  if (line.logs.tail && *line.logs.tail < -1)
    return usage_error("--tail: must be at least -1, which is all");
  if (line.logs.limit_bytes && *line.logs.limit_bytes < 0)
    return usage_error("--limit-bytes: must not be negative");
  if (line.logs.limit_bytes == 0) line.logs.limit_bytes.reset();
  if (!line.logs.since_time.empty()) {
    if (!line.since.empty()) return usage_error("only one of --since and --since-time may be used");
    const auto time = api::Time::parse(line.logs.since_time);
    if (!time) return usage_error("--since-time: " + time.error().message);
  }
  if (line.since.empty()) return kOk;
  const auto seconds = whole_seconds("--since", line.since);
  if (!seconds) return usage_error(seconds.error().message);
  if (seconds->count() > 0) line.logs.since_seconds = seconds->count();
  return kOk;
}

Outcome run_logs(CommandLine& line) {
  for (const auto resolve : {resolve_pod_and_container, resolve_log_limits})
    if (const Outcome resolved = resolve(line); resolved != kOk) return resolved;
  return with_agent(line,
                    [&](Connection& agent) { return show_logs(agent, line.options, line.logs); });
}

Outcome run_exec_command(CommandLine& line) {
  if (line.words.size() != 1 || line.exec.command.empty())
    return usage_error("write: berthctl exec [-it] POD [-c CONTAINER] -- COMMAND [ARG...]");
  line.exec.pod = line.words.front();
  return with_agent(line,
                    [&](Connection& agent) { return run_exec(agent, line.options, line.exec); });
}

// Not running is a regular answer of `systemctl status`, with its own exit code.
Outcome run_status(CommandLine& line) {
  const auto output = output_format(line.output, kReportFormats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  auto agent = Connection::open(line.options.socket, line.options.request_timeout);
  if (agent) return show_status(*agent, line.options);
  if (agent.error().code != ErrorCode::kUnavailable) return std::unexpected(agent.error());
  complain(fmt::format("error: {}\n", agent.error().message));
  return kNotRunning;
}

Outcome run_doctor(CommandLine& line) {
  const auto output = output_format(line.output, kReportFormats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  return show_doctor(line.options, line.config_file);
}

Outcome run_version(CommandLine& line) {
  const auto output = output_format(line.output, kReportFormats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  return show_version(line.options, line.client_only);
}

void add_common(CLI::App& app, CommandLine& line) {
  app.set_version_flag("--version", "berthctl " + std::string(build_version()),
                       "Print berthctl's version and exit");
  app.add_option("--socket", line.options.socket, "The control socket of berthd")
      ->type_name("PATH")
      ->envname("BERTH_SOCKET")
      ->capture_default_str();
  app.add_option("--request-timeout", line.request_timeout,
                 "Time to wait for an answer, e.g. 0.5, 10s, 1m; 0: no limit")
      ->type_name("SPAN")
      ->capture_default_str();
  app.add_option("-n,--namespace", line.options.namespace_, "The namespace (default \"default\")")
      ->type_name("NAME");
}

void add_list_output(CLI::App& app, CommandLine& line) {
  app.add_option("-o,--output", line.output, "Print table, wide, json, yaml or name")
      ->type_name("FORMAT");
  app.add_flag("--no-headers", line.options.no_headers, "Print tables without a header");
}

void add_report_output(CLI::App& app, CommandLine& line) {
  app.add_option("-o,--output", line.output, "Print json or yaml instead of text")
      ->type_name("FORMAT");
}

void add_get(CLI::App& app, CommandLine& line) {
  auto* get = app.add_subcommand("get", "List pods, the node, events or probes");
  get->add_option("TYPE", line.words, "pods, node, events, probes or pdb [NAME...], or pod/NAME...")
      ->type_name("");
  get->add_flag("-A,--all-namespaces", line.options.all_namespaces, "List those of all namespaces");
  get->add_flag("-w,--watch", line.watch, "Report every change after listing");
  add_list_output(*get, line);
  get->callback([&line] { line.run = run_get; });
}

void add_describe(CLI::App& app, CommandLine& line) {
  auto* describe =
      app.add_subcommand("describe", "Show the details of a pod or the node, with events");
  describe->add_option("TYPE", line.words, "pod [NAME...], node, or pod/NAME...")->type_name("");
  describe->add_flag("-A,--all-namespaces", line.options.all_namespaces,
                     "Describe the pods of all namespaces");
  describe->callback([&line] { line.run = run_describe; });
}

void add_delete(CLI::App& app, CommandLine& line) {
  auto* remove = app.add_subcommand(
      "delete", "Delete a pod; a new one follows while its manifest remains in the folder");
  remove->add_option("TYPE", line.words, "pod NAME..., or pod/NAME...")->type_name("");
  remove
      ->add_option("--grace-period", line.deletion.grace,
                   "Seconds given to the pod to terminate (default: its own); 0 requires --force")
      ->type_name("SECONDS");
  remove->add_flag("--now", line.deletion.now, "Same as --grace-period=1");
  remove->add_flag("--force", line.deletion.force,
                   "Remove the pod from every listing at once, while its containers stop");
  remove->add_flag("--wait,!--no-wait", line.deletion.wait,
                   "Wait until the pod is gone (default true)");
  remove->add_option("--timeout", line.timeout, "Wait at most this long, e.g. 90s; 0: no limit")
      ->type_name("SPAN");
  remove->callback([&line] { line.run = run_delete; });
}

void add_set(CLI::App& app, CommandLine& line) {
  auto* set = app.add_subcommand(
      "set",
      "Set a pod condition, as a controller does for a readiness gate: set condition pod/NAME "
      "TYPE=STATUS");
  set->add_option("WORDS", line.words, "condition pod/NAME TYPE=True|False|Unknown")->type_name("");
  set->add_option("--reason", line.condition.reason, "The condition's reason, one word")
      ->type_name("WORD");
  set->add_option("--message", line.condition.message, "The condition's message")
      ->type_name("TEXT");
  set->callback([&line] { line.run = run_set; });
}

void add_events(CLI::App& app, CommandLine& line) {
  auto* events = app.add_subcommand("events", "List events, the newest last");
  events
      ->add_option("--for", line.events.for_object,
                   "List only events of this object: pod/NAME or node/NAME")
      ->type_name("OBJECT");
  events->add_option("--types", line.events.types, "List only these types: Normal, Warning")
      ->type_name("TYPE")
      ->delimiter(',');
  events->add_flag("-A,--all-namespaces", line.options.all_namespaces,
                   "List the events of all namespaces");
  events->add_flag("-w,--watch", line.watch, "Print every new event after listing");
  add_list_output(*events, line);
  events->callback([&line] { line.run = run_events; });
}

void add_why(CLI::App& app, CommandLine& line) {
  auto* why = app.add_subcommand("why", "Explain the state of a pod or of the node, and its cause");
  auto* pods =
      why->add_option("POD", line.words, "pod/NAME..., also if it no longer exists; or node")
          ->type_name("");
  auto* records = why->add_flag("--records", line.why.records,
                                "Print the ledger's records behind it, one JSON object per line; "
                                "without a pod or node, all of them");
  auto* limit =
      why->add_option("--limit", line.why.limit, "Use only this many of the newest records")
          ->type_name("NUMBER");
  why->add_option("--decision", line.why.decision,
                  "Print the ledger's record that a line of the journal names (BERTH_DECISION)")
      ->type_name("ID")
      ->excludes(pods)
      ->excludes(records)
      ->excludes(limit);
  why->callback([&line] { line.run = run_why; });
}

void add_logs(CLI::App& app, CommandLine& line) {
  auto* logs = app.add_subcommand("logs", "Print the log of a container");
  logs->add_option("POD", line.logs.pod, "The pod")->type_name("");
  logs->add_option("CONTAINER", line.container_word, "Same as -c")->type_name("");
  logs->add_option("-c,--container", line.logs.container, "Print the log of this container")
      ->type_name("NAME");
  logs->add_flag("-f,--follow", line.logs.follow, "Keep printing as the container writes more");
  logs->add_flag("-p,--previous", line.logs.previous, "Print the log of the previous instance");
  logs->add_flag("--timestamps", line.logs.timestamps, "Print the time of each line");
  logs->add_option("--tail", line.logs.tail, "Print only this many of the last lines; -1: all")
      ->type_name("LINES");
  logs->add_option("--since", line.since, "Print only lines younger than this, e.g. 90s, 5m, 2h")
      ->type_name("SPAN");
  logs->add_option("--since-time", line.logs.since_time,
                   "Print only lines after this time, e.g. 2006-01-02T15:04:05Z")
      ->type_name("TIME");
  logs->add_option("--limit-bytes", line.logs.limit_bytes, "Print at most this many bytes")
      ->type_name("BYTES");
  logs->callback([&line] { line.run = run_logs; });
}

void add_exec(CLI::App& app, CommandLine& line) {
  auto* exec =
      app.add_subcommand("exec", "Run a command in a container: exec [-it] POD -- COMMAND");
  exec->add_option("POD", line.words, "The pod")->type_name("");
  exec->add_option("-c,--container", line.exec.container, "Run the command in this container")
      ->type_name("NAME");
  exec->add_flag("-i,--stdin", line.exec.use_stdin, "Pass stdin to the command");
  exec->add_flag("-t,--tty", line.exec.tty, "Treat stdin as a terminal");
  exec->callback([&line] { line.run = run_exec_command; });
}

void add_evictions(CLI::App& app, CommandLine& line) {
  auto* evictions = app.add_subcommand(
      "evictions",
      "Explain which pod would be evicted next, list past evictions, or simulate other thresholds");
  evictions->add_option("WHAT", line.words, "explain, log or simulate")->type_name("");
  evictions
      ->add_option("--config", line.config_file,
                   "simulate: Use the thresholds of this configuration, with its drop-ins")
      ->type_name("FILE");
  evictions
      ->add_option("--since", line.since,
                   "simulate: Use only the measurements of this last span, e.g. 90m, 24h")
      ->type_name("SPAN");
  evictions
      ->add_option(
          "--plot", line.evictions.plot_file,
          "simulate: Draw signals, thresholds and evictions over time to this file, as SVG")
      ->type_name("FILE");
  evictions
      ->add_option("--limit", line.evictions.limit,
                   "log: List only this many of the newest evictions")
      ->type_name("NUMBER");
  add_report_output(*evictions, line);
  evictions->callback([&line] { line.run = run_evictions; });
}

void add_top(CLI::App& app, CommandLine& line) {
  auto* top = app.add_subcommand(
      "top", "Show the present use of pods or of the node, and the distance to limits");
  top->add_option("TYPE", line.words, "pods [NAME...] or node")->type_name("");
  top->add_flag("-A,--all-namespaces", line.options.all_namespaces,
                "Show the pods of all namespaces");
  top->add_flag("--no-headers", line.options.no_headers, "Print tables without a header");
  add_report_output(*top, line);
  top->callback([&line] { line.run = run_top; });
}

void add_status(CLI::App& app, CommandLine& line) {
  auto* status =
      app.add_subcommand("status", "Show whether berthd is ready, and what it waits for");
  add_report_output(*status, line);
  status->footer("Exit codes: 0 ready, 1 not ready, 3 not running.");
  status->callback([&line] { line.run = run_status; });
}

void add_doctor(CLI::App& app, CommandLine& line) {
  auto* doctor = app.add_subcommand(
      "doctor", "Report problems, and what a kubelet in its place would do differently");
  add_report_output(*doctor, line);
  doctor->add_option("--config", line.config_file,
                     "Inspect this configuration file if berthd does not answer (default: the one "
                     "that berthd reads)");
  doctor->footer("Exit codes: 0 only notes, 1 a finding needs attention.");
  doctor->callback([&line] { line.run = run_doctor; });
}

void add_version(CLI::App& app, CommandLine& line) {
  auto* version =
      app.add_subcommand("version", "Print the versions of berthctl, berthd and the runtime");
  version->add_flag("--client", line.client_only,
                    "Print berthctl's version only; do not contact berthd");
  add_report_output(*version, line);
  version->callback([&line] { line.run = run_version; });
}

Outcome show_help(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) {
    // help() would describe the selected subcommand, which is `help` itself.
    print(app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    return kOk;
  }
  for (const auto* command : app.get_subcommands({})) {
    if (command->get_name() != words.front()) continue;
    print(command->help(app.get_name()));
    return kOk;
  }
  return usage_error(fmt::format("unknown command \"{}\"", words.front()));
}

void add_help(CLI::App& app, CommandLine& line) {
  auto* help = app.add_subcommand("help", "Print help for berthctl or one of its commands");
  help->add_option("COMMAND", line.words, "The command")->type_name("");
  help->callback([&app, &line] {
    line.run = [&app](CommandLine& self) { return show_help(app, self.words); };
  });
}

}  // namespace

int usage_error(const std::string& message) {
  complain(fmt::format("error: {}\nSee 'berthctl --help'.\n", message));
  return kUsage;
}

void describe_commands(CLI::App& app, CommandLine& line) {
  app.fallthrough();
  app.require_subcommand(1);
  add_common(app, line);
  for (const auto add :
       {add_get, add_describe, add_logs, add_exec, add_delete, add_evict, add_set, add_events,
        add_why, add_schedule, add_evictions, add_top, add_shutdown_plan, add_status, add_reload,
        add_doctor, add_version, add_help})
    add(app, line);
  for (auto* command : app.get_subcommands({})) {
    const std::string own = command->get_footer();
    command->footer((own.empty() ? "" : own + "\n") +
                    "Options, names and exit codes of all commands: berthctl --help");
  }
  app.footer(kFooter);
}

}  // namespace berth::ctl
