// berthctl: the operator's tool. Parses the command line; each command is in a file of its name.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/time.hpp"
#include "control/nearest.hpp"
#include "ctl/command.hpp"
#include "ctl/event_row.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/terminal.hpp"

namespace berth::ctl {
namespace {

// Everything the command line can say. Filled in by the parser, then `run` is called.
struct CommandLine {
  Options options{};
  std::string output = "";
  double timeout_seconds = 10;
  std::vector<std::string> words{};  // positional: a type and names
  bool watch = false;
  DeleteOptions deletion{};
  std::string timeout{};
  ConditionOptions condition{};
  EventsOptions events{};
  LogsOptions logs{};
  std::string since{};
  ExecOptions exec{};
  WhyOptions why{};
  std::function<Outcome(CommandLine&)> run{};
};

constexpr const char* kFooter =
    "Names: NAME, NAMESPACE/NAME or pod/NAME; the short name of a manifest pod (web for "
    "web-node1)\n"
    "does where it is unambiguous.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 berthd does not answer,\n"
    "5 not permitted, 124 timed out; exec passes the command's own on.";

Outcome with_agent(CommandLine& line, const std::function<Outcome(Connection&)>& command) {
  auto agent = Connection::open(line.options.socket, line.options.request_timeout);
  if (!agent) return std::unexpected(agent.error());
  return command(*agent);
}

int usage_error(const std::string& message) {
  std::fputs(fmt::format("error: {}\nSee 'berthctl --help'.\n", message).c_str(), stderr);
  return kUsage;
}

enum class ObjectType { kPod, kNode, kEvent, kProbe };

Result<ObjectType> object_type(const std::string& word) {
  for (const char* name : {"pod", "pods", "po"}) {
    if (word == name) return ObjectType::kPod;
  }
  for (const char* name : {"node", "nodes", "no"}) {
    if (word == name) return ObjectType::kNode;
  }
  for (const char* name : {"event", "events", "ev"}) {
    if (word == name) return ObjectType::kEvent;
  }
  for (const char* name : {"probe", "probes"}) {
    if (word == name) return ObjectType::kProbe;
  }
  const auto near = control::nearest(word, {"pods", "node", "events", "probes"});
  return fail(ErrorCode::kInvalid,
              fmt::format("unknown resource type \"{}\"{}; known are pods, node, events, probes",
                          word, near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""));
}

// Takes the type off the words: `pods a b`, `pod/a`. TYPE/NAME may be mixed with nothing else.
Result<ObjectType> take_type(std::vector<std::string>& words) {
  if (words.empty()) return fail(ErrorCode::kInvalid, "which? pods, node, events or probes");
  const auto slash = words.front().find('/');
  if (slash == std::string::npos) {
    const auto type = object_type(words.front());
    if (type) words.erase(words.begin());
    return type;
  }
  const auto type = object_type(words.front().substr(0, slash));
  if (!type) return type;
  for (auto& word : words) {
    const auto at = word.find('/');
    if (at == std::string::npos) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" has no type; write TYPE NAME... or TYPE/NAME...", word));
    }
    word.erase(0, at + 1);
  }
  return type;
}

Outcome run_get(CommandLine& line) {
  const auto type = take_type(line.words);
  if (!type) return usage_error(type.error().message);
  if (line.watch && line.words.size() > 1) return usage_error("-w takes one pod or none");
  if (line.watch && *type == ObjectType::kProbe) return usage_error("probes cannot be watched");
  return with_agent(line, [&](Connection& agent) -> Outcome {
    switch (*type) {
      case ObjectType::kProbe:
        return get_probes(agent, line.options, line.words);
      case ObjectType::kPod:
        return get_pods(agent, line.options, line.words, line.watch);
      case ObjectType::kNode:
        return get_node(agent, line.options);
      case ObjectType::kEvent:
        return show_events(agent, line.options, {.watch = line.watch, .as_get = true});
    }
    return usage_error("unknown resource type");
  });
}

Outcome run_describe(CommandLine& line) {
  const auto type = take_type(line.words);
  if (!type) return usage_error(type.error().message);
  if (*type != ObjectType::kPod) {
    return usage_error("describe knows pods; for the rest: get -o yaml");
  }
  return with_agent(
      line, [&](Connection& agent) { return describe_pods(agent, line.options, line.words); });
}

