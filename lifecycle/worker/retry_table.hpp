// SPDX-License-Identifier: Apache-2.0

// When failed actions are retried: each action (the sandbox, one container, the clean-up) on its
// own.
//
// Pure: `now` is passed in. If nobody answered: first after 100 ms, then doubling to 10 s, so that
// a hiccup goes unnoticed and a runtime that keeps failing is barely burdened. A refused container
// is refused again until somebody fixes something: 2 s, doubling to 15 s. The kubelet requeues a
// failed pod after 10 to 15 s whatever failed, which is its polling.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::lifecycle {

struct RetryPace {
  Nanoseconds first{};
  Nanoseconds ceiling{};
};

inline constexpr RetryPace kHiccup{std::chrono::milliseconds{100}, std::chrono::seconds{10}};
inline constexpr RetryPace kRefusal{std::chrono::seconds{2}, std::chrono::seconds{15}};

// The pace for a container's start.
[[nodiscard]] const RetryPace& pace_after(ErrorCode code);

class RetryTable {
 public:
  void failed(const std::string& key, SteadyTime now, const RetryPace& pace = kHiccup);
  void succeeded(const std::string& key) { entries_.erase(key); }
  // Everything may be retried at once: the cause of the failures was removed.
  void clear() { entries_.clear(); }
  // The same for keys that begin with `prefix`.
  void clear(const std::string& prefix);

  [[nodiscard]] bool due(const std::string& key, SteadyTime now) const;
  // Whether it failed the last time, and has not succeeded since.
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
