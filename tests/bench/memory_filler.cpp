// SPDX-License-Identifier: Apache-2.0

// memory-filler BYTES_A_SECOND BYTES: what a measured pod runs. Waits for SIGUSR1, then fills
// anonymous memory at that rate, in steps of a millisecond, and keeps it until SIGTERM, which ends
// it with code 1 at any time. Static: it runs in an image that has nothing for it.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sys/mman.h>
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

  using Clock = std::chrono::steady_clock;
  const auto started = Clock::now();
  for (std::size_t filled = 0; filled < bytes;) {
    const double passed = std::chrono::duration<double>(Clock::now() - started).count();
    const auto due = static_cast<std::size_t>(passed * static_cast<double>(bytes_a_second));
    const std::size_t next = std::min(bytes, due / kPage * kPage);
    fill(memory, filled, next);
    filled = next;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
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