// "90s", "5m", "2h30m", in whole seconds; a bare number counts seconds.
Result<std::int64_t> parse_seconds(const char* option, const std::string& text) {
  const bool bare = text.find_first_not_of("0123456789") == std::string::npos;
  const auto duration = api::Duration::parse(bare ? text + "s" : text);
  if (!duration) return fail(wrap(option, duration.error()));
  return std::chrono::duration_cast<std::chrono::seconds>(duration->value).count();
}

Outcome run_delete(CommandLine& line) {
  const auto type = take_type(line.words);
  if (!type) return usage_error(type.error().message);
  if (*type != ObjectType::kPod) return usage_error("only pods can be deleted");
  if (line.words.empty()) return usage_error("which pod? berthctl delete pod NAME");
  if (!line.timeout.empty()) {
    const auto seconds = parse_seconds("--timeout", line.timeout);
    if (!seconds) return usage_error(seconds.error().message);
    line.deletion.timeout = std::chrono::seconds(*seconds);
  }
  const auto asked = as_kubectl_asks(line.deletion);
  if (!asked) return usage_error(asked.error().message);
  return with_agent(line, [&](Connection& agent) {
    return delete_pods(agent, line.options, line.words, line.deletion);
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
  const auto type = take_type(words);
  if (!type) return usage_error(type.error().message);
  if (*type != ObjectType::kPod || words.size() != 1) return usage_error(kUsageText);
  line.condition.pod = words.front();
  line.condition.type = pair.substr(0, equals);
  line.condition.status = pair.substr(equals + 1);
  return with_agent(
      line, [&](Connection& agent) { return set_condition(agent, line.options, line.condition); });
}

Outcome run_events(CommandLine& line) {
  const auto filter = event_filter(line.events.for_object, line.events.types);
  if (!filter) return usage_error(filter.error().message);
  line.events.watch = line.watch;
  return with_agent(
      line, [&](Connection& agent) { return show_events(agent, line.options, line.events); });
}

Outcome run_why(CommandLine& line) {
  // `why web` can only mean a pod.
  const bool bare = line.words.size() == 1 && line.words.front().find('/') == std::string::npos &&
                    !object_type(line.words.front());
  const bool all = line.words.empty() && line.why.records;
  if (!bare && !all) {
    const auto type = take_type(line.words);
    if (!type) return usage_error("which pod? berthctl why pod/NAME");
    if (*type != ObjectType::kPod || line.words.empty()) {
      return usage_error("why knows pods: berthctl why pod/NAME");
    }
  }
  return with_agent(
      line, [&](Connection& agent) { return tell_why(agent, line.options, line.words, line.why); });
}

Outcome run_logs(CommandLine& line) {
  return with_agent(line,
                    [&](Connection& agent) { return show_logs(agent, line.options, line.logs); });
}

Outcome run_exec_command(CommandLine& line) {
  if (line.exec.command.empty()) {
    return usage_error("which command? berthctl exec [-it] POD [-c CONTAINER] -- COMMAND [ARG...]");
  }
  return with_agent(line,
                    [&](Connection& agent) { return run_exec(agent, line.options, line.exec); });
}

Result<Output> parse_output(const std::string& text) {
  if (text.empty() || text == "table") return Output::kTable;
  if (text == "wide") return Output::kWide;
  if (text == "json") return Output::kJson;
  if (text == "yaml") return Output::kYaml;
  if (text == "name") return Output::kName;
  const auto near = control::nearest(text, {"wide", "json", "yaml", "name"});
  return fail(ErrorCode::kInvalid,
              fmt::format("unknown output format \"{}\"{}; known are table, wide, json, yaml, name",
                          text, near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""));
}

void add_common(CLI::App& app, CommandLine& line) {
  app.add_option("--socket", line.options.socket, "berthd's control socket")->capture_default_str();
  app.add_option("--request-timeout", line.timeout_seconds,
                 "seconds to wait for an answer; 0: no end")
      ->capture_default_str();
}

void add_namespace(CLI::App& app, CommandLine& line) {
  app.add_option("-n,--namespace", line.options.namespace_, "namespace (default \"default\")");
}

void add_output(CLI::App& app, CommandLine& line) {
  app.add_option("-o,--output", line.output, "table, wide, json, yaml or name");
  app.add_flag("--no-headers", line.options.no_headers, "tables without their header");
}

void add_get(CLI::App& app, CommandLine& line) {
  auto* get = app.add_subcommand("get", "Lists pods, the node or events");
  get->add_option("TYPE", line.words, "pods [NAME...], node, events, probes, or pod/NAME...");
  get->add_flag("-A,--all-namespaces", line.options.all_namespaces, "pods of all namespaces");
  get->add_flag("-w,--watch", line.watch, "goes on with every change");
  add_namespace(*get, line);
  add_output(*get, line);
  get->callback([&line] { line.run = run_get; });
}

void add_describe(CLI::App& app, CommandLine& line) {
  auto* describe =
      app.add_subcommand("describe", "Tells all about a pod, with events and decisions");
  describe->add_option("TYPE", line.words, "pod NAME..., or pod/NAME...");
  describe->add_flag("-A,--all-namespaces", line.options.all_namespaces, "pods of all namespaces");
  add_namespace(*describe, line);
  describe->callback([&line] { line.run = run_describe; });
}

void add_delete(CLI::App& app, CommandLine& line) {
  auto* remove = app.add_subcommand(
      "delete", "Ends a pod; while its manifest is in the folder, a new one follows");
  remove->add_option("TYPE", line.words, "pod NAME..., or pod/NAME...");
  remove->add_option(
      "--grace-period", line.deletion.grace,
      "seconds it has to end by itself; default: the pod's own; 0 only with --force");
  remove->add_flag("--now", line.deletion.now, "the same as --grace-period=1");
  remove->add_flag("--force", line.deletion.force,
                   "gone from every listing at once; its containers are stopped meanwhile");
  remove->add_flag("--wait,!--no-wait", line.deletion.wait,
                   "returns when the pod is gone (default true)");
  remove->add_option("--timeout", line.timeout,
                     "waits no longer than that, e.g. 90s; 0: as long as it takes");
  add_namespace(*remove, line);
  remove->callback([&line] { line.run = run_delete; });
}

void add_set(CLI::App& app, CommandLine& line) {
  auto* set = app.add_subcommand(
      "set", "set condition pod/NAME TYPE=STATUS: what a controller would tell a readiness gate");
  set->add_option("WORDS", line.words, "condition pod/NAME TYPE=True|False|Unknown");
  set->add_option("--reason", line.condition.reason, "one word for programs");
  set->add_option("--message", line.condition.message, "a sentence for people");
  add_namespace(*set, line);
  set->callback([&line] { line.run = run_set; });
}

void add_events(CLI::App& app, CommandLine& line) {
  auto* events = app.add_subcommand("events", "What happened, newest last");
  events->add_option("--for", line.events.for_object, "only of this object: pod/NAME or node/NAME");
  events->add_option("--types", line.events.types, "only of these types: Normal, Warning")
      ->delimiter(',');
  events->add_flag("-A,--all-namespaces", line.options.all_namespaces, "of all namespaces");
  events->add_flag("-w,--watch", line.watch, "goes on with every new event");
  add_namespace(*events, line);
  add_output(*events, line);
  events->callback([&line] { line.run = run_events; });
}

void add_why(CLI::App& app, CommandLine& line) {
  auto* why = app.add_subcommand(
      "why", "Tells why a pod is as it is: what happened, because of what, what comes next");
  why->add_option("POD", line.words, "pod/NAME...; also of a pod that is gone");
  why->add_flag("--records", line.why.records,
                "what it is told from: the ledger's records, one JSON object a line; without a "
                "pod, of all");
  why->add_option("--limit", line.why.limit, "only the newest so many records");
  add_namespace(*why, line);
  why->callback([&line] { line.run = run_why; });
}

void add_logs(CLI::App& app, CommandLine& line) {
  auto* logs = app.add_subcommand("logs", "Prints what a container wrote");
  logs->add_option("POD", line.logs.pod, "the pod")->required();
  logs->add_option("-c,--container", line.logs.container, "one of its containers");
  logs->add_flag("-f,--follow", line.logs.follow, "goes on as more is written");
  logs->add_flag("-p,--previous", line.logs.previous, "of the instance before this one");
  logs->add_flag("--timestamps", line.logs.timestamps, "with the time of each line");
  logs->add_option("--tail", line.logs.tail, "only the last so many lines");
  logs->add_option("--since", line.since, "only what is newer, e.g. 90s, 5m, 2h");
  add_namespace(*logs, line);
  logs->callback([&line] { line.run = run_logs; });
}

void add_exec(CLI::App& app, CommandLine& line) {
  auto* exec =
      app.add_subcommand("exec", "Runs a command in a container: exec [-it] POD -- COMMAND");
  exec->add_option("POD", line.exec.pod, "the pod")->required();
  exec->add_option("-c,--container", line.exec.container, "one of its containers");
  exec->add_flag("-i,--stdin", line.exec.use_stdin, "passes stdin on");
  exec->add_flag("-t,--tty", line.exec.tty, "stdin is a terminal");
  add_namespace(*exec, line);
  exec->callback([&line] { line.run = run_exec_command; });
}

void add_rest(CLI::App& app, CommandLine& line) {
  auto* status = app.add_subcommand("status", "Is berthd well, and what is it waiting for");
  add_output(*status, line);
  status->callback([&line] {
    line.run = [](CommandLine& self) {
      return with_agent(self, [&](Connection& agent) { return show_status(agent, self.options); });
    };
  });
  auto* doctor = app.add_subcommand(
      "doctor", "What is not as it should be, and what a kubelet here would do differently");
  add_output(*doctor, line);
  doctor->footer("Exit codes: 0 nothing worse than a note, 1 something needs attention.");
  doctor->callback([&line] {
    line.run = [](CommandLine& self) {
      return with_agent(self, [&](Connection& agent) { return show_doctor(agent, self.options); });
    };
  });
  auto* version = app.add_subcommand("version", "Versions of berthctl, berthd and the runtime");
  add_output(*version, line);
  version->callback(
      [&line] { line.run = [](CommandLine& self) { return show_version(self.options); }; });
}

// CLI11 tells only that a subcommand is missing; say which one was meant.
std::optional<std::string> mistyped_command(const std::vector<std::string>& words) {
  const std::vector<std::string> known = {"get",  "describe", "delete", "events", "why",    "logs",
                                          "exec", "set",      "status", "doctor", "version"};
  bool may_be_value = false;  // of the option before it
  for (const auto& word : words) {
    const bool option = word.starts_with("-");
    const bool value = std::exchange(may_be_value, option && word.find('=') == std::string::npos);
    if (std::find(known.begin(), known.end(), word) != known.end()) return std::nullopt;
    if (option || value) continue;
    const auto near = control::nearest(word, known);
    return fmt::format("unknown command \"{}\"{}", word,
                       near ? fmt::format(" (did you mean \"{}\"?)", *near) : "");
  }
  return std::nullopt;
}

int finish(const Outcome& outcome) {
  if (outcome) return *outcome;
  const Error& error = outcome.error();
  std::fputs(fmt::format("error: {}\n", error.message).c_str(), stderr);
  return exit_code(error.code);
}

int run(const std::vector<std::string>& arguments) {
  CommandLine line;
  // What follows `--` is the command of exec, and none of our business.
  std::vector<std::string> words = arguments;
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (separator != words.end()) {
    line.exec.command.assign(separator + 1, words.end());
    words.erase(separator, words.end());
  }

  CLI::App app{"berthctl: looks after the pods that berthd runs on this machine", "berthctl"};
  app.footer(kFooter);
  app.fallthrough();
  app.require_subcommand(1);
  add_common(app, line);
  add_get(app, line);
  add_describe(app, line);
  add_logs(app, line);
  add_exec(app, line);
  add_delete(app, line);
  add_set(app, line);
  add_events(app, line);
  add_why(app, line);
  add_rest(app, line);
  if (words.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return kUsage;
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& problem) {
    return usage_error(mistyped_command(words).value_or(problem.what()));
  }

  const auto output = parse_output(line.output);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  line.options.request_timeout =
      std::chrono::seconds(static_cast<std::int64_t>(line.timeout_seconds));
  if (!line.since.empty()) {
    const auto seconds = parse_seconds("--since", line.since);
    if (!seconds) return usage_error(seconds.error().message);
    line.logs.since_seconds = *seconds;
  }
  return finish(line.run(line));
}

}  // namespace
}  // namespace berth::ctl

int main(int argc, char** argv) {
  try {
    return berth::ctl::run({argv + 1, argv + argc});
  } catch (const std::exception& bug) {
    std::fputs(fmt::format("error: unexpected: {}\n", bug.what()).c_str(), stderr);
    return berth::ctl::kFailed;
  }
}
