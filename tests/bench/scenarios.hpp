// SPDX-License-Identifier: Apache-2.0

// The scenarios: each runs pods and adds its figures to the report.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/bench/bench_node.hpp"
#include "tests/bench/call_trace.hpp"
#include "tests/bench/pod_watch.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/runtime_eyes.hpp"
#include "tests/bench/waiting.hpp"

namespace berth::bench {

struct Measure {
  int runs = 30;
  Nanoseconds hold = std::chrono::seconds(60);  // how long idleness is observed
};

struct Bench {
  Measure measure;
  Waiting& waiting;
  BenchAgent& agent;
  CallTrace& trace;
  RuntimeEyes& eyes;
  PodWatch& watch;
  Report& report;
  std::string cgroup_root;    // below which berthd creates the pods' cgroups
  std::filesystem::path dir;  // on the disk that pods use
};

struct Scenario {
  std::string name;
  std::string what;
  std::function<void(Bench&)> run;  // berthd runs without pods, before and after
};

[[nodiscard]] std::vector<Scenario> all_scenarios();

void measure_plain(Bench& bench);
void measure_quiet(Bench& bench);
void measure_steps(Bench& bench);
void measure_exit(Bench& bench);
void measure_crash(Bench& bench);
void measure_forty(Bench& bench);
void measure_restart(Bench& bench);
void measure_idle(Bench& bench);
void measure_probes(Bench& bench);
void measure_sequence(Bench& bench);
void measure_eviction(Bench& bench);
void measure_race(Bench& bench);

}  // namespace berth::bench
