// SPDX-License-Identifier: Apache-2.0

// How soon berthd acts when memory runs short, in the state in which nodes are: forty probed pods,
// a busy disk, and berthd idle for a minute before. Crossings are seen by the bench itself, from
// the kernel's counters; stop requests by the proxy. And the race against the kernel's OOM killer
// within the pods' own limit, so that the machine is never short of memory.
#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <stdexcept>

#include <unistd.h>

#include <fmt/format.h>

#include "base/real_clock.hpp"
#include "tests/bench/manifests.hpp"
#include "tests/bench/memory_watch.hpp"
#include "tests/bench/pod_runs.hpp"
#include "tests/bench/scenarios.hpp"
#include "tests/integration/process.hpp"

namespace berth::bench {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;
constexpr std::int64_t kGi = std::int64_t{1} << 30;

constexpr int kPods = 40;
// In GiB a second.
constexpr std::array kRates = {0.1, 0.5, 1.0, 2.0};
// Filled before the threshold is crossed; more than anything else on the machine takes meanwhile.
constexpr std::int64_t kBeforeIt = 1 * kGi;
constexpr double kBoundMs = 50;

// The race: all pods together may have this much, and one wants more.
constexpr std::int64_t kPodsMay = 3 * kGi;
constexpr std::int64_t kThreshold = 500 * kMi;

constexpr const char* kFiller = "filler";
constexpr const char* kEvictedStay = "recreateEvicted: Never\n";
// A pod without requests is not admitted while the node is short of memory.
constexpr const char* kSoonOver = "evictionPressureTransitionPeriod: 1s\n";

// Writes and syncs a file over and over while it lives.
class BusyDisk {
 public:
  explicit BusyDisk(const std::filesystem::path& dir)
      : writer_({"sh", "-c",
                 "while dd if=/dev/zero of=" + (dir / "busy").string() +
                     " bs=1M count=64 conv=fsync 2> /dev/null; do :; done"},
                "", false) {}

 private:
  integration::Background writer_;
};

struct Filled {
  Crossing crossing{};
  SteadyTime below_for_good{};
  SteadyTime stop_requested{};
  std::int64_t lowest = 0;  // available
  bool killed_by_kernel = false;
};

void restart_with(Bench& bench, const std::string& kubelet) {
  bench.agent.stop();
  bench.agent.configure(kubelet + kSoonOver, kEvictedStay);
  bench.watch.wait_synced(bench.agent.start(), kLimit);
  settle(bench);
}

void restart_as_before(Bench& bench) {
  bench.agent.stop();
  bench.agent.configure("", "");
  bench.watch.wait_synced(bench.agent.start(), kLimit);
}

ReadyPod make_filler(Bench& bench, double gibibytes_a_second, std::int64_t bytes) {
  const auto rate = static_cast<std::int64_t>(gibibytes_a_second * static_cast<double>(kGi));
  return make_ready(bench, kFiller, filling_pod(kFiller, BERTH_MEMORY_FILLER, rate, bytes));
}

// Lets the pod fill memory, until the pod is over. Unset if its stop was not requested.
std::optional<Filled> fill(Bench& bench, const ReadyPod& pod, MemoryWatch& memory,
                           std::int64_t threshold) {
  memory.begin();
  const SteadyTime since = RealClock{}.steady_now();
  ::kill(bench.eyes.pid_of(pod.state.containers.at("c")), SIGUSR1);
  const auto failed = [](const PodState& state) { return state.phase == "Failed"; };
  const PodState end = bench.watch.wait(kFiller, "Failed", since, failed, kLimit);
  const auto crossing = memory.below(threshold);
  if (!crossing) throw std::runtime_error("the pod failed before the threshold was crossed");
  Filled filled{.crossing = *crossing,
                .lowest = memory.lowest(),
                .killed_by_kernel = end.json.find("OOMKilled") != std::string::npos};
  const auto stop = bench.trace.first(pod.state.uid, "StopContainer", since);
  if (!stop) return std::nullopt;
  filled.stop_requested = stop->begin;
  filled.below_for_good = memory.below_for_good(threshold, stop->begin).value_or(stop->begin);
  return filled;
}

// Waits until the node is no longer short of memory, or the next filler would be refused.
void remove_filler(Bench& bench) {
  remove_pod(bench, kFiller);
  bench.waiting.pause(std::chrono::seconds(3));
}

// Only the pod that fills may be stopped: nobody else's stop is requested.
void check_others(Bench& bench, const ReadyPod& filler, SteadyTime since) {
  for (const CallRecord& call : bench.trace.calls({since, RealClock{}.steady_now()}))
    if (call.method == "StopContainer" && call.subject.pod_uid != filler.state.uid)
      throw std::runtime_error("a pod was stopped that does not fill memory");
}

Filled reaction(Bench& bench, double rate, MemoryWatch& memory) {
  const ReadyPod filler = make_filler(bench, rate, 2 * kBeforeIt);
  const std::int64_t threshold = memory.available() - kBeforeIt;
  restart_with(bench, fmt::format("evictionHard: {{memory.available: \"{}\"}}\n", threshold));
  const BusyDisk busy(bench.dir);
  bench.waiting.pause(bench.measure.hold);
  const SteadyTime since = RealClock{}.steady_now();
  const auto filled = fill(bench, filler, memory, threshold);
  if (!filled) throw std::runtime_error("the pod was not evicted");
  check_others(bench, filler, since);
  remove_filler(bench);
  return *filled;
}

std::string pods_cgroup(const Bench& bench) {
  return bench.cgroup_root + "/kubepods";
}

std::string outcome(const std::optional<Filled>& filled) {
  if (!filled) return "the kernel killed it first";
  return fmt::format(
      "reached {:.2f}; evicted {:.1f} ms after the crossing, {} MiB left at the least{}",
      filled->crossing.bytes_a_second / static_cast<double>(kGi),
      milliseconds(filled->stop_requested - filled->crossing.at), filled->lowest / kMi,
      filled->killed_by_kernel ? "; the kernel killed it before it had ended" : "");
}

}  // namespace

