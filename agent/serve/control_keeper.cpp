// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_keeper.hpp"

#include <chrono>
#include <utility>

namespace berth::agent {
namespace {

// Gives whoever is deleting its folder time to finish; if it is deleted again and again, it is
// bound at most ten times a second.
constexpr auto kPause = std::chrono::milliseconds(100);
// For failures that no event ends: a full disk, or inotify itself.
constexpr auto kTryAgain = std::chrono::seconds(10);
constexpr auto kLoggedEach = std::chrono::minutes(1);

}  // namespace

struct ControlKeeper::Look {
  bool in_place = false;
  Result<ListeningSocket> bound = fail(ErrorCode::kUnknown, "");  // used if it is not in place
};

ControlKeeper::ControlKeeper(const Services& services, Place place,
                             TaskGroup::FailureHandler on_failure)
    : services_(services),
      place_(std::move(place)),
      stirred_(services_.executor),
      tasks_(services_.executor, std::move(on_failure)) {}

void ControlKeeper::start(SocketFile file, Replaced replaced) {
  file_ = file;
  replaced_ = std::move(replaced);
  auto watch = FolderWatch::open(
      {.executor = services_.executor, .clock = services_.clock, .pool = services_.pool},
      place_.path, WatchFor::kName);
  if (watch) {
    names_ = std::move(*watch);
    mounts_ = MountWatch::open(services_.executor);
  } else {
    services_.log.warn("ControlSocket",
                       watch.error().message + "; whether it is there is seen every 10 s instead");
  }
  tasks_.spawn("control socket's place", keep());
  tasks_.spawn("control socket's names", notice_names());
  tasks_.spawn("control socket's mounts", notice_mounts());
}

boost::asio::awaitable<void> ControlKeeper::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
  remove_control_socket(place_.path, file_);
}

boost::asio::awaitable<void> ControlKeeper::notice_names() {
  while (names_) {
    static_cast<void>(co_await names_->changed());
    stirred_.notify();
  }
}

boost::asio::awaitable<void> ControlKeeper::notice_mounts() {
  while (mounts_) {
    co_await mounts_->changed();
    stirred_.notify();
  }
}

boost::asio::awaitable<void> ControlKeeper::keep() {
  while (true) {
    if (names_) static_cast<void>(co_await names_->follow());
    std::function<Look()> work = [place = place_, file = file_] { return look(place, file); };
    auto seen = co_await services_.pool.run("looking at " + place_.path, std::move(work));
    apply(std::move(seen));
    std::optional<SteadyTime> again;
    if (!names_ || !trouble_.empty()) again = services_.clock.steady_now() + kTryAgain;
    static_cast<void>(co_await stirred_.wait_until(services_.clock, again));
    co_await services_.clock.sleep_for(kPause);
  }
}

ControlKeeper::Look ControlKeeper::look(const Place& place, SocketFile ours) {
  if (file_at(place.path) == ours) return {.in_place = true};
  return {.bound = listen_on_control_socket(place.path, place.group)};
}

void ControlKeeper::apply(Look look) {
  if (look.in_place) {
    if (!trouble_.empty()) services_.log.info("ControlSocket", place_.path + " is back");
    trouble_.clear();
  } else if (look.bound) {
    file_ = look.bound->file;
    replaced_(std::move(look.bound->socket));
    log_remade();
    trouble_.clear();
  } else if (trouble_ != look.bound.error().message) {
    trouble_ = look.bound.error().message;
    services_.log.warn(
        "ControlSocketLost",
        "the control socket is no longer in its place: " + trouble_ +
            "; until it is, no new connection can reach berthd (existing ones and the "
            "pods are not affected); it is recreated as soon as that is possible");
  }
}

void ControlKeeper::log_remade() {
  const SteadyTime now = services_.clock.steady_now();
  if (logged_at_ && trouble_.empty() && now - *logged_at_ < kLoggedEach) return;
  logged_at_ = now;
  services_.log.warn(
      "ControlSocketRemade",
      "the control socket " + place_.path +
          " was gone and has been recreated; existing connections are not affected (what "
          "else happens to it within a minute is not logged)");
}

}  // namespace berth::agent
