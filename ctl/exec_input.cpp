// SPDX-License-Identifier: Apache-2.0

#include "ctl/exec_input.hpp"

#include <array>
#include <csignal>
#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "ctl/terminal.hpp"

namespace berth::ctl {
namespace {

constexpr std::size_t kChunk = std::size_t{32} * 1024;

// `resizes`: include SIGWINCH, which terminates nothing.
sigset_t handled_signals(bool resizes) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  if (resizes) sigaddset(&set, SIGWINCH);
  return set;
}

bool ring(const Descriptor& event) {
  const std::uint64_t one = 1;
  return ::write(event.get(), &one, sizeof(one)) == sizeof(one);
}

pollfd readable(int descriptor) {
  return {.fd = descriptor, .events = POLLIN, .revents = 0};
}

}  // namespace

ExecInput::ExecInput(grpc::ClientContext& context, Stream& stream, bool use_stdin, bool tty)
    : context_(context), stream_(stream), use_stdin_(use_stdin), tty_(tty) {
  const sigset_t set = handled_signals(true);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = Descriptor(::signalfd(-1, &set, SFD_CLOEXEC));
  stop_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
  resized_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
  signalled_ = std::jthread([this] { await_signals(); });
  sending_ = std::jthread([this] { send_input(); });
}

ExecInput::~ExecInput() {
  if (!ring(stop_)) context_.TryCancel();
  sending_.join();
  signalled_.join();
  const sigset_t set = handled_signals(true);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void ExecInput::send_input() {
  bool open = use_stdin_;
  for (;;) {
    std::array<pollfd, 3> wait = {readable(stop_.get()), readable(resized_.get()),
                                  readable(open ? 0 : -1)};
    if (::poll(wait.data(), wait.size(), -1) < 0) continue;
    if (wait[0].revents != 0) return;
    if (wait[1].revents != 0 && !send_size()) return;
    if (wait[2].revents != 0) open = forward_stdin();
  }
}

bool ExecInput::forward_stdin() {
  std::array<char, kChunk> buffer{};
  const ssize_t count = ::read(0, buffer.data(), buffer.size());
  control::v1::ExecRequest request;
  if (count <= 0) {
    request.mutable_stdin_end();
    stream_.Write(request);
    return false;
  }
  request.set_stdin(buffer.data(), static_cast<std::size_t>(count));
  return stream_.Write(request);
}

bool ExecInput::send_size() {
  std::uint64_t times = 0;
  if (::read(resized_.get(), &times, sizeof(times)) < 0) return false;
  const auto size = terminal_size(0);
  if (!tty_ || !size) return true;
  control::v1::ExecRequest request;
  request.mutable_resize()->set_columns(size->columns);
  request.mutable_resize()->set_rows(size->rows);
  return stream_.Write(request);
}

void ExecInput::await_signals() {
  for (;;) {
    std::array<pollfd, 2> wait = {readable(stop_.get()), readable(signals_.get())};
    if (::poll(wait.data(), wait.size(), -1) < 0) continue;
    if (wait[0].revents != 0) return;
    signalfd_siginfo info{};
    if (::read(signals_.get(), &info, sizeof(info)) != sizeof(info)) continue;
    if (info.ssi_signo == SIGWINCH) {
      ring(resized_);
      continue;
    }
    signal_ = static_cast<int>(info.ssi_signo);
    context_.TryCancel();
    break;
  }
  // The next one is delivered to this thread, with its default action.
  const sigset_t ending = handled_signals(false);
  ::pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
  pollfd stopped = readable(stop_.get());
  while (::poll(&stopped, 1, -1) < 0) continue;
}

}  // namespace berth::ctl
