// SPDX-License-Identifier: Apache-2.0

// berthctl exec [-it] POD [-c CONTAINER] -- COMMAND...
#include <cstdio>
#include <optional>

#include "base/text.hpp"
#include "control/exec_opened.hpp"
#include "ctl/command.hpp"
#include "ctl/exec_input.hpp"
#include "ctl/terminal.hpp"
#include "ctl/wait_limit.hpp"

namespace berth::ctl {
namespace {

control::v1::ExecRequest start_request(const Options& options, const ExecOptions& exec) {
  control::v1::ExecRequest request;
  auto& start = *request.mutable_start();
  start.set_namespace_(chosen_namespace(options));
  start.set_name(exec.pod);
  start.set_container(exec.container);
  for (const auto& word : exec.command) start.add_command(word);
  start.set_stdin(exec.use_stdin);
  start.set_tty(exec.tty);
  if (exec.tty) {
    if (const auto size = terminal_size(0)) {
      start.mutable_size()->set_columns(size->columns);
      start.mutable_size()->set_rows(size->rows);
    }
  }
  return request;
}

void put(const std::string& data, std::FILE* out) {
  std::fwrite(data.data(), 1, data.size(), out);
  std::fflush(out);
}

void put_notice(const std::string& notice, bool raw) {
  put(one_line(notice) + (raw ? "\r\n" : "\n"), stderr);
}

// Waits until the runtime has accepted the command; meanwhile a signal terminates the process.
// False if it was not accepted. An older berthd does not report it, and takes input from the start.
bool await_opened(const grpc::ClientContext& context, ExecInput::Stream& stream) {
  if (!context.GetServerInitialMetadata().contains(control::kReportsOpened)) return true;
  control::v1::ExecReply reply;
  while (stream.Read(&reply)) {
    if (reply.has_opened()) return true;
    if (!reply.notice().empty()) put_notice(reply.notice(), false);
  }
  return false;
}

// Prints replies until the result; `std::nullopt` if the stream ended without one.
std::optional<control::v1::ExecResult> print_replies(ExecInput::Stream& stream, bool raw) {
  control::v1::ExecReply reply;
  while (stream.Read(&reply)) {
    if (reply.has_result()) return reply.result();
    if (!reply.stdout().empty()) put(reply.stdout(), stdout);
    if (!reply.stderr().empty()) put(reply.stderr(), stderr);
    if (!reply.notice().empty()) put_notice(reply.notice(), raw);
  }
  return std::nullopt;
}

}  // namespace

Outcome run_exec(Connection& agent, const Options& options, const ExecOptions& wanted) {
  ExecOptions exec = wanted;
  if (exec.tty && !is_terminal(0)) {
    std::fputs("Unable to use a TTY - input is not a terminal\n", stderr);
    exec.tty = false;
  }
  const auto context = std::make_shared<grpc::ClientContext>();
  const auto stream = agent.stub().Exec(context.get());
  stream->Write(start_request(options, exec));
  {
    const WaitLimit limit(context, agent.timeout());
    stream->WaitForInitialMetadata();
    if (limit.reached()) {
      static_cast<void>(stream->Finish());
      return fail(agent.explain({grpc::StatusCode::DEADLINE_EXCEEDED, ""}));
    }
  }

  std::optional<control::v1::ExecResult> result;
  int signal = 0;
  if (await_opened(*context, *stream)) {
    std::optional<RawTerminal> raw;
    if (exec.tty) raw.emplace(0);
    ExecInput input(*context, *stream, exec.use_stdin, exec.tty);
    result = print_replies(*stream, exec.tty);
    signal = input.signal();
    // Do not wait for input that is no longer read.
    if (result) context->TryCancel();
  }
  const grpc::Status status = stream->Finish();
  if (signal != 0) return 128 + signal;
  if (!result) {
    if (status.ok()) return fail(ErrorCode::kUnknown, "the command's result did not arrive");
    return fail(agent.explain(status));
  }
  // The runtime could not run it: print its error, and return the code a shell would return.
  if (!result->message().empty()) put("error: " + one_line(result->message()) + "\n", stderr);
  return result->exit_code();
}

}  // namespace berth::ctl
