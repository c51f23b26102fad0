// SPDX-License-Identifier: Apache-2.0

// berth-bench-probes: many probes on one loop, against targets on a loopback whose connections the
// kernel tracks.
//
// The targets are a separate process, on another processor if there is one. Prints figures; exits 1
// if a bound is missed, or could not be measured. Needs root, for a network namespace, and no
// container runtime.
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/bench/bare_loop.hpp"
#include "tests/bench/probe_load.hpp"
#include "tests/bench/probe_targets.hpp"
#include "tests/bench/process_usage.hpp"
#include "tests/bench/tracked_network.hpp"

namespace berth::bench {
namespace {

struct Options {
  std::vector<ProbeKind> kinds{ProbeKind::kHttp, ProbeKind::kTcp};
  std::optional<int> probes{};  // unset for as many as leave half a processor free
  int seconds = 180;
};

constexpr double kLatenessBound = 20;      // ms, 99th percentile
constexpr double kMemoryBound = 2 * 1024;  // bytes per probe
constexpr double kProcessorBound = 0.5;
// A target with a margin, so that a minute that costs more than the trial stays within the bound.
constexpr double kProcessorAim = 0.46;
constexpr int kTrials = 3;
constexpr int kTrialSeconds = 5;
constexpr int kFirstTrial = 4'000;  // probes a second
// Closed by reset, this many take 150,000 of a default table's entries, and the kernel is slow to
// free another 65,000 that are over.
constexpr int kMostProbes = 15'000;
constexpr int kBareExchanges = 10'000;  // before, and as many after

// Against a bare loop of connect, send, receive, close.
double ratio_bound(ProbeKind kind) {
  return kind == ProbeKind::kHttp ? 2.0 : 1.5;
}

std::string name_of(ProbeKind kind) {
  return kind == ProbeKind::kHttp ? "HTTP" : "TCP";
}

// Prints a figure with its bound; false if missed.
bool within(const std::string& what, double figure, double bound, const std::string& unit = {}) {
  const bool good = figure <= bound;
  std::cout << fmt::format("  {:<28} {:>8.4g}{} (bound {:g}){}\n", what, figure, unit, bound,
                           good ? "" : "  MISSED");
  return good;
}

void print_lateness(const probes::ProberCounts& counts) {
  std::cout << "  lateness of starts:";
  for (std::size_t i = 0; i < counts.late.size(); ++i) {
    if (counts.late.at(i) == 0) continue;
    const bool last = i == probes::kLateBounds.size();
    std::cout << fmt::format(" {}{} ms: {}",
                             last ? ">" : "<=", probes::kLateBounds.at(last ? i - 1 : i),
                             counts.late.at(i));
  }
  std::cout << "\n";
}

// The rate that leaves about half a processor free: a probe's cost falls with their number.
int highest_rate(ProbeLoad load) {
  load.probes = kFirstTrial;
  load.seconds = kTrialSeconds;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double used = run_probes(load).processor_used();
    load.probes = std::min(static_cast<int>(load.probes * kProcessorAim / used), kMostProbes);
  }
  return load.probes;
}

struct BareCosts {
  Nanoseconds whole{};
  Nanoseconds connect_only{};
};

BareCosts bare_costs(const ProbeLoad& load) {
  return {.whole = bare_cost(BareExchange::kWhole, kBareExchanges, load.addresses, load.port),
          .connect_only =
              bare_cost(BareExchange::kConnectOnly, kBareExchanges, load.addresses, load.port)};
}

// Entries left by the trials and the bare loops stay for two minutes, and the kernel is slow to
// free them: without this wait, probes would meet a table filled by others.
void await_forgotten_connections() {
  constexpr std::chrono::milliseconds kEvery{200};
  constexpr auto kLooks = std::chrono::minutes{4} / kEvery;
  for (auto looks = kLooks; looks > 0; --looks) {
    const TrackedConnections table = tracked_connections();
    if (table.entries <= table.limit / 32) return;
    ::poll(nullptr, 0, static_cast<int>(kEvery.count()));
  }
}

double microseconds(Nanoseconds time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

bool measure(ProbeKind kind, const Options& options, std::uint16_t port) {
  ProbeLoad load{.kind = kind, .port = port};
  load.probes = options.probes ? *options.probes : highest_rate(load);
  load.seconds = options.seconds;
  const BareCosts before = bare_costs(load);
  await_forgotten_connections();
  const LoadFigures figures = run_probes(load);
  const BareCosts after = bare_costs(load);
  const double bare = microseconds(before.whole + after.whole) / 2;
  const double connect_only = microseconds(before.connect_only + after.connect_only) / 2;
  const double cost = microseconds(figures.cost());

  std::cout << fmt::format("{}: {} probes a second for {} s; {} runs, load {:.1f}\n", name_of(kind),
                           load.probes, load.seconds, figures.counts.runs, load_average());
  std::cout << fmt::format(
      "  {:.1f} µs a probe; a bare connect, send, receive, close {:.1f} µs (before {:.1f}, after "
      "{:.1f}), a bare connect, close {:.1f} µs\n",
      cost, bare, microseconds(before.whole), microseconds(after.whole), connect_only);
  bool good = within("cost, in bare exchanges", cost / bare, ratio_bound(kind));
  good &= within("lateness p99", late_within(figures.counts, 0.99), kLatenessBound, " ms");
  good &= within("processor", figures.processor_used(), kProcessorBound);
  good &= within("failed or errored", static_cast<double>(figures.bad), 0);
  good &= within("bytes a probe", figures.bytes_a_probe, kMemoryBound);
  print_lateness(figures.counts);
  std::cout << fmt::format("  worst lateness {}, resident {:.1f} MiB\n",
                           probes::short_time(figures.worst_late), memory_of(::getpid()).resident);
  std::cout << fmt::format(
      "  tracked connections: {} at the worst moment, of {}; {} connections closed by reset, {} "
      "times out of ports, {} out of descriptors\n",
      figures.most_tracked, figures.tracking.table.limit, figures.sockets.resets,
      figures.sockets.out_of_ports, figures.sockets.out_of_files);
  if (figures.bad > 0) std::cout << "  the last event: " << figures.last_event << "\n";
  return good;
}

void pin_to(int processor) {
  if (::sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(processor), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

void raise_descriptor_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

Options options_from(std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i];
    const bool more = i + 1 < arguments.size();
    if (word == "--probes" && more) {
      options.probes = std::max(std::atoi(arguments[++i]), 1);
    } else if (word == "--seconds" && more) {
      options.seconds = std::max(std::atoi(arguments[++i]), 1);
    } else if (word == "http") {
      options.kinds = {ProbeKind::kHttp};
    } else if (word == "tcp") {
      options.kinds = {ProbeKind::kTcp};
    } else if (word != "both") {
      std::cerr << "usage: ./dev bench probes [http|tcp|both] [--probes N] [--seconds N]\n";
      std::exit(2);
    }
  }
  return options;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth::bench;
  const Options options = options_from({argv, static_cast<std::size_t>(argc)});
  raise_descriptor_limit();
  const auto network = enter_tracked_network();
  if (!network)
    std::cout << "connections are NOT tracked here: " << network.error().message
              << "\nwhat follows says nothing about a node with CNI\n";
  ProbeTargets targets;
  const pid_t server = ::fork();
  if (server == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin_to(1);
    targets.serve();
  }
  pin_to(0);
  bool good = network.has_value();
  for (const ProbeKind kind : options.kinds) good &= measure(kind, options, targets.port());
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
  return good ? 0 : 1;
}
