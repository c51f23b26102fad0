#include "agent/folder_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/deadline.hpp"

namespace berth::agent {
namespace {

constexpr std::uint32_t kFolderEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                        IN_CREATE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
// Of a parent only what can make the next part of the path appear or vanish.
constexpr std::uint32_t kParentEvents = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                        IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// A file that stays open without being written to is as good as closed.
constexpr auto kStillWritten = std::chrono::seconds(10);

struct Seen {
  bool changed = false;  // something that matters
  bool rearm = false;    // the watched folder itself went, or a parent stirred
};

}  // namespace

struct FolderWatch::Impl {
  Impl(boost::asio::any_io_executor executor, const Clock& time, int fd, std::string watched,
       WatchFor what)
      : descriptor(std::move(executor), fd),
        clock(time),
        path(std::move(watched)),
        watched_for(what) {}

  // Watches the folder or, while it is missing, its nearest parent and the folder's own place.
  // The folder is tried again after the parent is watched: it may have come in between.
  void arm() {
    const int fd = descriptor.native_handle();
    if (watch >= 0) static_cast<void>(inotify_rm_watch(fd, watch));
    on_folder = false;
    written.clear();
    for (std::filesystem::path at = path;; at = at.parent_path()) {
      const bool folder = at == std::filesystem::path(path);
      watch = inotify_add_watch(fd, at.c_str(), folder ? kFolderEvents | IN_MODIFY : kParentEvents);
      if (watch >= 0) {
        on_folder = folder;
        break;
      }
      if (at == at.parent_path()) return;
    }
    std::error_code ignored;
    if (!on_folder && std::filesystem::exists(path, ignored)) arm();
  }

  Seen consume() {
    alignas(inotify_event) std::array<char, 16384> buffer{};
    Seen seen;
    while (true) {
      const auto size = ::read(descriptor.native_handle(), buffer.data(), buffer.size());
      if (size <= 0) return seen;
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        inotify_event event{};
        std::memcpy(&event, buffer.data() + at, sizeof event);
        const char* name = buffer.data() + at + sizeof event;
        take(event, event.len > 0 ? std::string(name) : std::string(), seen);
        at += sizeof(inotify_event) + event.len;
      }
    }
  }

  void take(const inotify_event& event, const std::string& name, Seen& seen) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
      seen.changed = true;
      return;
    }
    // A watch that was replaced may still have events in the queue.
    if (event.wd != watch) return;
    const bool gone = (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) != 0;
    if (gone || !on_folder) seen.rearm = true;
    if (!on_folder) return;
    const bool writing = (event.mask & IN_MODIFY) != 0;
    if (writing) written[name] = clock.steady_now();
    if (!writing) written.erase(name);
    // A new plain file is told by its close; links and folders come complete.
    if (!writing || watched_for == WatchFor::kGrowth) seen.changed = true;
  }

  boost::asio::posix::stream_descriptor descriptor;
  const Clock& clock;
  std::string path;
  WatchFor watched_for;
  std::map<std::string, SteadyTime> written{};  // and not closed since; when last
  int watch = -1;
  bool on_folder = false;
};

FolderWatch::FolderWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FolderWatch::~FolderWatch() = default;

Result<std::unique_ptr<FolderWatch>> FolderWatch::open(boost::asio::any_io_executor executor,
                                                       const Clock& clock, std::string path,
                                                       WatchFor what) {
  const int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) {
    return fail(ErrorCode::kUnavailable,
                "watching " + path + ": " + std::strerror(errno) +
                    "; if there are too many, raise fs.inotify.max_user_instances");
  }
  auto impl = std::make_unique<Impl>(std::move(executor), clock, fd, std::move(path), what);
  impl->arm();
  return std::unique_ptr<FolderWatch>(new FolderWatch(std::move(impl)));
}

boost::asio::awaitable<void> FolderWatch::changed() {
  while (true) {
    co_await impl_->descriptor.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                                          boost::asio::use_awaitable);
    const bool was_on_folder = impl_->on_folder;
    auto seen = impl_->consume();
    if (seen.rearm) impl_->arm();
    // The folder came or went.
    if (was_on_folder != impl_->on_folder) seen.changed = true;
    if (seen.changed) co_return;
  }
}

boost::asio::awaitable<void> FolderWatch::changed_until(Clock& clock, SteadyTime moment) {
  const auto change = co_await with_deadline(clock, moment, "a change", next_change());
  if (!change) impl_->arm();
}

boost::asio::awaitable<Result<bool>> FolderWatch::next_change() {
  co_await changed();
  co_return true;
}

std::set<std::string> FolderWatch::being_written(SteadyTime now) const {
  std::set<std::string> names;
  for (const auto& [name, last] : impl_->written)
    if (now - last < kStillWritten) names.insert(name);
  return names;
}

}  // namespace berth::agent
