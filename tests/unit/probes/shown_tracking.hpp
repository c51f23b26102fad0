// SPDX-License-Identifier: Apache-2.0

// A folder that looks like the connection tracking table in /proc/sys/net/netfilter.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace berth::probes {

class ShownTracking {
 public:
  ShownTracking() {
    std::filesystem::create_directories(folder_);
    show("nf_conntrack_tcp_timeout_time_wait", 120);
    show("nf_conntrack_tcp_timeout_close", 10);
  }
  ShownTracking(const ShownTracking&) = delete;
  ShownTracking& operator=(const ShownTracking&) = delete;
  ~ShownTracking() { remove(); }

  void show_table(std::uint64_t entries, std::uint64_t limit) const {
    show("nf_conntrack_count", entries);
    show("nf_conntrack_max", limit);
  }
  void remove() const { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  void show(const std::string& file, std::uint64_t number) const {
    std::ofstream(folder_ / file) << number << "\n";
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("berth-tracking-" + std::to_string(::getpid()));
};

}  // namespace berth::probes
