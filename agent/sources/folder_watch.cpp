// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/folder_watch.hpp"

#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <utility>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/descriptor.hpp"

namespace berth::agent {
namespace {

// A file that stays open without being written to counts as closed.
constexpr auto kStillWritten = std::chrono::seconds(10);

struct Seen {
  bool changed = false;  // a relevant change
  bool moved = false;    // including a name on the path
};

}  // namespace

struct FolderWatch::Impl {
  Impl(Services given, Descriptor queue, Descriptor same, std::string watched, WatchFor what)
      : services(std::move(given)),
        descriptor(services.executor, queue.release()),
        inotify(std::make_shared<Descriptor>(std::move(same))),
        path(std::move(watched)),
        watched_for(what) {}

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
        handle(event, event.len > 0 ? std::string(name) : std::string(), seen);
        at += sizeof(inotify_event) + event.len;
      }
    }
  }

  void handle(const inotify_event& event, const std::string& name, Seen& seen) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) seen.changed = true;
    const bool gone = (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) != 0;
    const bool writing = (event.mask & IN_MODIFY) != 0;
    const auto names = places.names.find(event.wd);
    const bool in_folder = event.wd == places.folder;
    // For a watch that was given up, or a new one that is not known here yet.
    if (!in_folder && names == places.names.end()) {
      seen.changed = seen.changed || following;
      return;
    }
    if (in_folder) note_file(name, writing, seen);
    if (gone) seen.changed = seen.moved = true;
    if (names == places.names.end()) return;
    const auto step = names->second.find(name);
    if (step == names->second.end()) return;
    for (const std::string& file : step->second) note_file(file, writing, seen);
    if (!writing) seen.moved = true;
  }

  // A new plain file is reported when it is closed; links and folders are complete at once.
  void note_file(const std::string& name, bool writing, Seen& seen) {
    if (writing)
      written[name] = services.clock.steady_now();
    else
      written.erase(name);
    if (!writing || watched_for == WatchFor::kGrowth) seen.changed = true;
  }

  void stand_at(WatchedPlaces now) {
    const std::set<int> kept = now.watches();
    for (const int watch : places.watches())
      if (!kept.contains(watch)) inotify_rm_watch(inotify->get(), watch);
    if (places.folder != now.folder) written.clear();
    places = std::move(now);
  }

  Services services;
  boost::asio::posix::stream_descriptor descriptor;
  std::shared_ptr<Descriptor> inotify;  // the same queue, for a thread that may outlive this
  std::string path;
  WatchFor watched_for;
  WatchedPlaces places{};
  bool following = false;
  std::map<std::string, SteadyTime> written{};  // last write, for files not closed since
};

FolderWatch::FolderWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FolderWatch::~FolderWatch() = default;

Result<std::unique_ptr<FolderWatch>> FolderWatch::open(Services services, std::string path,
                                                       WatchFor what) {
  Descriptor queue(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  Descriptor same(queue.is_open() ? ::fcntl(queue.get(), F_DUPFD_CLOEXEC, 0) : -1);
  if (!same.is_open()) {
    return fail(ErrorCode::kUnavailable,
                "watching " + path + ": " + std::strerror(errno) +
                    "; if there are too many, raise fs.inotify.max_user_instances");
  }
  return std::unique_ptr<FolderWatch>(new FolderWatch(std::make_unique<Impl>(
      std::move(services), std::move(queue), std::move(same), std::move(path), what)));
}

boost::asio::awaitable<bool> FolderWatch::follow() {
  std::function<WatchedPlaces()> work = [inotify = impl_->inotify, path = impl_->path,
                                         what = impl_->watched_for] {
    return watch_places(inotify->get(), path, what);
  };
  impl_->following = true;
  auto places = co_await impl_->services.pool.run("watching " + impl_->path, std::move(work));
  impl_->following = false;
  const bool elsewhere = places != impl_->places;
  impl_->stand_at(std::move(places));
  co_return elsewhere;
}

boost::asio::awaitable<bool> FolderWatch::changed() {
  while (true) {
    co_await impl_->descriptor.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                                          boost::asio::use_awaitable);
    const Seen seen = impl_->consume();
    if (seen.changed) co_return seen.moved;
  }
}

std::set<std::string> FolderWatch::being_written() const {
  const SteadyTime now = impl_->services.clock.steady_now();
  std::set<std::string> names;
  for (const auto& [name, last] : impl_->written)
    if (now - last < kStillWritten) names.insert(name);
  return names;
}

}  // namespace berth::agent
