// SPDX-License-Identifier: Apache-2.0

// berth-bench-scheduling: the speed of the scheduling core, compared with the real scheduler.
//
// First the decisions: the checksums of the workload must equal those of kube-scheduler 1.34.9.
// Then pods per second with all nodes considered and with the default sampling, against what the
// real scheduler reached on the same kind of machine (one core), in CPU time, so that other work on
// the machine does not count. Then the memory of a node and a pod; and how the cost of a decision
// grows with the cluster. Exits 1 when a checksum differs or a bound is missed.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scheduling/cycle/scheduler.hpp"
#include "tests/bench/process_usage.hpp"
#include "tests/bench/scheduling_workload.hpp"

namespace berth::bench {
namespace {

using scheduling::Cluster;
using scheduling::Decision;
using scheduling::NodeIndex;
using scheduling::Scheduler;

constexpr std::int64_t kPods = 500;
constexpr int kRuns = 5;
// The bound: this many times the real scheduler's pods per second.
constexpr double kTimesFaster = 50;

// kube-scheduler 1.34.9 on one core: pods per second and checksum.
struct Reference {
  std::int64_t nodes;
  PodKind kind;
  double sampled;
  double all;
  std::uint64_t checksum;
  std::string_view first;
  double feasible;
};
constexpr Reference kReferences[] = {
    {1000, PodKind::kPlain, 1059, 470, 0x3aa1ea4a3c37ff38,
     "8(495) 62(494) 979(494) 404(494) 304(495) 701(494) 692(494) 96(494)", 950.0},
    {1000, PodKind::kSpread, 410, 295, 0xe5e19cea2e011b0f,
     "8(695) 62(694) 979(694) 404(694) 304(695) 701(694) 692(694) 96(694)", 646.0},
    {1000, PodKind::kAnti, 410, 283, 0x28537a5b5fe1cba5,
     "8(495) 62(494) 979(494) 404(494) 304(495) 701(494) 692(494) 96(494)", 938.0},
    {5000, PodKind::kPlain, 780, 88, 0x35e56a3f1dfa30c3,
     "8(495) 51(494) 2976(494) 2140(494) 2572(495) 224(494) 4101(494) 1536(494)", 4750.0},
    {5000, PodKind::kSpread, 105, 41, 0xe0ab01e6c3543c57,
     "8(695) 51(694) 2976(694) 2140(694) 2572(695) 224(694) 4101(694) 1536(694)", 3229.9},
    {5000, PodKind::kAnti, 91, 41, 0x3e35f6e399ea1a3d,
     "8(495) 51(494) 2976(494) 2140(494) 2572(495) 224(494) 4101(494) 1536(494)", 4738.0},
};

class Checksum {  // FNV-1a, 64 bits
 public:
  void add(std::string_view text) {
    for (const char byte : text) {
      hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037U;
};

struct Run {
  double seconds = 0;
  std::uint64_t checksum = 0;
  std::string first{};
  double feasible = 0;  // on average
};

// Among the best nodes by name, number (7919·pod) mod (how many there are).
NodeIndex pick(std::vector<NodeIndex> best, std::int64_t pod, const Cluster& cluster) {
  const auto place =
      static_cast<std::ptrdiff_t>((7919 * pod) % static_cast<std::int64_t>(best.size()));
  std::nth_element(best.begin(), best.begin() + place, best.end(), [&](NodeIndex a, NodeIndex b) {
    return cluster.node(a).name < cluster.node(b).name;
  });
  return best[static_cast<std::size_t>(place)];
}

Run run(std::int64_t nodes, PodKind kind, std::int32_t percentage) {
  Cluster cluster;
  add_nodes(cluster, nodes);
  add_existing_pods(cluster, nodes);
  scheduling::Profile profile;
  profile.percentageOfNodesToScore = percentage;
  Scheduler scheduler(cluster, profile);
  std::vector<api::Pod> pods;
  for (std::int64_t j = 0; j < kPods; ++j) pods.push_back(pending_pod(j, kind));

  Run run;
  Checksum checksum;
  std::size_t start = 0;
  std::size_t feasible = 0;
  const Nanoseconds begin = cpu_time(getpid());
  for (std::int64_t j = 0; j < kPods; ++j) {
    Decision decision = scheduler.decide(pods[static_cast<std::size_t>(j)], start);
    if (decision.best.empty()) break;
    start = decision.next_start;
    feasible += decision.feasible;
    const std::string& name = cluster.node(pick(std::move(decision.best), j, cluster)).name;
    checksum.add(fmt::format("{}:{}\n", j, name));
    if (j < 8) {
      run.first += fmt::format("{}{}({})", j == 0 ? "" : " ", std::stoll(name.substr(5)),
                               decision.total.value_or(0));
    }
    cluster.add_pod(scheduler.pod().info, name);
  }
  run.seconds = std::chrono::duration<double>(cpu_time(getpid()) - begin).count();
  run.checksum = checksum.value();
  run.feasible = static_cast<double>(feasible) / static_cast<double>(kPods);
  return run;
}

Run best_of(std::int64_t nodes, PodKind kind, std::int32_t percentage, int runs) {
  Run best = run(nodes, kind, percentage);
  for (int i = 1; i < runs; ++i) {
    Run next = run(nodes, kind, percentage);
    if (next.seconds < best.seconds) best = std::move(next);
  }
  return best;
}

double micros_per_pod(const Run& run) {
  return run.seconds * 1e6 / static_cast<double>(kPods);
}

bool compare(const Reference& reference) {
  const Run all = best_of(reference.nodes, reference.kind, 100, kRuns);
  const Run sampled = best_of(reference.nodes, reference.kind, 0, kRuns);
  const bool same = all.checksum == reference.checksum && all.first == reference.first;
  const double rate = static_cast<double>(kPods) / all.seconds;
  const double sampled_rate = static_cast<double>(kPods) / sampled.seconds;
  const double faster = rate / reference.all;
  fmt::print("{:>6} {:<7} {:016x} {:<9} {:>8.1f} {:>9.0f} {:>8.1f} {:>6.0f}x {:>11.0f} {:>6.0f}x\n",
             reference.nodes, name_of(reference.kind), all.checksum, same ? "same" : "DIFFERENT",
             all.feasible, rate, micros_per_pod(all), faster, sampled_rate,
             sampled_rate / reference.sampled);
  if (!same)
    fmt::print("       expected {:016x} {}\n       got      {:016x} {}\n", reference.checksum,
               reference.first, all.checksum, all.first);
  return same && faster >= kTimesFaster;
}

void print_memory() {
  constexpr std::int64_t kNodes = 5000;
  constexpr double kBytes = 1024 * 1024;
  const auto used = [] { return memory_of(getpid()).anonymous * kBytes; };
  const double before = used();
  Cluster cluster;
  add_nodes(cluster, kNodes);
  const double with_nodes = used();
  add_existing_pods(cluster, kNodes);
  const double with_pods = used();
  Scheduler scheduler(cluster, {.percentageOfNodesToScore = 100});
  for (std::int64_t j = 0; j < kPods; ++j) {
    const api::Pod pod = pending_pod(j, kPodKinds[static_cast<std::size_t>(j % 3)]);
    const Decision decision = scheduler.decide(pod);
    cluster.add_pod(scheduler.pod().info, cluster.node(decision.best.front()).name);
  }
  const double with_columns = used();
  const auto nodes = static_cast<double>(kNodes);
  fmt::print(
      "\nmemory: {:.0f} bytes a node, {:.0f} a pod; columns after {} pods of all kinds: "
      "{:.0f} bytes a node\n",
      (with_nodes - before) / nodes, (with_pods - with_nodes) / (nodes * kPodsOnNode), kPods,
      (with_columns - with_pods) / nodes);
}

void print_growth() {
  fmt::print("\nmicroseconds a pod, all nodes looked at, by the number of nodes\n{:>7}", "nodes");
  for (const PodKind kind : kPodKinds) fmt::print(" {:>9}", name_of(kind));
  fmt::print("\n");
  for (const std::int64_t nodes : {100, 500, 1000, 5000, 10000, 20000, 50000}) {
    fmt::print("{:>7}", nodes);
    for (const PodKind kind : kPodKinds) {
      fmt::print(" {:>9.1f}", micros_per_pod(best_of(nodes, kind, 100, nodes > 10000 ? 1 : 3)));
    }
    fmt::print("\n");
  }
}

int main_of_bench() {
  // First, while nothing else has left memory behind.
  print_memory();
  fmt::print("\n{} pods, best of {} runs, one thread; load {:.2f}\n", kPods, kRuns, load_average());
  fmt::print("{:>6} {:<7} {:<16} {:<9} {:>8} {:>9} {:>8} {:>7} {:>11} {:>7}\n", "nodes", "pods",
             "checksum", "", "feasible", "pods/s", "us/pod", "faster", "sampled/s", "faster");
  bool holds = true;
  for (const Reference& reference : kReferences) holds = compare(reference) && holds;
  print_growth();
  if (!holds) fmt::print("\na checksum differs, or less than {}x was reached\n", kTimesFaster);
  return holds ? 0 : 1;
}

}  // namespace
}  // namespace berth::bench

int main() {
  return berth::bench::main_of_bench();
}
