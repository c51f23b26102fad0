// SPDX-License-Identifier: Apache-2.0

// Waits for memory: reads a file's pages at random, by several processes, until it is ended.
//
//   thrash-memory FILE
//
// In a cgroup whose memory is smaller than the file, pages that were in use a moment ago have to be
// read from the disk again, which the kernel counts as a stall for want of memory.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

namespace {

constexpr int kReaders = 4;
constexpr std::uint64_t kPage = 4096;

// Never returns.
void read_at_random(const volatile char* pages, std::uint64_t count, std::uint64_t seed) {
  std::uint64_t state = seed;
  while (true) {  // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    static_cast<void>(pages[state % count * kPage]);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  const int file = open(words[1], O_RDONLY | O_CLOEXEC);
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0) return 3;
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  void* mapped = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED || size < kPage) return 3;
  madvise(mapped, size, MADV_RANDOM);  // the kernel reads no page in advance
  std::uint64_t seed = 1;
  while (seed < kReaders && fork() != 0) ++seed;
  read_at_random(static_cast<const volatile char*>(mapped), size / kPage, seed);
}
