// A command in a container: the caller's stream on one side, the runtime's on the other.
#include "agent/control_calls.hpp"
#include "agent/control_streams.hpp"
#include "agent/exec_session.hpp"
#include "agent/exec_status.hpp"
#include "agent/log_query.hpp"
#include "lifecycle/container_statuses.hpp"

namespace berth::agent {
namespace {

struct Exec {
  ExecStreamPtr caller{};
  std::unique_ptr<ExecSession> command{};
};

Result<cri::ContainerId> running_container(const api::Pod& pod, const std::string& container) {
  const auto* status = find_container_status(pod, container);
  if (status == nullptr || !status->state.running) {
    return fail(ErrorCode::kInvalid, "container \"" + container + "\" in pod \"" +
                                         pod.metadata.name +
                                         "\" is not running, so nothing can be run in it");
  }
  return lifecycle::bare_container_id(status->containerID);
}

boost::asio::awaitable<void> carry_input(std::shared_ptr<Exec> exec) {
  while (true) {
    auto request = co_await exec->caller->read();
    if (!request) co_return;
    bool sent = true;
    if (request->has_stdin()) {
      sent =
          co_await exec->command->send(ExecChannel::kStdin, std::move(*request->mutable_stdin()));
    } else if (request->has_resize()) {
      auto size = size_json(request->resize());
      sent = co_await exec->command->send(ExecChannel::kResize, std::move(size));
    } else if (request->has_stdin_end() && exec->command->can_end_stdin()) {
      sent = co_await exec->command->end_stdin();
    }
    if (!sent) co_return;
  }
}

boost::asio::awaitable<bool> notice(ExecStreamPtr caller, std::string text) {
  wire::ExecReply reply;
  reply.set_notice(std::move(text));
  const bool sent = co_await caller->write(std::move(reply));
  co_return sent;
}

boost::asio::awaitable<bool> finish_with(ExecStreamPtr caller, ExecEnd end) {
  wire::ExecReply reply;
  reply.mutable_result()->set_exit_code(end.exit_code);
  reply.mutable_result()->set_message(std::move(end.message));
  const bool sent = co_await caller->write(std::move(reply));
  co_return sent;
}

// Until the runtime told how the command ended, or closed.
boost::asio::awaitable<Result<Ended>> carry_output(std::shared_ptr<Exec> exec) {
  while (true) {
    auto message = co_await exec->command->receive();
    if (!message) {
      co_return fail(ErrorCode::kUnavailable,
                     "the container runtime closed the session without telling the exit code");
    }
    if (message->channel == ExecChannel::kError) {
      auto end = exec_end(message->data);
      static_cast<void>(co_await finish_with(exec->caller, std::move(end)));
      co_return Ended{};
    }
    wire::ExecReply reply;
    if (message->channel == ExecChannel::kStderr) {
      reply.set_stderr(std::move(message->data));
    } else {
      reply.set_stdout(std::move(message->data));
    }
    const bool sent = co_await exec->caller->write(std::move(reply));
    if (!sent) co_return Ended{};
  }
}

struct Opened {
  std::shared_ptr<Exec> exec{};
  std::string notice{};
};

boost::asio::awaitable<Result<Opened>> open_exec(ControlSources& from, ExecStreamPtr stream,
                                                 wire::ExecStart start) {
  if (start.command().empty()) {
    co_return fail(ErrorCode::kInvalid, "exec: a command is missing; put it behind --");
  }
  const auto pod = find_pod(from, start.namespace_(), start.name());
  if (!pod) co_return fail(pod.error());
  const auto container = choose_container(**pod, start.container());
  if (!container) co_return fail(container.error());
  const auto id = running_container(**pod, container->name);
  if (!id) co_return fail(id.error());

  std::vector<std::string> command(start.command().begin(), start.command().end());
  Context context{.log_prefix = "exec"};
  auto url =
      co_await from.runtime.exec(context, *id, std::move(command), start.tty(), start.stdin());
  if (!url) co_return fail(wrap("exec in container \"" + container->name + "\"", url.error()));
  auto session = co_await ExecSession::connect(from.executor, std::move(*url));
  if (!session) co_return fail(session.error());

  Opened opened{.notice = container->notice};
  opened.exec = std::make_shared<Exec>();
  opened.exec->caller = std::move(stream);
  opened.exec->command = std::move(*session);
  if (start.stdin() && !start.tty() && !opened.exec->command->can_end_stdin()) {
    if (!opened.notice.empty()) opened.notice += '\n';
    opened.notice +=
        "this container runtime cannot be told that the input is over (it speaks WebSocket v4 "
        "only): a command that reads to the end of its input will not end by itself";
  }
  co_return opened;
}

}  // namespace

boost::asio::awaitable<Result<Ended>> run_exec(ControlSources& from, ExecStreamPtr stream,
                                               TaskGroup& helpers) {
  auto first = co_await stream->read();
  if (!first) co_return Ended{};
  if (!first->has_start()) {
    co_return fail(ErrorCode::kInvalid, "exec: the first message must be `start`");
  }
  auto opened = co_await open_exec(from, stream, first->start());
  if (!opened) co_return fail(opened.error());
  auto exec = opened->exec;
  if (!opened->notice.empty()) {
    const bool sent = co_await notice(stream, opened->notice);
    if (!sent) co_return Ended{};
  }
  if (first->start().tty() && first->start().has_size()) {
    auto size = size_json(first->start().size());
    const bool sent = co_await exec->command->send(ExecChannel::kResize, std::move(size));
    if (!sent) co_return fail(ErrorCode::kUnavailable, "exec: the session was closed at once");
  }
  helpers.spawn("exec input", carry_input(exec));
  auto ended = co_await carry_output(exec);
  co_return ended;
}

}  // namespace berth::agent
