// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/real_clock.hpp"

namespace berth::integration {
namespace {

using Deadline = SteadyTime;

Deadline in(std::chrono::seconds limit) {
  return RealClock{}.steady_now() + limit;
}

int milliseconds_until(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - RealClock{}.steady_now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  return {.read = ends[0], .write = ends[1]};
}

pid_t spawn(const std::vector<std::string>& command, posix_spawn_file_actions_t& actions) {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = -1;
  const int error =
      ::posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  if (error != 0) throw std::runtime_error("cannot start " + command[0]);
  return pid;
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Uses a pidfd, which waits for the exit without polling.
std::optional<int> wait_for_end(pid_t pid, Deadline deadline) {
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (descriptor >= 0) {
    pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
    while (wait.revents == 0 && milliseconds_until(deadline) > 0) {
      ::poll(&wait, 1, milliseconds_until(deadline));
    }
    ::close(descriptor);
  }
  int status = 0;
  return ::waitpid(pid, &status, WNOHANG) == pid ? std::optional(exit_code_of(status))
                                                 : std::nullopt;
}

// Returns false once the descriptor is closed.
bool read_into(int descriptor, std::string& text) {
  std::array<char, 16 * 1024> buffer{};
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count <= 0) return count < 0 && errno == EINTR;
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

// Writes as much as the pipe accepts now and returns how much of the input is done: all of it once
// nobody reads any more.
std::size_t write_some(int descriptor, std::string_view input, std::size_t written) {
  const std::string_view rest = input.substr(written);
  const ssize_t count = ::write(descriptor, rest.data(), rest.size());
  if (count >= 0) return static_cast<std::size_t>(count);
  return errno == EAGAIN || errno == EINTR ? 0 : rest.size();
}

// Feeds and drains all three until both outputs are closed.
void pump(int in_end, int out_end, int err_end, const std::string& input, Finished& result,
          Deadline deadline) {
  // Nonblocking: a blocking write of more than the pipe holds would wait for a child that may
  // itself wait until its output is read.
  ::fcntl(in_end, F_SETFL, O_NONBLOCK);
  std::size_t written = 0;
  bool out_open = true;
  bool err_open = true;
  while ((out_open || err_open) && milliseconds_until(deadline) > 0) {
    if (in_end >= 0 && written == input.size()) {
      ::close(in_end);
      in_end = -1;
    }
    std::array<pollfd, 3> wait = {
        {{.fd = in_end, .events = POLLOUT, .revents = 0},
         {.fd = out_open ? out_end : -1, .events = POLLIN, .revents = 0},
         {.fd = err_open ? err_end : -1, .events = POLLIN, .revents = 0}}};
    if (::poll(wait.data(), wait.size(), milliseconds_until(deadline)) <= 0) continue;
    if (wait[0].revents != 0) written += write_some(in_end, input, written);
    if (wait[1].revents != 0) out_open = read_into(out_end, result.out);
    if (wait[2].revents != 0) err_open = read_into(err_end, result.err);
  }
  if (in_end >= 0) ::close(in_end);
}

}  // namespace

Finished run(const std::vector<std::string>& command, const std::string& input,
             std::chrono::seconds limit) {
  ::signal(SIGPIPE, SIG_IGN);
  const Pipe to = make_pipe();
  const Pipe out = make_pipe();
  const Pipe err = make_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, to.read, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  ::posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  const pid_t pid = spawn(command, actions);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(to.read);
  ::close(out.write);
  ::close(err.write);

  Finished result;
  const Deadline deadline = in(limit);
  pump(to.write, out.read, err.read, input, result, deadline);
  ::close(out.read);
  ::close(err.read);
  const auto code = wait_for_end(pid, deadline);
  if (!code) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  result.exit_code = code.value_or(-1);
  return result;
}

Background::Background(const std::vector<std::string>& command, const std::string& error_file,
                       bool read_stdout) {
  const std::string log = error_file.empty() ? "/dev/null" : error_file;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  Pipe out;
  if (read_stdout) {
    out = make_pipe();
    ::posix_spawn_file_actions_adddup2(&actions, out.write, 1);
    out_ = out.read;
  } else {
    ::posix_spawn_file_actions_adddup2(&actions, 2, 1);
  }
  pid_ = spawn(command, actions);
  ::posix_spawn_file_actions_destroy(&actions);
  if (read_stdout) ::close(out.write);
}

Background::~Background() {
  if (running()) end(SIGKILL);
  if (out_ >= 0) ::close(out_);
}

bool Background::running() {
  if (exit_code_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == pid_) exit_code_ = exit_code_of(status);
  return !exit_code_;
}

std::optional<std::string> Background::line(std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const auto end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string found = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return found;
    }
    const int left = milliseconds_until(deadline);
    if (left == 0) return std::nullopt;
    pollfd wait{.fd = out_, .events = POLLIN, .revents = 0};
    if (::poll(&wait, 1, left) <= 0) continue;
    if (!read_into(out_, buffer_)) return std::nullopt;
  }
}

int Background::end(int signal, std::chrono::seconds limit) {
  if (exit_code_) return *exit_code_;
  ::kill(pid_, signal);
  if (const auto code = wait(limit)) return *code;
  ::kill(pid_, SIGKILL);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  exit_code_ = exit_code_of(status);
  return *exit_code_;
}

std::optional<int> Background::wait(std::chrono::seconds limit) {
  if (!exit_code_) exit_code_ = wait_for_end(pid_, in(limit));
  return exit_code_;
}

}  // namespace berth::integration
