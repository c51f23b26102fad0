// SPDX-License-Identifier: Apache-2.0

// What happened in a run, one line each: virtual time and a sentence.
//
// Every line goes into a hash, so that two runs of a seed can be compared to the byte without
// keeping them; the lines themselves are printed only when asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/clock_types.hpp"
#include "tests/ledger/text_hash.hpp"

namespace berth::simulation {

class Trace {
 public:
  using Sink = std::function<void(const std::string& line)>;

  // Without a sink only the hash is kept.
  explicit Trace(Sink sink = {}) : sink_(std::move(sink)) {}

  void line(SteadyTime now, std::string_view who, std::string what);

  // A folder that this run made for itself: its name appears in no line.
  void leave_out(std::string folder) { folder_ = std::move(folder); }
  // From now on `name` is printed instead of `id`.
  void name(const std::string& id, std::string name) { names_[id] = std::move(name); }
  [[nodiscard]] std::string readable(std::string text) const;

  [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }
  [[nodiscard]] std::uint64_t lines() const { return lines_; }

 private:
  Sink sink_;
  std::string folder_{};  // empty if none
  std::map<std::string, std::string> names_{};
  ledger_test::TextHash hash_{};
  std::uint64_t lines_ = 0;
};

}  // namespace berth::simulation
