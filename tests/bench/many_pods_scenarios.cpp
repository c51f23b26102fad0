// SPDX-License-Identifier: Apache-2.0

// Forty pods: all at once, after a restart of berthd, idle, and the sequence whose calls count.
#include <fmt/format.h>

#include "base/real_clock.hpp"
#include "tests/bench/manifests.hpp"
#include "tests/bench/pod_runs.hpp"
#include "tests/bench/process_usage.hpp"
#include "tests/bench/scenarios.hpp"

namespace berth::bench {
namespace {

constexpr int kPods = 40;

// Records of all pods together.
const std::string kEveryPod;

double length_of(Interval window) {
  return milliseconds(window.end - window.begin);
}

// Bounds in MiB, for the process's own memory and its peak.
constexpr double kIdleBound = 5;
constexpr double kManyPodsBound = 9;
constexpr double kPeakBound = 25;

struct Idle {
  MemoryUsage memory{};
  double cpu_per_second = 0;  // ms
};

Idle watch_idle(Bench& bench) {
  const pid_t process = bench.agent.pid();
  const Nanoseconds before = cpu_time(process);
  bench.waiting.pause(bench.measure.hold);
  const Nanoseconds used = cpu_time(process) - before;
  const double seconds = std::chrono::duration<double>(bench.measure.hold).count();
  return {.memory = memory_of(process), .cpu_per_second = milliseconds(used) / seconds};
}

void report_memory(Bench& bench, const std::string& when, const MemoryUsage& memory, double bound,
                   const std::string& kubelet_anonymous, const std::string& kubelet_resident) {
  const auto add = [&](const std::string& name, double value, std::optional<double> limit,
                       const std::string& kubelet) {
    bench.report.add(Figure{name, "MiB", {value}, limit, kubelet});
  };
  add(when + ": RssAnon", memory.anonymous, bound, kubelet_anonymous);
  add("  Pss", memory.proportional, std::nullopt, "");
  add("  VmRSS", memory.resident, std::nullopt, kubelet_resident);
  add("  VmHWM", memory.peak, kPeakBound, "");
}

// Pods that a restart of berthd disturbed.
void report_disturbed(Bench& bench, int pods) {
  bench.report.add(Figure{.name = "  pods shown not Ready, or with another uid or container",
                          .unit = "times",
                          .samples = {static_cast<double>(pods)},
                          .bound = 0});
}

void start_afresh(Bench& bench) {
  bench.agent.stop();
  const SteadyTime started = bench.agent.start();
  bench.watch.wait_synced(started, kLimit);
  settle(bench);
}

// Each of the single pods once.
void single_pods(Bench& bench) {
  static_cast<void>(make_ready(bench, "plain", plain_pod("plain")));
  remove_pod(bench, "plain");
  static_cast<void>(make_ready(bench, "steps", steps_pod("steps")));
  remove_pod(bench, "steps");
  const auto exit = make_ready(bench, "exit", ending_pod("exit", 0, "OnFailure"));
  static_cast<void>(moments_of(bench, end_container(bench, exit).container_id));
  settle(bench);
  remove_pod(bench, "exit");
  const auto crash = make_ready(bench, "crash", ending_pod("crash", 1, "Always"));
  const auto ended = end_container(bench, crash);
  const auto again = [&](const PodState& state) {
    return is_ready(state) && state.containers.at("c") != ended.container_id;
  };
  bench.watch.wait("crash", "Ready again", ended.at, again, kLimit);
  settle(bench);
  remove_pod(bench, "crash");
}

}  // namespace

void measure_forty(Bench& bench) {
  Figure whole{
      .name = "40 pods at once: to the last one Ready", .unit = "ms", .kubelet = "5800 | 7400"};
  Figure own{.name = "  with no call outstanding for any pod", .unit = "ms"};
  for (int run = 0; run < bench.measure.runs; ++run) {
    const std::string prefix = fmt::format("forty-{}", run);
    const Interval window = make_many(bench, prefix, kPods, plain_pod);
    whole.samples.push_back(length_of(window));
    own.samples.push_back(milliseconds(own_share(bench.trace.spans(kEveryPod, window), window)));
    remove_many(bench, prefix, kPods);
  }
  for (const auto& figure : {whole, own}) bench.report.add(figure);
}

void measure_restart(Bench& bench) {
  Figure whole{
      .name = "killed and started again: to all 40 Ready", .unit = "ms", .kubelet = "5800 | 6100"};
  Figure own{.name = "  own share", .unit = "ms", .bound = 300};
  Breakdown breakdown("killed and started again");
  static_cast<void>(make_many(bench, "restart", kPods, plain_pod));
  int changed = 0;
  for (int run = 0; run < bench.measure.runs; ++run) {
    const auto restarted = restart_agent(bench, "restart", kPods);
    const auto spans = bench.trace.spans(kEveryPod, restarted.window);
    breakdown.add(spans, restarted.window);
    whole.samples.push_back(length_of(restarted.window));
    own.samples.push_back(milliseconds(own_share(spans, restarted.window)));
    changed += static_cast<int>(restarted.changed.size());
  }
  remove_many(bench, "restart", kPods);
  for (const auto& figure : {whole, own}) bench.report.add(figure);
  report_disturbed(bench, changed);
  bench.report.add(breakdown);
}

void measure_idle(Bench& bench) {
  start_afresh(bench);
  const Idle none = watch_idle(bench);
  static_cast<void>(make_many(bench, "idle", kPods, plain_pod));
  const Idle forty = watch_idle(bench);
  remove_many(bench, "idle", kPods);
  report_memory(bench, "after an idle minute, no pods", none.memory, kIdleBound, "21.8", "72-75");
  report_memory(bench, "after an idle minute, 40 pods", forty.memory, kManyPodsBound, "", "93");
  bench.report.add(Figure{"idle CPU, no pods", "ms/s", {none.cpu_per_second}, 0.5, "7.5-8.5"});
  bench.report.add(Figure{"idle CPU, 40 pods", "ms/s", {forty.cpu_per_second}, 0.5, "7.5-8.5"});
}

void measure_probes(Bench& bench) {
  start_afresh(bench);
  static_cast<void>(make_many(bench, "probed", kPods, probed_pod));
  const Idle probed = watch_idle(bench);
  const auto restarted = restart_agent(bench, "probed", kPods);
  remove_many(bench, "probed", kPods);
  bench.report.add(Figure{"CPU, 40 pods with an HTTP and a TCP probe a second",
                          "ms/s",
                          {probed.cpu_per_second},
                          13.2,
                          "66"});
  report_memory(bench, "a minute of 40 probed pods", probed.memory, kManyPodsBound, "36.1", "93");
  bench.report.add(
      Figure{"killed and started again with them", "ms", {length_of(restarted.window)}, {}, ""});
  report_disturbed(bench, static_cast<int>(restarted.changed.size()));
}

void measure_sequence(Bench& bench) {
  const RealClock clock;
  bench.agent.stop();
  Interval window{bench.agent.start(), {}};
  bench.watch.wait_synced(window.begin, kLimit);
  settle(bench);
  single_pods(bench);
  static_cast<void>(make_many(bench, "sequence", kPods, plain_pod));
  bench.waiting.pause(bench.measure.hold);
  static_cast<void>(restart_agent(bench, "sequence", kPods));
  remove_many(bench, "sequence", kPods);
  window.end = clock.steady_now();

  int sum = 0;
  std::string by_method;
  for (const auto& [method, count] : bench.trace.count_by_method(window)) {
    sum += count;
    by_method += fmt::format(" {} {},", method, count);
  }
  if (!by_method.empty()) by_method.pop_back();
  bench.report.add(Figure{
      "runtime calls of the whole sequence", "calls", {static_cast<double>(sum)}, 800.0, "3700"});
  bench.report.note("calls of the sequence:" + by_method);
}

std::vector<Scenario> all_scenarios() {
  return {
      {"plain", "one container, from manifest to Ready; its removal", measure_plain},
      {"quiet", "memory after a quiet minute, and a plain pod then", measure_quiet},
      {"steps", "init + sidecar + init + main, from manifest to Ready", measure_steps},
      {"exit", "a container's exit to phase Succeeded", measure_exit},
      {"crash", "a container's exit to its replacement", measure_crash},
      {"forty", "40 pods at once", measure_forty},
      {"restart", "berthd killed and started again with 40 pods", measure_restart},
      {"idle", "memory and CPU of an idle minute, without and with 40 pods", measure_idle},
      {"probes", "40 pods with one HTTP and one TCP probe a second each", measure_probes},
      {"sequence", "runtime calls of everything above, once", measure_sequence},
      {"eviction", "from crossing a threshold to the stop request, among 40 probed pods",
       measure_eviction},
      {"race", "a pod that fills memory against the kernel's OOM killer", measure_race},
  };
}

}  // namespace berth::bench
