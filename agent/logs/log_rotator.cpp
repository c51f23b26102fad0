// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_rotator.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/this_coro.hpp>

#include "agent/logs/log_files.hpp"
#include "agent/logs/rotating_log.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "node/own_folder.hpp"
#include "node/pod_paths.hpp"

namespace berth::agent {
namespace {

// Checks due within this fraction of an interval are made together.
constexpr int kTogether = 10;

}  // namespace

LogRotator::LogRotator(Services services, node::NodePaths paths, Rules rules)
    : services_(std::move(services)),
      paths_(std::move(paths)),
      rules_(rules),
      bell_(services_.executor),
      tasks_(services_.executor, services_.on_failure) {}

boost::asio::awaitable<void> LogRotator::run(std::shared_ptr<lifecycle::PodWatch> pods) {
  tasks_.spawn("log looks", look_for_ever());
  std::exception_ptr failure;
  try {
    co_await follow(std::move(pods));
  } catch (...) {
    failure = std::current_exception();
  }
  // A cancelled coroutine cannot wait: join the others with a reset cancellation state.
  co_await boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation());
  tasks_.request_stop();
  co_await tasks_.join();
  if (failure) std::rethrow_exception(failure);
}

boost::asio::awaitable<void> LogRotator::follow(std::shared_ptr<lifecycle::PodWatch> pods) {
  for (;;) {
    const auto change = co_await pods->next();
    if (!change) co_return;
    apply(*change);
  }
}

// Known containers keep their next check; new ones are checked after one interval.
void LogRotator::apply(const lifecycle::PodChange& change) {
  const api::Pod& pod = *change.pod;
  std::map<std::string, Watched> before = std::exchange(logs_[pod.metadata.uid], {});
  auto& now = logs_[pod.metadata.uid];
  for (const auto* statuses : {&pod.status.initContainerStatuses, &pod.status.containerStatuses}) {
    for (const auto& status : *statuses) {
      if (!status.state.running || status.containerID.empty()) continue;
      const std::string id = lifecycle::bare_container_id(status.containerID).str();
      if (auto known = before.find(id); known != before.end()) {
        now.insert(before.extract(known));
        continue;
      }
      const std::string path =
          node::container_log_path(status.name, static_cast<std::uint32_t>(status.restartCount));
      const auto slash = path.rfind('/');
      now[id] = {
          .log = {.pod_uid = pod.metadata.uid,
                  .container_id = id,
                  .folder = node::pod_log_directory(paths_, pod) + "/" + path.substr(0, slash),
                  .file = path.substr(slash + 1)},
          .look = node::next_log_look(std::nullopt, 0, rules_.policy, rules_.interval,
                                      services_.clock.steady_now())};
      bell_.notify();
    }
  }
  if (now.empty() || change.type == lifecycle::ChangeType::kDeleted) logs_.erase(pod.metadata.uid);
}

// `std::nullopt` while no container runs.
std::optional<SteadyTime> LogRotator::next_look() const {
  std::optional<SteadyTime> next;
  for (const auto& [uid, logs] : logs_)
    for (const auto& [id, watched] : logs)
      if (!watched.rotating)
        next = std::min(next.value_or(SteadyTime::max()), watched.look.next_at());
  return next;
}

boost::asio::awaitable<void> LogRotator::look_for_ever() {
  for (;;) {
    const bool rung = co_await bell_.wait_until(services_.clock, next_look());
    if (!rung) co_await look();
  }
}

LogRotator::Watched* LogRotator::find(const LogFile& log) {
  const auto pod = logs_.find(log.pod_uid);
  if (pod == logs_.end()) return nullptr;
  const auto watched = pod->second.find(log.container_id);
  return watched == pod->second.end() ? nullptr : &watched->second;
}

