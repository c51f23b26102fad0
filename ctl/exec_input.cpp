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

constexpr std::size_t kChunk = 32 * 1024;

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH}) sigaddset(&set, signal);
  return set;
}

}  // namespace

ExecInput::ExecInput(grpc::ClientContext& context, Stream& stream, bool use_stdin, bool tty)
    : context_(context), stream_(stream), stdin_open_(use_stdin), tty_(tty) {
  const sigset_t set = handled_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = Descriptor(::signalfd(-1, &set, SFD_CLOEXEC));
  stop_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
  thread_ = std::jthread([this] { run(); });
}

ExecInput::~ExecInput() {
  const std::uint64_t one = 1;
  if (::write(stop_.get(), &one, sizeof(one)) < 0) context_.TryCancel();
  thread_.join();
  const sigset_t set = handled_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void ExecInput::run() {
  for (;;) {
    std::array<pollfd, 3> wait = {{{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = signals_.get(), .events = POLLIN, .revents = 0},
                                   {.fd = stdin_open_ ? 0 : -1, .events = POLLIN, .revents = 0}}};
    if (::poll(wait.data(), wait.size(), -1) < 0) continue;
    if (wait[0].revents != 0) return;
    if (wait[1].revents != 0 && !on_signal()) return;
    if (wait[2].revents != 0) stdin_open_ = forward_stdin();
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

bool ExecInput::on_signal() {
  signalfd_siginfo info{};
  if (::read(signals_.get(), &info, sizeof(info)) != sizeof(info)) return true;
  if (info.ssi_signo == SIGWINCH) {
    const auto size = terminal_size(0);
    if (!tty_ || !size) return true;
    control::v1::ExecRequest request;
    request.mutable_resize()->set_columns(size->columns);
    request.mutable_resize()->set_rows(size->rows);
    return stream_.Write(request);
  }
  signal_ = static_cast<int>(info.ssi_signo);
  context_.TryCancel();
  return false;
}

}  // namespace berth::ctl
