// When what failed is tried again: each thing (the sandbox, one container, the clean-up) on its
// own.
//
// Pure: `now` is passed in. First after 100 ms, then doubling to 10 s. The kubelet requeues a
// failed pod after 10 to 15 s whatever failed, which is its polling; a short first delay makes a
// hiccup invisible, and the ceiling keeps its load on a runtime that goes on failing.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/clock_types.hpp"

namespace berth::lifecycle {

class RetryTable {
 public:
  static constexpr std::chrono::milliseconds kFirst{100};
  static constexpr std::chrono::seconds kCeiling{10};

  void failed(const std::string& key, SteadyTime now);
  void succeeded(const std::string& key) { entries_.erase(key); }
  // Everything may be tried at once: what it failed on is back.
  void clear() { entries_.clear(); }

  [[nodiscard]] bool due(const std::string& key, SteadyTime now) const;
  // It failed the last time, and has not succeeded since.
  [[nodiscard]] bool failing(const std::string& key) const { return entries_.contains(key); }
  // The earliest retry that is still to come.
  [[nodiscard]] std::optional<SteadyTime> next(SteadyTime now) const;

 private:
  struct Entry {
    Nanoseconds delay{};
    SteadyTime at{};
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace berth::lifecycle