boost::asio::awaitable<void> LogRotator::look() {
  const SteadyTime now = services_.clock.steady_now();
  std::vector<LogFile> logs;
  std::vector<std::string> paths;
  for (const auto& [uid, of_pod] : logs_) {
    for (const auto& [id, watched] : of_pod) {
      if (watched.rotating || watched.look.next_at() > now + rules_.interval / kTogether) continue;
      logs.push_back(watched.log);
      paths.push_back(watched.log.folder + "/" + watched.log.file);
    }
  }
  if (logs.empty()) co_return;
  std::function<std::vector<std::optional<std::int64_t>>()> measure = [paths] {
    return file_sizes(paths);
  };
  const auto sizes =
      co_await services_.pool.run("looking at the sizes of logs", std::move(measure));
  for (std::size_t i = 0; i < logs.size(); ++i) looked(logs[i], sizes[i]);
  for (std::size_t waiting = due_.size(); working_ < rules_.workers && waiting > 0; --waiting) {
    ++working_;
    tasks_.spawn("log rotation", work());
  }
}

void LogRotator::looked(const LogFile& log, std::optional<std::int64_t> bytes) {
  Watched* watched = find(log);
  if (watched == nullptr) return;  // it has ended meanwhile
  watched->look = node::next_log_look(watched->look, bytes, rules_.policy, rules_.interval,
                                      services_.clock.steady_now());
  const node::LogCare care = node::log_care(bytes, rules_.policy);
  if (care == node::LogCare::kNone) return;
  watched->rotating = true;
  due_.emplace_back(log, care);
}

// One worker: processes due logs until there are none.
boost::asio::awaitable<void> LogRotator::work() {
  while (!due_.empty()) {
    const LogFile log = due_.front().first;
    const node::LogCare care = due_.front().second;
    due_.pop_front();
    if (find(log) == nullptr) continue;
    if (care == node::LogCare::kRotate) {
      co_await rotate(log);
    } else {
      const bool reopened = co_await reopen(log);
      static_cast<void>(reopened);
    }
    if (Watched* watched = find(log)) {
      watched->rotating = false;
      watched->look = node::next_log_look(std::nullopt, 0, rules_.policy, rules_.interval,
                                          services_.clock.steady_now());
      bell_.notify();
    }
  }
  --working_;
}

boost::asio::awaitable<void> LogRotator::rotate(LogFile log) {
  const auto now = services_.clock.wall_now().time_since_epoch();
  const std::string stamp =
      local_stamp(std::chrono::duration_cast<std::chrono::seconds>(now).count());
  const std::string what = "rotating " + log.folder + "/" + log.file;
  const std::string top = paths_.pod_logs;
  const auto rotating = std::make_shared<RotatingLog>(
      RotatingLog::Place{.top = top, .folder = log.folder, .file = log.file}, rules_.policy, stamp);
  for (bool renamed = false; !renamed;) {
    std::function<Result<bool>()> step = [rotating] { return rotating->go_on(); };
    const auto done = co_await services_.pool.run(what, std::move(step));
    if (!done) {
      services_.log.warn("LogRotation", what + ": " + done.error().message);
      co_return;
    }
    renamed = *done;
  }
  const bool reopened = co_await reopen(log);
  if (reopened) co_return;
  // The runtime keeps writing into the renamed file: give it its old name back, so that the next
  // check rotates it. If only the runtime's answer was lost, it has already opened a new file,
  // which stays: nothing that was written may be lost.
  std::function<Result<bool>()> back = [top, log, name = rotating->new_name()]() -> Result<bool> {
    const auto folder = node::OwnFolder::open(top, log.folder);
    return folder ? rename_back(folder->at(name), folder->at(log.file)) : fail(folder.error());
  };
  const auto undone = co_await services_.pool.run(what, std::move(back));
  if (!undone) services_.log.warn("LogRotation", undone.error().message);
}

boost::asio::awaitable<bool> LogRotator::reopen(LogFile log) {
  Context context;
  const auto done =
      co_await services_.runtime.reopen_container_log(context, cri::ContainerId(log.container_id));
  if (done) co_return true;
  // The container has ended meanwhile, so there is nothing to reopen.
  if (done.error().code == ErrorCode::kNotFound) co_return true;
  services_.log.warn("LogRotation", "having the runtime open " + log.folder + "/" + log.file +
                                        " anew: " + done.error().message);
  co_return false;
}

}  // namespace berth::agent
