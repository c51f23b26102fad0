// SPDX-License-Identifier: Apache-2.0

// berth-bench: measures berthd on a real containerd of its own. See README.md.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tests/bench/manifests.hpp"
#include "tests/bench/pod_runs.hpp"
#include "tests/bench/process_usage.hpp"
#include "tests/bench/recording_proxy.hpp"
#include "tests/bench/scenarios.hpp"

namespace berth::bench {
namespace {

struct Options {
  Measure measure{};
  std::vector<std::string> only{};
  std::string agent = BERTH_AGENT;
  bool breakdown = false;
};

// If all went well berthd's pods end in order; otherwise destructors clean up.
void run_scenarios(const Options& options, Bench& bench) {
  const SteadyTime started = bench.agent.start();
  bench.watch.wait_synced(started, kLimit);
  // The first pod pays for one-time work: unpacking images, reading pages. It does not count.
  static_cast<void>(make_ready(bench, "warm-up", plain_pod("warm-up")));
  remove_pod(bench, "warm-up");
  for (const Scenario& scenario : all_scenarios()) {
    const bool wanted = options.only.empty() ||
                        std::ranges::find(options.only, scenario.name) != options.only.end();
    if (!wanted) continue;
    std::cerr << fmt::format("==> {}: {}\n", scenario.name, scenario.what);
    const double before = load_average();
    scenario.run(bench);
    bench.report.note(
        fmt::format("load during {}: {:.2f} to {:.2f}", scenario.name, before, load_average()));
    bench.watch.forget_gone();
  }
  bench.agent.stop();
}

int measure(const Options& options) {
  Waiting waiting;
  std::cerr << "==> a private containerd\n";
  const BenchContainerd containerd(std::filesystem::path(BERTH_SOURCE_DIR) /
                                   "tests/integration/node");
  const std::string proxy_socket = containerd.dir() / "proxy.sock";
  const std::string proxied = "unix://" + proxy_socket;
  CallTrace trace;
  RuntimeEyes eyes(containerd.endpoint(), waiting);
  const RecordingProxy proxy(
      containerd.endpoint(), proxy_socket, trace,
      [&eyes](const std::string& id, SteadyTime at) { eyes.exit_event(id, at); });
  Report report;
  const double direct = milliseconds(version_call_takes(containerd.endpoint()));
  const double through = milliseconds(version_call_takes(proxied));
  report.note(
      fmt::format("a Version call takes {:.2f} ms, through the proxy {:.2f} ms", direct, through));
  BenchAgent agent(options.agent, containerd.dir(), proxied, containerd.cgroup_root());
  PodWatch watch(agent.socket(), kNodeName, waiting);
  Bench bench{options.measure,          waiting,         agent, trace, eyes, watch, report,
              containerd.cgroup_root(), containerd.dir()};
  const auto print = [&] { std::cout << report.text(options.breakdown) << std::flush; };
  try {
    run_scenarios(options, bench);
  } catch (const Interrupted&) {
    print();
    std::cerr << "==> interrupted; taking everything down\n";
    return 130;
  } catch (const std::exception& failure) {
    print();
    std::cerr << "error: " << failure.what() << "\n--- the end of berthd's log\n"
              << agent.log_end();
    return 1;
  }
  print();
  const auto missed = report.missed();
  for (const std::string& bound : missed) std::cerr << "missed: " << bound << "\n";
  return missed.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
  Options options;
  bool quick = false;
  std::vector<std::string> names;
  for (const Scenario& scenario : all_scenarios()) names.push_back(scenario.name);
  CLI::App app("Measures berthd on a real containerd: whole times, and the agent's own share.");
  app.add_option("--runs", options.measure.runs, "How often each thing is measured")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--quick", quick, "3 runs, 5 s for what takes a minute: to see that it works");
  app.add_option("--only", options.only, "Only this scenario (may be repeated)")
      ->check(CLI::IsMember(names));
  app.add_option("--agent", options.agent, "Another berthd than the one built beside this");
  app.add_flag("--breakdown", options.breakdown, "Calls and gaps, each with its time");
  app.footer("Exit code 1 when a median is over its bound.");
  CLI11_PARSE(app, argc, argv);
  if (quick) options.measure = {.runs = 3, .hold = std::chrono::seconds(5)};
  if (::geteuid() != 0) {
    std::cerr << "error: running pods needs root\n";
    return 1;
  }
  return measure(options);
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  try {
    return berth::bench::run(argc, argv);
  } catch (const std::exception& failure) {
    std::cerr << "error: " << failure.what() << "\n";
    return 1;
  }
}
