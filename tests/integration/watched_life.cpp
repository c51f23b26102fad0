// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/watched_life.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/descriptor.hpp"
#include "base/real_clock.hpp"

namespace berth::integration {
namespace {

constexpr std::chrono::seconds kDrainLimit{5};
// The interval between connection attempts while berthd does not listen yet.
constexpr std::chrono::milliseconds kAskAgain{1};

bool listens(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const Descriptor caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const void* generic = &address;
  return ::connect(caller.get(), static_cast<const sockaddr*>(generic), sizeof(address)) == 0;
}

}  // namespace

WatchedLife::WatchedLife(std::string berthctl, const std::filesystem::path& dir)
    : berthctl_(std::move(berthctl)),
      socket_((dir / "berthd.sock").string()),
      readiness_(dir / "notify"),
      last_shown_at_(RealClock{}.steady_now()) {}

void WatchedLife::begin_watch() {
  if (!listens(socket_)) return;
  watch_ =
      std::make_unique<Background>(std::vector<std::string>{berthctl_, "--socket", socket_, "get",
                                                            "pods", "-A", "-w", "-o", "json"},
                                   "", true);
}

void WatchedLife::read_shown() {
  while (auto line = watch_->line(RealClock{}.steady_now() + kAskAgain)) {
    shown_.push_back(std::move(*line));
    last_shown_at_ = RealClock{}.steady_now();
  }
}

void WatchedLife::run(SteadyTime deadline, bool stop_when_ready) {
  for (;;) {
    const auto now = RealClock{}.steady_now();
    if (now >= deadline || (stop_when_ready && ready_at_)) return;
    if (watch_ && !watch_->running()) watch_.reset();
    if (!watch_) begin_watch();
    auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now);
    if (!watch_) left = std::min(left, kAskAgain);
    std::array<pollfd, 2> wait = {
        {{.fd = ready_at_ ? -1 : readiness_.descriptor(), .events = POLLIN, .revents = 0},
         {.fd = watch_ ? watch_->output() : -1, .events = POLLIN, .revents = 0}}};
    ::poll(wait.data(), wait.size(), static_cast<int>(left.count()));
    if (!ready_at_ && readiness_.take()) ready_at_ = RealClock{}.steady_now();
    if (wait[1].revents != 0) read_shown();
  }
}

void WatchedLife::drain() {
  if (!watch_) return;
  const auto deadline = RealClock{}.steady_now() + kDrainLimit;
  while (auto line = watch_->line(deadline)) shown_.push_back(std::move(*line));
  watch_.reset();
}

std::vector<std::string> WatchedLife::take_shown() {
  return std::exchange(shown_, {});
}

}  // namespace berth::integration
