// SPDX-License-Identifier: Apache-2.0

// One pod at a time: start, init steps, exit, crash, removal.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/bench/manifests.hpp"
#include "tests/bench/pod_runs.hpp"
#include "tests/bench/process_usage.hpp"
#include "tests/bench/scenarios.hpp"

namespace berth::bench {
namespace {

double between(SteadyTime begin, SteadyTime end) {
  return milliseconds(end - begin);
}

CallRecord await_call(Bench& bench, const std::string& uid, const std::string& method,
                      SteadyTime since) {
  std::optional<CallRecord> found;
  const auto come = [&] {
    found = bench.trace.first(uid, method, since);
    return found && found->end;
  };
  if (!bench.waiting.until(come, kLimit)) throw std::runtime_error(method + " did not come");
  return *found;
}

// While an init container's program runs, and until the runtime reports its end, the agent has
// nothing to do: these spans count like calls. An agent that continues before CRI shows the end
// does so by the event, and no longer waits for anything.
std::vector<Span> program_spans(Bench& bench, const std::vector<CallRecord>& calls) {
  std::vector<Span> spans;
  for (const CallRecord& start : calls) {
    const std::string& name = start.subject.container;
    if (start.method != "StartContainer" || (name != "first" && name != "second")) continue;
    const auto moments = moments_of(bench, start.subject.container_id);
    SteadyTime reported = *moments.shown;
    for (const CallRecord& next : calls) {
      if (next.method == "CreateContainer" && next.begin > start.begin && moments.event) {
        if (next.begin < reported) reported = *moments.event;
        break;
      }
    }
    spans.push_back({name + " runs", {start.end.value_or(start.begin), reported}});
  }
  return spans;
}

struct Steps {
  double whole = 0;
  double own = 0;
  std::vector<double> own_by_step{};  // from one container's creation to the next one's
  // From the end of an init container's process to the next StartContainer.
  std::vector<double> next_start{};
  std::vector<double> next_start_own{};
};

void add_next_starts(Bench& bench, const std::vector<CallRecord>& calls,
                     const std::vector<Span>& spans, Steps& steps) {
  const CallRecord* ended = nullptr;
  for (const CallRecord& call : calls) {
    if (call.method != "StartContainer") continue;
    if (ended != nullptr) {
      const SteadyTime end = bench.eyes.finished_at(ended->subject.container_id);
      steps.next_start.push_back(between(end, call.begin));
      steps.next_start_own.push_back(milliseconds(own_share(spans, {end, call.begin})));
    }
    const std::string& name = call.subject.container;
    ended = name == "first" || name == "second" ? &call : nullptr;
  }
}

Steps steps_of(Bench& bench, const ReadyPod& pod, Breakdown& breakdown) {
  const auto& uid = pod.state.uid;
  auto calls = bench.trace.calls(pod.window);
  std::erase_if(calls, [&](const CallRecord& call) { return call.subject.pod_uid != uid; });
  auto spans = bench.trace.spans(uid, pod.window);
  const auto programs = program_spans(bench, calls);
  spans.insert(spans.end(), programs.begin(), programs.end());
  breakdown.add(spans, pod.window);

  Steps steps{.whole = between(pod.window.begin, pod.window.end),
              .own = milliseconds(own_share(spans, pod.window))};
  std::optional<SteadyTime> last;
  for (const CallRecord& call : calls) {
    if (call.method != "CreateContainer") continue;
    if (last) {
      steps.own_by_step.push_back(milliseconds(own_share(spans, {*last, call.begin})));
    }
    last = call.begin;
  }
  add_next_starts(bench, calls, spans, steps);
  return steps;
}

}  // namespace

void measure_plain(Bench& bench) {
  Figure ready{.name = "plain pod: manifest to Ready", .unit = "ms", .kubelet = "1010 | 236"};
  Figure ready_own{.name = "  own share", .unit = "ms", .bound = 5};
  Figure stop{.name = "removal: manifest removed to StopContainer begins", .unit = "ms"};
  Figure stop_own{.name = "  own share", .unit = "ms", .bound = 5};
  Figure stopped{
      .name = "removal: to container stopped", .unit = "ms", .kubelet = "560-670 | 200-260"};
  Figure gone{.name = "removal: to pod gone", .unit = "ms"};
  Breakdown starting("plain pod");
  Breakdown ending("removal, to the pod gone");
  for (int run = 0; run < bench.measure.runs; ++run) {
    const std::string name = fmt::format("plain-{}", run);
    const auto pod = make_ready(bench, name, plain_pod(name));
    const auto spans = bench.trace.spans(pod.state.uid, pod.window);
    starting.add(spans, pod.window);
    ready.samples.push_back(between(pod.window.begin, pod.window.end));
    ready_own.samples.push_back(milliseconds(own_share(spans, pod.window)));

    const SteadyTime removed = remove_pod(bench, name);
    const auto call = await_call(bench, pod.state.uid, "StopContainer", removed);
    const auto last = bench.watch.states(name, removed).back();
    const auto end_spans = bench.trace.spans(pod.state.uid, {removed, last.at});
    ending.add(end_spans, {removed, last.at});
    stop.samples.push_back(between(removed, call.begin));
    stop_own.samples.push_back(milliseconds(own_share(end_spans, {removed, call.begin})));
    stopped.samples.push_back(between(removed, *call.end));
    gone.samples.push_back(between(removed, last.at));
  }
  for (const auto& figure : {ready, ready_own, stop, stop_own, stopped, gone}) {
    bench.report.add(figure);
  }
  bench.report.add(starting);
  bench.report.add(ending);
}

// Memory returned while quiet costs time at the next work: memory and the next pod's start are
// measured in one state.
void measure_quiet(Bench& bench) {
  constexpr int kRunsMax = 5;  // a minute each
  Figure anonymous{.name = "after a quiet minute: RssAnon", .unit = "MiB", .bound = 5};
  Figure resident{.name = "  VmRSS", .unit = "MiB"};
  Figure ready{.name = "  then a plain pod: manifest to Ready", .unit = "ms"};
  Figure own{.name = "  its own share", .unit = "ms", .bound = 5};
  Breakdown breakdown("plain pod after a quiet minute");
  for (int run = 0; run < std::min(bench.measure.runs, kRunsMax); ++run) {
    bench.waiting.pause(bench.measure.hold);
    const MemoryUsage memory = memory_of(bench.agent.pid());
    anonymous.samples.push_back(memory.anonymous);
    resident.samples.push_back(memory.resident);
    const std::string name = fmt::format("quiet-{}", run);
    const auto pod = make_ready(bench, name, plain_pod(name));
    const auto spans = bench.trace.spans(pod.state.uid, pod.window);
    breakdown.add(spans, pod.window);
    ready.samples.push_back(between(pod.window.begin, pod.window.end));
    own.samples.push_back(milliseconds(own_share(spans, pod.window)));
    remove_pod(bench, name);
  }
  for (const auto& figure : {anonymous, resident, ready, own}) bench.report.add(figure);
  bench.report.add(breakdown);
}

void measure_steps(Bench& bench) {
  Figure ready{.name = "init + sidecar + init + main: manifest to Ready",
               .unit = "ms",
               .kubelet = "3430-4050 | 2000"};
  Figure own{.name = "  own share", .unit = "ms", .bound = 20};
  Figure step{.name = "  own share of each further step", .unit = "ms", .bound = 5};
  Figure next{.name = "  an init container's end to StartContainer of the next",
              .unit = "ms",
              .kubelet = "about 1000"};
  Figure next_own{.name = "    own share", .unit = "ms"};
  Breakdown breakdown("init + sidecar + init + main");
  bench.eyes.ask_after_exits(true);
  for (int run = 0; run < bench.measure.runs; ++run) {
    const std::string name = fmt::format("steps-{}", run);
    const auto pod = make_ready(bench, name, steps_pod(name));
    const auto steps = steps_of(bench, pod, breakdown);
    ready.samples.push_back(steps.whole);
    own.samples.push_back(steps.own);
    const auto append = [](Figure& figure, const std::vector<double>& more) {
      figure.samples.insert(figure.samples.end(), more.begin(), more.end());
    };
    append(step, steps.own_by_step);
    append(next, steps.next_start);
    append(next_own, steps.next_start_own);
    remove_pod(bench, name);
  }
  bench.eyes.ask_after_exits(false);
  for (const auto& figure : {ready, own, step, next, next_own}) bench.report.add(figure);
  bench.report.add(breakdown);
}

void measure_exit(Bench& bench) {
  Figure whole{.name = "exit to phase Succeeded", .unit = "ms", .kubelet = "380-530 | 400"};
  Figure event{.name = "  the runtime's event, after the exit", .unit = "ms"};
  Figure shown{.name = "  CRI shows it, after the exit", .unit = "ms"};
  Figure beyond{.name = "  phase, beyond that", .unit = "ms", .bound = 10};
  Breakdown breakdown("exit to phase");
  for (int run = 0; run < bench.measure.runs; ++run) {
    const std::string name = fmt::format("exit-{}", run);
    const auto pod = make_ready(bench, name, ending_pod(name, 0, "OnFailure"));
    const auto exit = end_container(bench, pod);
    const auto done = [](const PodState& state) { return state.phase == "Succeeded"; };
    const auto state = bench.watch.wait(name, "Succeeded", exit.at, done, kLimit);
    const auto moments = moments_of(bench, exit.container_id);
    breakdown.add(bench.trace.spans(pod.state.uid, {exit.at, state.at}), {exit.at, state.at});
    whole.samples.push_back(between(exit.at, state.at));
    if (moments.event) event.samples.push_back(between(exit.at, *moments.event));
    shown.samples.push_back(between(exit.at, *moments.shown));
    beyond.samples.push_back(between(*moments.shown, state.at));
    remove_pod(bench, name);
  }
  for (const auto& figure : {whole, event, shown, beyond}) bench.report.add(figure);
  bench.report.add(breakdown);
}

void measure_crash(Bench& bench) {
  Figure begins{.name = "crash to CreateContainer of the replacement", .unit = "ms"};
  Figure own{.name = "  own share", .unit = "ms", .bound = 10};
  Figure event{.name = "  the runtime's event, after the exit", .unit = "ms"};
  Figure created{.name = "crash to replacement created", .unit = "ms", .kubelet = "590-770 | 580"};
  Breakdown breakdown("crash to CreateContainer");
  for (int run = 0; run < bench.measure.runs; ++run) {
    const std::string name = fmt::format("crash-{}", run);
    const auto pod = make_ready(bench, name, ending_pod(name, 1, "Always"));
    const auto exit = end_container(bench, pod);
    const auto call = await_call(bench, pod.state.uid, "CreateContainer", exit.at);
    const auto moments = moments_of(bench, exit.container_id);
    const Interval window{exit.at, call.begin};
    const auto spans = bench.trace.spans(pod.state.uid, window);
    breakdown.add(spans, window);
    begins.samples.push_back(between(exit.at, call.begin));
    created.samples.push_back(between(exit.at, *call.end));
    // From the exit: includes the time that the runtime takes to report it.
    own.samples.push_back(milliseconds(own_share(spans, window)));
    if (moments.event) event.samples.push_back(between(exit.at, *moments.event));
    settle(bench);
    remove_pod(bench, name);
  }
  for (const auto& figure : {begins, own, event, created}) bench.report.add(figure);
  bench.report.add(breakdown);
}

}  // namespace berth::bench
