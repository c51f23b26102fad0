#include "agent/idle_memory.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace berth::agent {
namespace {

// Longer than the pauses within a pod's start or stop.
constexpr auto kQuietFor = std::chrono::seconds(15);

// Code is mapped from files, shared and never written, so that leaving it costs nothing but a page
// fault when it is called again. Whatever can be written stays: this maps it anew.
void leave_code_pages() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string mode, offset, device, inode, path;
    fields >> std::hex >> begin >> dash >> end >> mode >> offset >> device >> inode >> path;
    if (!fields || mode != "r-xp" || !path.starts_with("/")) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel tells addresses as text
    static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
  }
}

}  // namespace

boost::asio::awaitable<void> give_back_when_quiet(Clock& clock, lifecycle::PodSet& pods) {
  for (;;) {
    std::uint64_t seen = 0;
    do {
      seen = pods.version();
      co_await clock.sleep_for(kQuietFor);
    } while (seen != pods.version());
    static_cast<void>(::malloc_trim(0));
    leave_code_pages();
    const auto watch = pods.watch();
    while (watch->poll()) {
    }
    const auto change = co_await watch->next();
    if (!change) co_return;
  }
}

}  // namespace berth::agent