void measure_eviction(Bench& bench) {
  static_cast<void>(make_many(bench, "node", kPods, probed_pod));
  MemoryWatch memory("/");
  const int runs = std::max(1, bench.measure.runs / 10);
  for (const double rate : kRates) {
    Figure figure{
        .name = fmt::format("memory filled at {} GiB/s: threshold crossed to StopContainer", rate),
        .unit = "ms",
        .bound = kBoundMs,
        .kubelet = "up to 10000"};
    Figure lasting{.name = "  from the last reading above it", .unit = "ms"};
    Figure reached{.name = "  rate that was reached", .unit = "GiB/s"};
    for (int run = 0; run < runs; ++run) {
      const Filled filled = reaction(bench, rate, memory);
      figure.samples.push_back(milliseconds(filled.stop_requested - filled.crossing.at));
      lasting.samples.push_back(milliseconds(filled.stop_requested - filled.below_for_good));
      reached.samples.push_back(filled.crossing.bytes_a_second / static_cast<double>(kGi));
    }
    bench.report.add(figure);
    bench.report.add(lasting);
    bench.report.add(reached);
  }
  remove_many(bench, "node", kPods);
  restart_as_before(bench);
}

void measure_race(Bench& bench) {
  static_cast<void>(make_many(bench, "node", kPods, probed_pod));
  const std::int64_t all = ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE);
  restart_with(bench, fmt::format("enforceNodeAllocatable: [pods]\n"
                                  "systemReserved: {{memory: \"{}\"}}\n"
                                  "evictionHard: {{memory.available: \"{}\"}}\n",
                                  all - kPodsMay, kThreshold));
  MemoryWatch memory(pods_cgroup(bench));
  for (const double rate : kRates) {
    const ReadyPod filler = make_filler(bench, rate, kPodsMay + kGi);
    bench.waiting.pause(std::min<Nanoseconds>(bench.measure.hold, std::chrono::seconds(10)));
    const SteadyTime since = RealClock{}.steady_now();
    const auto filled = fill(bench, filler, memory, kThreshold);
    check_others(bench, filler, since);
    bench.report.note(
        fmt::format("race at {} GiB/s with {} MiB between the threshold and the limit: {}", rate,
                    kThreshold / kMi, outcome(filled)));
    remove_filler(bench);
  }
  remove_many(bench, "node", kPods);
  restart_as_before(bench);
}

}  // namespace berth::bench
