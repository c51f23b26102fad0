// SPDX-License-Identifier: Apache-2.0

// Runs a command in a container: the caller's stream on one side, the runtime's on the other.
#include <chrono>

#include "agent/exec/exec_session.hpp"
#include "agent/logs/log_query.hpp"
#include "agent/serve/control_calls.hpp"
#include "agent/serve/control_streams.hpp"
#include "agent/serve/exec_status.hpp"
#include "agent/serve/exec_turns.hpp"
#include "api/time.hpp"
#include "base/notification.hpp"
#include "lifecycle/status/container_statuses.hpp"

namespace berth::agent {
namespace {

// A command without output for this long has probably started, but counts as silent (ExecTurns).
constexpr auto kStartsWithin = std::chrono::seconds(1);
// After this long it counts as started, however slow the machine is.
constexpr auto kStartsInAnyCase = std::chrono::seconds(30);
// For a command that ends without having read its input: containerd reports the end only after that
// input was buffered, so it gets no more than a pipe holds before the command had time to end.
constexpr auto kEndsWithin = std::chrono::milliseconds(500);
constexpr std::size_t kPipe = 64 << 10;
// After a longer wait the caller is informed of what it is waiting for.
constexpr auto kOpensWithin = std::chrono::seconds(3);
// Input that waits longer is reported once.
constexpr auto kReadsWithin = std::chrono::seconds(10);

// One coroutine writes to the caller; those that forward input and read the command's output signal
// it.
struct Exec {
  Exec(ControlSources& given, ExecStreamPtr stream)
      : from(given), caller(std::move(stream)), stirred(given.executor), taken(given.executor) {}

