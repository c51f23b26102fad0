#include "agent/log_rotator.hpp"

#include <functional>
#include <optional>
#include <utility>

#include "agent/log_files.hpp"
#include "node/pod_paths.hpp"

namespace berth::agent {
namespace {

// "containerd://ID"
std::string bare_id(const std::string& id) {
  const auto scheme = id.find("://");
  return scheme == std::string::npos ? id : id.substr(scheme + 3);
}

}  // namespace

boost::asio::awaitable<void> LogRotator::run() {
  for (;;) {
    co_await services_.clock.sleep_for(period_);
    co_await look();
  }
}

std::vector<LogRotator::Running> LogRotator::running() const {
  std::vector<Running> found;
  for (const auto& pod : services_.pods.snapshot()) {
    const std::string folder = node::pod_log_directory(paths_, *pod);
    for (const auto* statuses :
         {&pod->status.initContainerStatuses, &pod->status.containerStatuses}) {
      for (const auto& status : *statuses) {
        if (!status.state.running || status.containerID.empty()) continue;
        const std::string path =
            node::container_log_path(status.name, static_cast<std::uint32_t>(status.restartCount));
        const auto slash = path.rfind('/');
        found.push_back({.id = bare_id(status.containerID),
                         .folder = folder + "/" + path.substr(0, slash),
                         .file = path.substr(slash + 1)});
      }
    }
  }
  return found;
}

boost::asio::awaitable<void> LogRotator::look() {
  const std::vector<Running> containers = running();
  if (containers.empty()) co_return;
  std::vector<std::string> paths;
  for (const Running& container : containers)
    paths.push_back(container.folder + "/" + container.file);
  std::function<std::vector<std::optional<std::int64_t>>()> measure = [paths] {
    return file_sizes(paths);
  };
  const auto sizes = co_await services_.pool.run(std::move(measure));
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const node::LogCare care = node::log_care(sizes[i], policy_);
    if (care == node::LogCare::kRotate) {
      co_await rotate(containers[i]);
    } else if (care == node::LogCare::kReopen) {
      const bool reopened = co_await reopen(containers[i]);
      static_cast<void>(reopened);
    }
  }
}

boost::asio::awaitable<void> LogRotator::rotate(Running container) {
  const auto now = services_.clock.wall_now().time_since_epoch();
  const std::string stamp =
      local_stamp(std::chrono::duration_cast<std::chrono::seconds>(now).count());
  std::function<Result<std::string>()> rename = [container, policy = policy_, stamp] {
    return make_way(container.folder, container.file, policy, stamp);
  };
  const auto renamed = co_await services_.pool.run(std::move(rename));
  if (!renamed) {
    services_.log.warn("LogRotation", "rotating " + container.folder + "/" + container.file + ": " +
                                          renamed.error().message);
    co_return;
  }
  const bool reopened = co_await reopen(container);
  if (reopened) co_return;
  // The runtime goes on writing into the renamed one: under its own name, so that it is rotated at
  // the next look.
  std::function<Result<bool>()> back = [container, name = *renamed] {
    return rename_file(container.folder + "/" + name, container.folder + "/" + container.file);
  };
  const auto undone = co_await services_.pool.run(std::move(back));
  if (!undone) services_.log.warn("LogRotation", undone.error().message);
}

boost::asio::awaitable<bool> LogRotator::reopen(Running container) {
  Context context;
  const auto done =
      co_await services_.runtime.reopen_container_log(context, cri::ContainerId(container.id));
  if (done) co_return true;
  // It has ended meanwhile: then there is nothing to reopen.
  if (done.error().code == ErrorCode::kNotFound) co_return true;
  services_.log.warn("LogRotation", "having the runtime open " + container.folder + "/" +
                                        container.file + " anew: " + done.error().message);
  co_return false;
}

}  // namespace berth::agent
