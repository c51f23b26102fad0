// berth-sim: runs seeds of the simulation, or replays one with its trace.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/simulation/world.hpp"

namespace berth::simulation {
namespace {

constexpr std::string_view kUsage =
    "usage: berth-sim [--seeds N] [--from S] [--seed S] [--until-failure]\n"
    "  --seeds N  how many seeds to run (1000)\n"
    "  --from S   the first of them (1)\n"
    "  --seed S   replay one seed and print what happens in it\n"
    "  --until-failure  stop at the first seed that fails\n";

struct Wish {
  std::uint64_t count = 1000;
  std::uint64_t from = 1;
  std::optional<std::uint64_t> replay{};
  bool until_failure = false;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

std::optional<Wish> read_arguments(const std::vector<std::string_view>& arguments) {
  Wish wish;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--until-failure") {
      wish.until_failure = true;
      continue;
    }
    const auto value = i + 1 < arguments.size() ? number(arguments[i + 1]) : std::nullopt;
    if (!value) return std::nullopt;
    if (arguments[i] == "--seeds") {
      wish.count = *value;
    } else if (arguments[i] == "--from") {
      wish.from = *value;
    } else if (arguments[i] == "--seed") {
      wish.replay = *value;
    } else {
      return std::nullopt;
    }
    ++i;
  }
  return wish;
}

int replay(std::uint64_t seed) {
  const auto print = [](const std::string& line) { fmt::print("{}\n", line); };
  const auto outcome = run_seed(seed, print);
  fmt::print("seed {}: {} lines, trace {:016x}, {} calls to the runtime\n", seed,
             outcome.trace_lines, outcome.trace_hash, outcome.runtime_calls);
  if (outcome.violation) fmt::print("FAILED: {}\n", *outcome.violation);
  return outcome.violation ? 1 : 0;
}

int run_many(const Wish& wish) {
  std::vector<std::uint64_t> failed;
  std::uint64_t passed = 0;
  for (std::uint64_t seed = wish.from; seed < wish.from + wish.count; ++seed) {
    const auto outcome = run_seed(seed);
    if (!outcome.violation) {
      ++passed;
      continue;
    }
    failed.push_back(seed);
    fmt::print("seed {}: {}\n", seed, *outcome.violation);
    std::fflush(stdout);
    if (wish.until_failure) break;
  }
  if (!failed.empty()) {
    fmt::print("failing seeds: {}\nreplay one with its trace: berth-sim --seed {}\n",
               fmt::join(failed, " "), failed.front());
  }
  fmt::print("{} passed, {} failed\n", passed, failed.size());
  return failed.empty() ? 0 : 1;
}

}  // namespace
}  // namespace berth::simulation

int main(int argc, char** argv) {
  using namespace berth::simulation;
  const auto wish = read_arguments({argv + 1, argv + argc});
  if (!wish) {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  return wish->replay ? replay(*wish->replay) : run_many(*wish);
}