  ControlSources& from;
  ExecStreamPtr caller;
  std::unique_ptr<ExecSession> command{};
  std::unique_ptr<ExecTurns::Turn> turn{};
  Alarm turn_silent{};
  Alarm turn_over{};
  Notification stirred;
  Notification taken;
  std::optional<ExecMessage> heard{};
  bool closed = false;                       // no more output will be read
  std::optional<SteadyTime> unread_since{};  // since when the command's side has not taken the
                                             // input
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

boost::asio::awaitable<bool> pass_on(std::shared_ptr<Exec> exec, wire::ExecRequest request) {
  bool sent = true;
  if (request.has_stdin()) {
    sent = co_await exec->command->send(ExecChannel::kStdin, std::move(*request.mutable_stdin()));
  } else if (request.has_resize()) {
    auto size = size_json(request.resize());
    sent = co_await exec->command->send(ExecChannel::kResize, std::move(size));
  } else if (request.has_stdin_end() && exec->command->can_end_stdin()) {
    sent = co_await exec->command->end_stdin();
  }
  co_return sent;
}

boost::asio::awaitable<void> carry_input(std::shared_ptr<Exec> exec) {
  const SteadyTime lives = exec->from.clock.steady_now() + kEndsWithin;
  std::size_t given = 0;
  for (bool sent = true; sent;) {
    auto request = co_await exec->caller->read();
    if (!request) co_return;
    given += request->stdin().size();
    if (given > kPipe && exec->from.clock.steady_now() < lives)
      co_await exec->from.clock.sleep_until(lives);
    exec->unread_since = exec->from.clock.steady_now();
    exec->stirred.notify();
    sent = co_await pass_on(exec, std::move(*request));
    exec->unread_since.reset();
  }
}

boost::asio::awaitable<void> hear(std::shared_ptr<Exec> exec) {
  while (!exec->closed) {
    exec->heard = co_await exec->command->receive();
    exec->closed = !exec->heard;
    exec->stirred.notify();
    while (exec->heard) co_await exec->taken.wait();
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

boost::asio::awaitable<bool> send_opened(ExecStreamPtr caller) {
  wire::ExecReply reply;
  reply.mutable_opened();
  const bool sent = co_await caller->write(std::move(reply));
  co_return sent;
}

// False if the caller is gone, or if there is no more.
boost::asio::awaitable<bool> send(ExecStreamPtr caller, ExecMessage message) {
  if (message.channel == ExecChannel::kError) {
    auto end = exec_end(message.data);
    static_cast<void>(co_await finish_with(std::move(caller), std::move(end)));
    co_return false;
  }
  wire::ExecReply reply;
  if (message.channel == ExecChannel::kStderr) {
    reply.set_stderr(std::move(message.data));
  } else {
    reply.set_stdout(std::move(message.data));
  }
  const bool sent = co_await caller->write(std::move(reply));
  co_return sent;
}

// Runs until the runtime reports how the command ended, or closes.
boost::asio::awaitable<Result<Ended>> carry_output(std::shared_ptr<Exec> exec) {
  Clock& clock = exec->from.clock;
  bool reported = false;  // the waiting input was reported
  while (true) {
    if (exec->heard) {
      exec->turn.reset();
      auto message = *std::exchange(exec->heard, std::nullopt);
      exec->taken.notify();
      const bool goes_on = co_await send(exec->caller, std::move(message));
      if (!goes_on) co_return Ended{};
      continue;
    }
    if (exec->closed) {
      co_return fail(ErrorCode::kUnavailable,
                     "the container runtime closed the session without an exit code");
    }
    std::optional<SteadyTime> late;
    if (exec->unread_since && !reported) late = *exec->unread_since + kReadsWithin;
    if (late && clock.steady_now() >= *late) {
      reported = true;
      std::string text =
          "the command has not read its input for 10 s; if it has ended, the container runtime "
          "does not report that before the input is read (Ctrl-C ends the wait)";
      const bool sent = co_await notice(exec->caller, std::move(text));
      if (!sent) co_return Ended{};
      continue;
    }
    static_cast<void>(co_await exec->stirred.wait_until(clock, late));
  }
}

// The turn is passed on even if the command prints nothing.
void pass_turn_on_in_time(const std::shared_ptr<Exec>& exec) {
  Clock& clock = exec->from.clock;
  const SteadyTime now = clock.steady_now();
  const auto at = [&clock, &executor = exec->from.executor](SteadyTime moment, auto call) {
    return clock.call_at(executor, moment, call);
  };
  exec->turn_silent = at(now + kStartsWithin, [weak = std::weak_ptr(exec)] {
    const auto alive = weak.lock();
    if (alive && alive->turn) alive->turn->count_as_silent();
  });
  exec->turn_over = at(now + kStartsInAnyCase, [weak = std::weak_ptr(exec)] {
    if (const auto alive = weak.lock()) alive->turn.reset();
  });
}

struct Opened {
  std::shared_ptr<Exec> exec{};
  std::string notice{};
};

Error not_in_time(const ControlSources& from, const std::string& container) {
  const std::string limit = api::Duration{from.settings.runtime.request_timeout}.to_string();
  return {.code = ErrorCode::kTimeout,
          .message = "exec in container \"" + container +
                     "\": the container runtime did not accept the command within " + limit +
                     " (runtimeRequestTimeout)"};
}

std::string notice_of(const wire::ExecStart& start, const ExecSession& session,
                      std::string notice) {
  if (!start.stdin() || start.tty() || session.can_end_stdin()) return notice;
  if (!notice.empty()) notice += '\n';
  return notice +
         "this container runtime cannot pass on end-of-file (it only speaks WebSocket v4): a "
         "command that reads standard input to end-of-file will not exit";
}

boost::asio::awaitable<Result<Opened>> open_exec(ControlSources& from, ExecTurns& turns,
                                                 ExecStreamPtr stream, wire::ExecStart start) {
  auto command = command_of(start);
  if (!command) co_return fail(command.error());
  Context context;
  context.deadline = from.clock.steady_now() + from.settings.runtime.request_timeout;
  co_await until_known(from);
  const auto pod = find_pod(from, start.namespace_(), start.name());
  if (!pod) co_return fail(pod.error());
  const auto container = choose_container(**pod, start.container());
  if (!container) co_return fail(container.error());
  auto exec = std::make_shared<Exec>(from, std::move(stream));
  std::string uid = (*pod)->metadata.uid;
  exec->turn = co_await turns.take(std::move(uid), from.clock, *context.deadline);
  if (!exec->turn) co_return fail(not_in_time(from, container->name));
  // The pod's state, now that its turn has come.
  const auto now = find_pod(from, (*pod)->metadata.namespace_, (*pod)->metadata.name);
  if (!now) co_return fail(now.error());
  const auto id = running_container(**now, container->name);
  if (!id) co_return fail(id.error());

  auto url =
      co_await from.runtime.exec(context, *id, std::move(*command), start.tty(), start.stdin());
  if (!url && url.error().code == ErrorCode::kTimeout)
    co_return fail(not_in_time(from, container->name));
  if (!url) co_return fail(wrap("exec in container \"" + container->name + "\"", url.error()));
  auto session = co_await ExecSession::connect(from.executor, std::move(*url));
  if (!session) co_return fail(session.error());
  exec->command = std::move(*session);
  pass_turn_on_in_time(exec);
  auto text = notice_of(start, *exec->command, container->notice);
  co_return Opened{.exec = std::move(exec), .notice = std::move(text)};
}

struct Opening {
  explicit Opening(boost::asio::any_io_executor executor) : over(std::move(executor)) {}
  Notification over;
  std::optional<Result<Opened>> ended{};
};

boost::asio::awaitable<void> open_beside(ControlSources& from, ExecTurns& turns,
                                         ExecStreamPtr stream, wire::ExecStart start,
                                         std::shared_ptr<Opening> opening) {
  auto ended = co_await open_exec(from, turns, std::move(stream), std::move(start));
  opening->ended.emplace(std::move(ended));
  opening->over.notify();
}

// Reports to the caller when it takes long. `std::nullopt` if the caller is gone.
boost::asio::awaitable<std::optional<Result<Opened>>> open_patiently(ControlSources& from,
                                                                     ExecTurns& turns,
                                                                     ExecStreamPtr stream,
                                                                     wire::ExecStart start,
                                                                     TaskGroup& helpers) {
  const auto opening = std::make_shared<Opening>(from.executor);
  helpers.spawn("exec opening", open_beside(from, turns, stream, std::move(start), opening));
  const SteadyTime late = from.clock.steady_now() + kOpensWithin;
  const bool in_time = co_await opening->over.wait_until(from.clock, late);
  if (!in_time) {
    const std::string limit = api::Duration{from.settings.runtime.request_timeout}.to_string();
    std::string text = "the container runtime has not accepted the command yet; berthd waits for " +
                       limit + " in all (runtimeRequestTimeout), and Ctrl-C ends the wait";
    const bool sent = co_await notice(stream, std::move(text));
    if (!sent) co_return std::nullopt;
    co_await opening->over.wait();
  }
  co_return std::move(opening->ended);
}

}  // namespace

boost::asio::awaitable<Result<Ended>> run_exec(ControlSources& from, ExecTurns& turns,
                                               ExecStreamPtr stream, TaskGroup& helpers) {
  auto first = co_await stream->read();
  if (!first || !first->has_start()) {
    co_return fail(ErrorCode::kInvalid,
                   "exec: the first message must be `start`, with names that are UTF-8");
  }
  auto begun = co_await open_patiently(from, turns, stream, first->start(), helpers);
  if (!begun) co_return Ended{};
  if (!*begun) co_return fail(begun->error());
  auto exec = (*begun)->exec;
  if (!(*begun)->notice.empty()) {
    const bool sent = co_await notice(stream, (*begun)->notice);
    if (!sent) co_return Ended{};
  }
  const bool opened = co_await send_opened(stream);
  if (!opened) co_return Ended{};
  if (first->start().tty() && first->start().has_size()) {
    auto size = size_json(first->start().size());
    const bool sent = co_await exec->command->send(ExecChannel::kResize, std::move(size));
    if (!sent) co_return fail(ErrorCode::kUnavailable, "exec: the session was closed at once");
  }
  helpers.spawn("exec input", carry_input(exec));
  helpers.spawn("exec output", hear(exec));
  auto ended = co_await carry_output(exec);
  co_return ended;
}

}  // namespace berth::agent
