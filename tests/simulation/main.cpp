// SPDX-License-Identifier: Apache-2.0

// berth-sim: runs seeds of the simulation, or replays one with its trace.
//
// Seeds share nothing, so each of some threads takes the next one that is still free.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tests/simulation/every_instant.hpp"
#include "tests/simulation/world.hpp"

namespace berth::simulation {
namespace {

constexpr std::string_view kUsage =
    "usage: berth-sim [--seeds N] [--from S] [--seed S] [--jobs J] [--until-failure] [--hashes]\n"
    "       berth-sim --every-instant [--life NAME [--cuts CUTS]] [--jobs J]\n"
    "  --seeds N  how many seeds to run (1000)\n"
    "  --from S   the first of them (1)\n"
    "  --seed S   replay one seed and print what happens in it\n"
    "  --jobs J   how many to run at once (as many as there are processors)\n"
    "  --until-failure  stop at the first seed that fails\n"
    "  --hashes   a line for each seed: SEED TRACE LEDGER; a change that moves code and means\n"
    "             nothing else leaves all of them as they are\n"
    "  --every-instant  short lives, in which berthd is killed between any two handlers\n"
    "  --life NAME      only this one of them\n"
    "  --cuts CUTS      one run of it, traced: 120 kills after the 120th handler, 120k keeps what "
    "is\n"
    "                   being written then, 120,35k kills the next berthd after its 35th as well\n";

struct Options {
  std::uint64_t count = 1000;
  std::uint64_t from = 1;
  std::uint64_t jobs = std::max(1U, std::thread::hardware_concurrency());
  std::optional<std::uint64_t> replay{};
  bool until_failure = false;
  bool hashes = false;
  bool every_instant = false;
  std::optional<std::string> life{};
  std::vector<Cut> cuts{};
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

std::optional<Options> read_arguments(const std::vector<std::string_view>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--until-failure") {
      options.until_failure = true;
      continue;
    }
    if (arguments[i] == "--hashes") {
      options.hashes = true;
      continue;
    }
    if (arguments[i] == "--every-instant") {
      options.every_instant = true;
      continue;
    }
    if (arguments[i] == "--life" && i + 1 < arguments.size()) {
      options.life = arguments[++i];
      continue;
    }
    if (arguments[i] == "--cuts" && i + 1 < arguments.size()) {
      auto cuts = read_cuts(arguments[++i]);
      if (!cuts) return std::nullopt;
      options.cuts = std::move(*cuts);
      continue;
    }
    const auto value = i + 1 < arguments.size() ? number(arguments[i + 1]) : std::nullopt;
    if (!value) return std::nullopt;
    if (arguments[i] == "--seeds") {
      options.count = *value;
    } else if (arguments[i] == "--from") {
      options.from = *value;
    } else if (arguments[i] == "--jobs" && *value > 0) {
      options.jobs = *value;
    } else if (arguments[i] == "--seed") {
      options.replay = *value;
    } else {
      return std::nullopt;
    }
    ++i;
  }
  if (!options.every_instant && (options.life || !options.cuts.empty())) return std::nullopt;
  if (!options.cuts.empty() && !options.life) return std::nullopt;
  return options;
}

int replay(std::uint64_t seed) {
  const auto print = [](const std::string& line) { fmt::print("{}\n", line); };
  const auto outcome = run_seed(seed, print);
  fmt::print("seed {}: {} lines, trace {:016x}, {} calls to the runtime\n", seed,
             outcome.trace_lines, outcome.trace_hash, outcome.runtime_calls);
  if (outcome.violation) fmt::print("FAILED: {}\n", *outcome.violation);
  return outcome.violation ? 1 : 0;
}

// The work shared by some threads: seeds are taken one after another, their outcomes are added up.
class Seeds {
 public:
  explicit Seeds(const Options& options) : options_(options), next_(options.from) {}

  void run_all() {
    std::vector<std::jthread> threads;
    const auto jobs = std::min(options_.jobs, options_.count);
    for (std::uint64_t i = 1; i < jobs; ++i) threads.emplace_back([this] { run_some(); });
    run_some();
  }

  int report() {
    std::ranges::sort(failed_);
    if (!failed_.empty()) {
      fmt::print("failing seeds: {}\nreplay one with its trace: berth-sim --seed {}\n",
                 fmt::join(failed_, " "), failed_.front());
    }
    const std::chrono::duration<double, std::ratio<3600>> hours = simulated_;
    fmt::print("{} passed, {} failed; {:.1f} hours simulated\n", passed_, failed_.size(),
               hours.count());
    return failed_.empty() ? 0 : 1;
  }

 private:
  void run_some() {
    for (auto seed = next_++; seed < options_.from + options_.count && !enough_; seed = next_++)
      take(seed, run_seed(seed));
  }

  void take(std::uint64_t seed, const Outcome& outcome) {
    const std::scoped_lock lock(mutex_);
    simulated_ += outcome.simulated;
    if (options_.hashes)
      fmt::print("{} {:016x} {:016x}\n", seed, outcome.trace_hash, outcome.ledger_hash);
    if (!outcome.violation) {
      ++passed_;
      return;
    }
    failed_.push_back(seed);
    fmt::print("seed {}: {}\n", seed, *outcome.violation);
    std::fflush(stdout);
    if (options_.until_failure) enough_ = true;
  }

  const Options options_;
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> enough_ = false;
  std::mutex mutex_{};
  std::vector<std::uint64_t> failed_{};
  std::uint64_t passed_ = 0;
  Nanoseconds simulated_{};
};

}  // namespace
}  // namespace berth::simulation

int main(int argc, char** argv) {
  using namespace berth::simulation;
  const auto options = read_arguments({argv + 1, argv + argc});
  if (!options) {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  if (options->every_instant)
    return run_every_instant({.life = options->life, .cuts = options->cuts, .jobs = options->jobs});
  if (options->replay) return replay(*options->replay);
  Seeds seeds(*options);
  seeds.run_all();
  return seeds.report();
}
