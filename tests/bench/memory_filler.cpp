// SPDX-License-Identifier: Apache-2.0

// memory-filler BYTES_A_SECOND BYTES: what a measured pod runs. Waits for SIGUSR1, then fills
// anonymous memory at that rate, in steps of a millisecond, and keeps it until SIGTERM, which ends
// it with code 1 at any time. Static: it runs in an image that has nothing for it.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace {

constexpr std::size_t kPage = 4096;

// Touches every page, so that the kernel has to provide it.
void fill(char* memory, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; at += kPage) memory[at] = 1;
}

int run(std::size_t bytes_a_second, std::size_t bytes) {
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return 2;
  auto* memory = static_cast<char*>(mapped);

  sigset_t begin;
  ::sigemptyset(&begin);
  ::sigaddset(&begin, SIGUSR1);
  ::sigprocmask(SIG_BLOCK, &begin, nullptr);
  // The first process of a container has no default action for it.
  struct sigaction end {};
  end.sa_handler = [](int) { ::_exit(1); };
  ::sigaction(SIGTERM, &end, nullptr);
  int signal = 0;
  ::sigwait(&begin, &signal);

  const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  constexpr timespec kMillisecond{.tv_sec = 0, .tv_nsec = 1'000'000};
  const itimerspec every{.it_interval = kMillisecond, .it_value = kMillisecond};
  ::timerfd_settime(timer, 0, &every, nullptr);
  std::uint64_t milliseconds = 0;
  for (std::size_t filled = 0; filled < bytes;) {
    std::uint64_t passed = 0;
    if (::read(timer, &passed, sizeof passed) != sizeof passed) continue;
    milliseconds += passed;
    const std::size_t due = milliseconds * bytes_a_second / 1000;
    const std::size_t next = std::min(bytes, due / kPage * kPage);
    fill(memory, filled, next);
    filled = next;
  }
  for (;;) ::pause();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: memory-filler BYTES_A_SECOND BYTES\n", stderr);
    return 2;
  }
  return run(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10));
}
