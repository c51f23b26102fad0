// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/every_instant.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "tests/simulation/short_life.hpp"

namespace berth::simulation {
namespace {

constexpr std::size_t kLivesCutTwice = 3;  // the shortest
constexpr std::size_t kFailuresShown = 20;

std::string text_of(const std::vector<Cut>& cuts) {
  std::string text;
  for (const Cut& cut : cuts)
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", cut.after, cut.written ? "k" : "");
  return text;
}

std::optional<Cut> read_cut(std::string_view text) {
  Cut cut;
  const auto end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, cut.after);
  if (error != std::errc() || cut.after == 0) return std::nullopt;
  cut.written = last != end && *last == 'k';
  if (last + (cut.written ? 1 : 0) != end) return std::nullopt;
  return cut;
}

struct LifeToCut {
  ShortLife life{};
  std::uint64_t handlers = 0;  // if berthd is not killed
  bool twice = false;
};

// The work shared by some threads: each takes the next first cut that is still free.
class Instants {
 public:
  explicit Instants(std::vector<LifeToCut> lives) : lives_(std::move(lives)) {
    for (const LifeToCut& life : lives_)
      for (std::uint64_t after = 1; after <= life.handlers; ++after)
        todo_.push_back({&life, after});
  }

  void run_all(std::uint64_t jobs) {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 1; i < jobs; ++i) threads.emplace_back([this] { run_some(); });
    run_some();
  }

  int report() const {
    const std::chrono::duration<double, std::ratio<3600>> hours = simulated_;
    fmt::print(
        "{} lives, {} instants; {} runs with one kill, {} with two; {:.1f} hours simulated\n",
        lives_.size(), todo_.size(), once_, twice_, hours.count());
    fmt::print("{} passed, {} failed\n", once_ + twice_ - failed_, failed_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  struct FirstCut {
    const LifeToCut* life = nullptr;
    std::uint64_t after = 0;
  };

  void run_some() {
    for (auto next = next_++; next < todo_.size(); next = next_++) {
      const auto [life, after] = todo_[next];
      const bool writing = cut_first(*life, {.after = after});
      if (writing) cut_first(*life, {.after = after, .written = true});
    }
  }

  bool cut_first(const LifeToCut& life, Cut cut) {
    const LifeOutcome first = take(life, {cut});
    for (std::uint64_t after = 1; life.twice && after <= first.handlers; ++after) {
      const LifeOutcome second = take(life, {cut, {.after = after}});
      if (second.writing) take(life, {cut, {.after = after, .written = true}});
    }
    return first.writing;
  }

  LifeOutcome take(const LifeToCut& life, const std::vector<Cut>& cuts) {
    LifeOutcome run = run_life(life.life, cuts);
    const std::scoped_lock lock(mutex_);
    simulated_ += run.outcome.simulated;
    (cuts.size() == 1 ? once_ : twice_) += 1;
    if (!run.outcome.violation) return run;
    if (++failed_ <= kFailuresShown)
      fmt::print("{} --life '{}' --cuts {}: {}\n", "berth-sim --every-instant", life.life.name,
                 text_of(cuts), *run.outcome.violation);
    std::fflush(stdout);
    return run;
  }

  const std::vector<LifeToCut> lives_;
  std::vector<FirstCut> todo_{};
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_{};
  std::uint64_t once_ = 0;
  std::uint64_t twice_ = 0;
  std::uint64_t failed_ = 0;
  Nanoseconds simulated_{};
};

int replay(const ShortLife& life, const std::vector<Cut>& cuts) {
  const auto run = run_life(life, cuts, [](const std::string& line) { fmt::print("{}\n", line); });
  if (run.outcome.violation) fmt::print("FAILED: {}\n", *run.outcome.violation);
  return run.outcome.violation ? 1 : 0;
}

void mark_shortest(std::vector<LifeToCut>& lives) {
  std::vector<LifeToCut*> by_length;
  for (LifeToCut& life : lives) by_length.push_back(&life);
  std::ranges::stable_sort(by_length, {}, &LifeToCut::handlers);
  for (std::size_t i = 0; i < std::min(kLivesCutTwice, by_length.size()); ++i)
    by_length[i]->twice = true;
}

}  // namespace

std::optional<std::vector<Cut>> read_cuts(std::string_view text) {
  std::vector<Cut> cuts;
  while (true) {
    const auto comma = text.find(',');
    const auto cut = read_cut(text.substr(0, comma));
    if (!cut) return std::nullopt;
    cuts.push_back(*cut);
    if (comma == std::string_view::npos) return cuts;
    text.remove_prefix(comma + 1);
  }
}

int run_every_instant(const EveryInstant& options) {
  std::vector<LifeToCut> lives;
  int code = 0;
  for (ShortLife& life : short_lives()) {
    if (options.life && *options.life != life.name) continue;
    if (!options.cuts.empty()) return replay(life, options.cuts);
    const LifeOutcome whole = run_life(life, {});
    fmt::print("{:5} instants: {}\n", whole.handlers, life.name);
    if (whole.outcome.violation) {
      fmt::print("without a kill: {}\n", *whole.outcome.violation);
      code = 1;
    }
    lives.push_back({.life = std::move(life), .handlers = whole.handlers});
  }
  std::fflush(stdout);
  if (lives.empty()) {
    fmt::print(stderr, "no such life; --every-instant alone lists them\n");
    return 2;
  }
  mark_shortest(lives);
  Instants instants(std::move(lives));
  instants.run_all(options.jobs);
  return std::max(code, instants.report());
}

}  // namespace berth::simulation
