// SPDX-License-Identifier: Apache-2.0

// Fills memory at a steady rate and reports, on the monotonic clock in milliseconds, when the
// node's available memory fell below a level and when it was asked to stop.
//
//   fill-memory MIB-PER-SECOND LEVEL-BYTES CGROUP-ROOT
//
// The node's available memory is the kubelet's: MemTotal - (anon + file - inactive_file), of the
// root cgroup of version 2. A level of 0 is never looked for. Prints "rate MIB-PER-SECOND" (as
// reached) and "crossed MS" at the level, and "stop MS" at SIGTERM.
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

constexpr long kMebibyte = 1L << 20;

long now_ms() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

long value_of(const std::string& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string name, rest; in >> name; std::getline(in, rest)) {
    if (name == key) return std::atol((in >> rest, rest.c_str()));
  }
  return 0;
}

volatile sig_atomic_t stop_asked = 0;

void say(const char* what, long value) {
  std::printf("%s %ld\n", what, value);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const long rate = std::atol(words[1]);
  const long level = std::atol(words[2]);
  const std::string stat = std::string(words[3]) + "/memory.stat";
  const long total = value_of("/proc/meminfo", "MemTotal:") * 1024;
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  sigaction(SIGTERM, &action, nullptr);

  bool crossed = level == 0;
  const long began = now_ms();
  for (long filled = 0; stop_asked == 0; ++filled) {
    void* piece =
        mmap(nullptr, kMebibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return 3;
    std::memset(piece, 1, kMebibyte);
    if (!crossed && filled % 4 == 0) {
      const long used =
          value_of(stat, "anon") + value_of(stat, "file") - value_of(stat, "inactive_file");
      if (total - used < level) {
        crossed = true;
        const long at = now_ms();
        say("rate", filled * 1000 / (at - began + 1));
        say("crossed", at);
      }
    }
    const long due = began + (filled + 1) * 1000 / rate;
    if (const long early = due - now_ms(); early > 0) usleep(static_cast<useconds_t>(early) * 1000);
  }
  say("stop", now_ms());
  return 128 + SIGTERM;  // a pod whose containers all succeed would not be Failed
}
