// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pressure_events.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "base/descriptor.hpp"
#include "base/no_throw.hpp"
#include "node/file_io.hpp"

namespace berth::agent {
namespace {

using Stream = boost::asio::posix::stream_descriptor;

// Some task waited for memory for a tenth of a second within one second: the least that GLib's
// memory monitor takes for a warning is 70 ms of two seconds. Without CAP_SYS_RESOURCE the kernel
// accepts only windows of two seconds.
constexpr std::string_view kStallTriggers[] = {"some 100000 1000000", "some 200000 2000000"};
// Between two notifications of one source: a flood of them reports no more than one.
constexpr Nanoseconds kPause = std::chrono::milliseconds(100);
// A level moves with the file cache; a smaller move is not worth a new one.
constexpr std::int64_t kLevelStep = std::int64_t{8} << 20U;

// How a source notifies, and how its notification is consumed.
enum class Speech : std::uint8_t {
  kPriority,  // POLLPRI; nothing is read
  kCounter,   // an eventfd: eight bytes
  kNotices,   // inotify's records
};

struct Opened {
  Descriptor descriptor{};
  Speech speech{};
  std::string name{};
};

std::optional<Opened> open_stalls(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return std::nullopt;
  for (const std::string_view trigger : kStallTriggers) {
    const auto size = trigger.size() + 1;  // the kernel requires the terminating zero
    if (::write(file.get(), trigger.data(), size) == static_cast<ssize_t>(size))
      return Opened{.descriptor = std::move(file), .speech = Speech::kPriority, .name = path};
  }
  return std::nullopt;
}

// The kernel modifies the file, for inotify, whenever one of its counters moves.
std::optional<Opened> open_counters(const std::string& path) {
  Descriptor notices(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!notices.is_open() || ::inotify_add_watch(notices.get(), path.c_str(), IN_MODIFY) < 0)
    return std::nullopt;
  return Opened{.descriptor = std::move(notices), .speech = Speech::kNotices, .name = path};
}

// Version 1: notifies when usage crosses the level, in either direction, until it is closed.
std::optional<Opened> open_level(const std::string& directory, std::int64_t level) {
  const std::string usage_path = directory + "/memory.usage_in_bytes";
  Descriptor counter(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  const Descriptor usage(::open(usage_path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!counter.is_open() || !usage.is_open()) return std::nullopt;
  const auto asked =
      node::write_existing(directory + "/cgroup.event_control",
                           fmt::format("{} {} {}", counter.get(), usage.get(), level));
  if (!asked) return std::nullopt;
  return Opened{.descriptor = std::move(counter), .speech = Speech::kCounter, .name = usage_path};
}

std::vector<Opened> open_all(const MemoryCgroups& cgroups, const std::string& pods,
                             const std::string& proc) {
  std::vector<Opened> out;
  const auto take = [&](std::optional<Opened> opened) {
    if (opened) out.push_back(std::move(*opened));
  };
  take(open_stalls(proc + "/pressure/memory"));
  if (!cgroups.visible() || cgroups.version() == eviction::CgroupVersion::kV1 || pods.empty())
    return out;
  take(open_stalls(cgroups.directory(pods) + "/memory.pressure"));
  take(open_counters(cgroups.directory(pods) + "/memory.events"));
  return out;
}

bool moved(const std::optional<std::int64_t>& from, const std::optional<std::int64_t>& to) {
  if (!from || !to) return from.has_value() != to.has_value();
  return std::abs(*to - *from) >= kLevelStep;
}

// Whether its cgroup was removed, or the kernel reports nothing more.
bool is_over(int descriptor) {
  pollfd state{.fd = descriptor, .events = POLLPRI, .revents = 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

void discard_events(int descriptor) {
  std::array<char, 4096> said{};
  while (::read(descriptor, said.data(), said.size()) > 0) {
  }
}

}  // namespace

struct PressureEvents::Source {
  explicit Source(const boost::asio::any_io_executor& executor) : stream(executor) {}

  // False if it cannot be waited for.
  bool take(Opened opened) {
    boost::system::error_code failure;
    stream.assign(opened.descriptor.get(), failure);
    if (failure) return false;
    static_cast<void>(opened.descriptor.release());  // the stream's from now on
    speech = opened.speech;
    name = std::move(opened.name);
    return true;
  }

  Stream stream;
  Speech speech{};
  std::string name{};
};

PressureEvents::PressureEvents(Services services, std::shared_ptr<const MemoryCgroups> cgroups,
                               std::string pods, std::string proc, std::function<void()> near)
    : services_(std::move(services)),
      cgroups_(std::move(cgroups)),
      pods_(std::move(pods)),
      proc_(std::move(proc)),
      near_(std::move(near)),
      tasks_(services_.executor, services_.on_failure) {}

PressureEvents::~PressureEvents() = default;

std::vector<std::string> PressureEvents::sources() const {
  std::vector<std::string> names;
  for (const auto& source : sources_) names.push_back(source->name);
  return names;
}

boost::asio::awaitable<void> PressureEvents::start() {
  using All = std::shared_ptr<std::vector<Opened>>;
  std::function<All()> work = [cgroups = cgroups_, pods = pods_, proc = proc_] {
    return std::make_shared<std::vector<Opened>>(open_all(*cgroups, pods, proc));
  };
  const All opened = co_await services_.pool.run("listening for pressure", std::move(work));
  for (Opened& one : *opened) {
    auto source = std::make_shared<Source>(services_.executor);
    if (source->take(std::move(one))) listen(source);
  }
}

boost::asio::awaitable<void> PressureEvents::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
  root_ = {};
  below_ = {};
}

void PressureEvents::listen(const std::shared_ptr<Source>& source) {
  sources_.push_back(source);
  tasks_.spawn("pressure of " + source->name, follow(source));
}

boost::asio::awaitable<void> PressureEvents::follow(std::shared_ptr<Source> source) {
  const auto what = source->speech == Speech::kPriority ? Stream::wait_error : Stream::wait_read;
  for (;;) {
    const auto [failure] = co_await source->stream.async_wait(what, kNoThrow);
    if (failure || is_over(source->stream.native_handle())) break;
    if (source->speech != Speech::kPriority) discard_events(source->stream.native_handle());
    near_();
    co_await services_.clock.sleep_for(kPause);
  }
  std::erase(sources_, source);
}

bool PressureEvents::would_aim(const UsageLevels& levels) const {
  if (!cgroups_->visible() || cgroups_->version() != eviction::CgroupVersion::kV1) return false;
  return moved(root_.level, levels.root) || moved(below_.level, levels.pods);
}

boost::asio::awaitable<void> PressureEvents::aim(UsageLevels levels) {
  if (!would_aim(levels)) co_return;
  co_await aim_at("/", levels.root, root_);
  if (!pods_.empty()) co_await aim_at(pods_, levels.pods, below_);
}

boost::asio::awaitable<void> PressureEvents::aim_at(std::string cgroup,
                                                    std::optional<std::int64_t> level,
                                                    Aimed& aimed) {
  if (!moved(aimed.level, level)) co_return;
  aimed.level = level;
  // Closing the old one ends it for the kernel, and for the coroutine that follows it.
  if (aimed.source) aimed.source->stream.close();
  aimed.source.reset();
  if (!level || *level <= 0) co_return;
  using One = std::shared_ptr<std::optional<Opened>>;
  std::function<One()> work = [directory = cgroups_->directory(cgroup), at = *level] {
    return std::make_shared<std::optional<Opened>>(open_level(directory, at));
  };
  const One opened = co_await services_.pool.run("aiming at the use of " + cgroup, std::move(work));
  if (!*opened) co_return;
  auto source = std::make_shared<Source>(services_.executor);
  if (!source->take(std::move(**opened))) co_return;
  aimed.source = source;
  listen(source);
}

}  // namespace berth::agent
