// SPDX-License-Identifier: Apache-2.0

// Logs of one container instance: resolves, reads, filters, follows.
#include <chrono>

#include "agent/logs/log_stream.hpp"
#include "agent/serve/control_calls.hpp"
#include "agent/serve/control_streams.hpp"
#include "agent/sources/folder_watch.hpp"
#include "base/notification.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/reasons.hpp"
#include "node/pod_paths.hpp"

namespace berth::agent {
namespace {

// The runtime writes the last lines before it reports the exit; this only allows for its writer's
// own buffering.
constexpr auto kLastLines = std::chrono::milliseconds(100);

// What a follower waits for: the file grew, or the pod changed.
struct Follower {
  explicit Follower(boost::asio::any_io_executor executor) : bell(std::move(executor)) {}
  Notification bell;
};

boost::asio::awaitable<void> ring_on_growth(std::shared_ptr<Follower> follower,
                                            std::unique_ptr<FolderWatch> watch) {
  for (bool follow = true; true;) {
    if (follow) static_cast<void>(co_await watch->follow());
    follower->bell.notify();
    follow = co_await watch->changed();
  }
}

boost::asio::awaitable<void> ring_on_change(std::shared_ptr<Follower> follower,
                                            std::shared_ptr<lifecycle::PodWatch> watch,
                                            std::string uid) {
  while (true) {
    const auto change = co_await watch->next();
    if (!change) break;
    if (change->pod->metadata.uid == uid) follower->bell.notify();
  }
  follower->bell.notify();
}

struct Target {
  lifecycle::PodPtr pod{};
  std::string container{};
  LogInstance instance{};
  std::string path{};
};

// Whether this very instance is still running.
bool still_runs(ControlSources& from, const Target& target) {
  const auto& meta = target.pod->metadata;
  const auto pod = from.pods.find(meta.namespace_, meta.name);
  if (!pod || pod->metadata.uid != meta.uid) return false;
  const auto* status = find_container_status(*pod, target.container);
  return status != nullptr && status->state.running &&
         status->restartCount == target.instance.restart_count;
}

Error no_log(const Target& target, const Error& why) {
  Error error = wrap("no log of container \"" + target.container + "\"", why);
  const api::PodStatus& status = target.pod->status;
  if (why.code != ErrorCode::kNotFound || !lifecycle::is_terminal_phase(status.phase)) return error;
  error.message +=
      lifecycle::is_evicted(status)
          ? "; the pod was evicted, and its logs were removed with its containers"
          : "; the logs of a pod that has finished are removed with its containers when a disk of "
            "the node is short";
  return error;
}

boost::asio::awaitable<Result<Ended>> send_file(ControlSources& from, Target target,
                                                wire::LogsRequest request, LogFilter filter,
                                                StreamPtr<wire::LogsReply> stream,
                                                std::shared_ptr<Follower> follower) {
  std::optional<std::int64_t> tail;
  if (request.has_tail_lines()) tail = request.tail_lines();
  auto log = co_await LogStream::open(from.pool, from.node.view().config.paths.pod_logs,
                                      target.path, tail);
  if (!log) co_return fail(no_log(target, log.error()));
  if ((*log)->tail_given_up()) {
    wire::LogsReply reply;
    reply.set_notice("The log is too large to search for its last " + std::to_string(*tail) +
                     " lines: it begins with those that were found");
    const bool sent = co_await stream->write(std::move(reply));
    if (!sent) co_return Ended{};
  }
  // Once the instance is seen to have stopped, the rest is read once more to its end.
  bool last_round = follower == nullptr;
  while (true) {
    auto piece = co_await (*log)->read();
    if (!piece) co_return fail(piece.error());
    if (piece->empty()) {
      if (last_round) co_return Ended{};
      if (!still_runs(from, target)) {
        last_round = true;
        co_await from.clock.sleep_for(kLastLines);
        continue;
      }
      co_await follower->bell.wait();
      continue;
    }
    auto text = filter.feed(*piece);
    if (!text.empty()) {
      wire::LogsReply reply;
      reply.set_data(std::move(text));
      const bool sent = co_await stream->write(std::move(reply));
      if (!sent) co_return Ended{};
    }
    if (filter.full()) co_return Ended{};
  }
}

}  // namespace

boost::asio::awaitable<Result<Ended>> send_logs(ControlSources& from, wire::LogsRequest request,
                                                StreamPtr<wire::LogsReply> stream,
                                                TaskGroup& helpers) {
  const auto query = log_query(request, from.clock.wall_now());
  if (!query) co_return fail(query.error());
  co_await until_known(from);
  const auto pod = find_pod(from, request.namespace_(), request.name());
  if (!pod) co_return fail(pod.error());
  const auto container = choose_container(**pod, request.container());
  if (!container) co_return fail(container.error());
  const auto instance = choose_instance(**pod, container->name, request.previous());
  if (!instance) co_return fail(instance.error());
  if (!container->notice.empty()) {
    wire::LogsReply reply;
    reply.set_notice(container->notice);
    const bool sent = co_await stream->write(std::move(reply));
    if (!sent) co_return Ended{};
  }
  const auto folder = node::pod_log_directory(from.node.view().config.paths, **pod);
  Target target{.pod = *pod, .container = container->name, .instance = *instance};
  target.path = folder + "/" +
                node::container_log_path(container->name,
                                         static_cast<std::uint32_t>(instance->restart_count));
  std::shared_ptr<Follower> follower;
  if (request.follow() && instance->running) {
    follower = std::make_shared<Follower>(from.executor);
    auto watch =
        FolderWatch::open({.executor = from.executor, .clock = from.clock, .pool = from.pool},
                          folder + "/" + container->name, WatchFor::kGrowth);
    if (!watch) co_return fail(watch.error());
    helpers.spawn("log growth", ring_on_growth(follower, std::move(*watch)));
    helpers.spawn("log pod", ring_on_change(follower, from.pods.watch(), (*pod)->metadata.uid));
  }
  LogFilter filter(*query);
  auto sent = co_await send_file(from, target, request, filter, stream, follower);
  co_return sent;
}

}  // namespace berth::agent
