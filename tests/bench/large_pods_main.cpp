// SPDX-License-Identifier: Apache-2.0

// berth-bench-large-pods: how long a single large pod blocks the loop, so that nothing else of the
// agent gets its turn, in particular no probe.
//
// The pod set and its worker run unchanged on the simulation's fake runtime, in virtual time; each
// turn of the loop is measured in CPU time of the thread. Not covered: the CRI client's messages,
// and decoding, which runs on the pool.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <vector>

#include <fmt/format.h>

#include "lifecycle/ledger/ledger.hpp"
#include "tests/bench/process_usage.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

// The lateness allowed for a probe.
constexpr double kLongestTurn = 20;

double cpu_milliseconds() {
  return std::chrono::duration<double, std::milli>(bench::cpu_time(::getpid())).count();
}

class DroppingLedger final : public Ledger {
 public:
  void write(LedgerRecord record) override { bytes += record.input.size(); }
  std::size_t bytes = 0;
};

struct Case {
  std::string what{};
  std::function<void(api::Pod&)> make{};
};

// As large as the default maxManifestValues allows, 20,000 values.
std::vector<Case> cases() {
  return {
      {"a plain pod", [](api::Pod&) {}},
      {"6,600 ports",
       [](api::Pod& pod) {
         for (int i = 0; i < 6'600; ++i)
           pod.spec.containers[0].ports.push_back({.containerPort = 1 + i, .protocol = "TCP"});
       }},
      {"6,600 variables",
       [](api::Pod& pod) {
         for (int i = 0; i < 6'600; ++i)
           pod.spec.containers[0].env.push_back({.name = fmt::format("V{}", i), .value = "value"});
       }},
      {"19,900 labels",
       [](api::Pod& pod) {
         for (int i = 0; i < 19'900; ++i) pod.metadata.labels[fmt::format("key-{}", i)] = "value";
       }},
      {"1 MiB of annotations",
       [](api::Pod& pod) { pod.metadata.annotations["a"] = std::string(1U << 20U, 'x'); }},
      {"190 containers",
       [](api::Pod& pod) {
         for (int i = 0; i < 189; ++i) {
           pod.spec.containers.push_back(pod.spec.containers[0]);
           pod.spec.containers.back().name = fmt::format("c{}", i);
         }
       }},
  };
}

class Turns : public PodSetTest {
 public:
  void TestBody() override {}
  // The longest turn, in milliseconds.
  double measure(const Case& one) {
    DroppingLedger dropping;
    ledger = &dropping;
    SetUp();
    drain();
    const auto made = pod("u1", {container("main", {"sim"})});
    one.make(*made);
    std::vector<double> turns;
    const auto timed = [&turns](const std::function<void()>& turn) {
      const double before = cpu_milliseconds();
      turn();
      turns.push_back(cpu_milliseconds() - before);
    };
    timed([&] { agent->pods().set_desired({made}); });
    const auto steps = [&] {
      for (int step = 0; step < 2000; ++step) {
        if (loop.stopped()) loop.restart();
        for (bool ran = true; ran;) timed([&] { ran = loop.poll_one() > 0; });
        if (!clock.step()) break;
      }
    };
    steps();
    const std::string phase = shown.last ? shown.last->status.phase : "not shown";
    timed([&] { agent->pods().set_desired({}); });
    steps();
    std::ranges::sort(turns, std::greater<>());
    double sum = 0;
    for (const double turn : turns) sum += turn;
    std::cout << fmt::format("{:22} {:10} turns {:6}, in sum {:8.1f} ms, the longest", one.what,
                             phase, turns.size(), sum);
    for (std::size_t i = 0; i < 5 && i < turns.size(); ++i)
      std::cout << fmt::format(" {:.1f}", turns[i]);
    std::cout << fmt::format("; ledger {} kB\n", dropping.bytes / 1000);
    TearDown();
    return turns.front();
  }
};

}  // namespace
}  // namespace berth::lifecycle

int main(int argc, char** argv) {
  const std::string_view only = argc > 1 ? argv[1] : "";
  bool missed = false;
  for (const auto& one : berth::lifecycle::cases()) {
    if (!one.what.contains(only)) continue;
    berth::lifecycle::Turns turns;
    if (turns.measure(one) > berth::lifecycle::kLongestTurn) missed = true;
  }
  if (missed) std::cerr << "missed: a turn of the loop takes more than 20 ms\n";
  return missed ? 1 : 0;
}
