// SPDX-License-Identifier: Apache-2.0

#include "ctl/reload/reload.hpp"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "ctl/command_line.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/object_text.hpp"
#include "ctl/reload/change_text.hpp"

namespace berth::ctl {
namespace {

constexpr const char* kStays = "the configuration in force stays; nothing has changed";

void print_refusal(const control::v1::ReloadReply& reply) {
  for (const auto& problem : reply.problems()) complain("error: " + problem + "\n");
  complain(std::string(kStays) + "\n");
}

std::string accepted_text(const control::v1::ReloadReply& reply) {
  if (reply.changes().empty()) return "nothing has changed\n";
  std::string text;
  for (const auto& change : reply.changes())
    text += change_text(shown(change)) +
            (change.needs_restart() ? ", once berthd is restarted\n" : "\n");
  return text;
}

boost::json::value reload_json(const control::v1::ReloadReply& reply) {
  boost::json::array problems;
  for (const auto& problem : reply.problems()) problems.emplace_back(problem);
  boost::json::array changes;
  for (const auto& change : reply.changes()) changes.push_back(change_json(shown(change)));
  return {{"apiVersion", kReportVersion},
          {"kind", "Reload"},
          {"accepted", reply.problems().empty()},
          {"configFile", reply.config_file()},
          {"problems", problems},
          {"changes", changes}};
}

// Fails if the reload was refused, and nothing has changed. `quiet`: prints nothing that is also in
// berthd's journal.
Outcome reload(Connection& agent, const Options& options, bool quiet) {
  control::v1::ReloadReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().Reload(context.get(), {}, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  const bool refused = reply.problems_size() > 0;
  const int code = refused ? kFailed : kOk;
  if (quiet) return code;
  if (options.output != Output::kTable)
    print(value_text(reload_json(reply), options.output));
  else if (refused)
    print_refusal(reply);
  else
    print(accepted_text(reply));
  return code;
}

Outcome run_reload(CommandLine& line) {
  const auto output = output_format(line.output, kReportFormats);
  if (!output) return usage_error(output.error().message);
  line.options.output = *output;
  auto agent = Connection::open(line.options.socket, line.options.request_timeout);
  if (!agent) return std::unexpected(agent.error());
  return reload(*agent, line.options, line.quiet);
}

}  // namespace

void add_reload(CLI::App& app, CommandLine& line) {
  auto* reload = app.add_subcommand(
      "reload",
      "Have berthd read its configuration again, all of it or, if it is refused, nothing");
  reload->add_flag("-q,--quiet", line.quiet, "Do not print what berthd's journal has as well");
  reload->add_option("-o,--output", line.output, "Print json or yaml instead of text")
      ->type_name("FORMAT");
  reload->footer("Exit codes: 0 it is in force, 1 it was refused and nothing has changed.");
  reload->callback([&line] { line.run = run_reload; });
}

}  // namespace berth::ctl
