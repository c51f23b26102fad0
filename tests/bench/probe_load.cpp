// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/probe_load.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <limits>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>

#include "base/grpc_queue.hpp"
#include "base/real_clock.hpp"
#include "tests/bench/probe_targets.hpp"
#include "tests/bench/process_usage.hpp"
#include "tests/bench/tracked_network.hpp"

namespace berth::bench {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

class CountingSink final : public probes::ProbeSink {
 public:
  void result_changed(const probes::ProbeChange&) override {}
  void event(const probes::ProbeEvent& event) override { last = event.notice.message; }
  std::string last;
};

api::Pod pod_of(int index, const ProbeLoad& load) {
  api::Probe probe{
      .timeoutSeconds = 1, .periodSeconds = 1, .successThreshold = 1, .failureThreshold = 3};
  if (load.kind == ProbeKind::kTcp) {
    probe.tcpSocket = api::TCPSocketAction{.port = std::int32_t{load.port}};
  } else {
    probe.httpGet =
        api::HTTPGetAction{.path = "/healthz", .port = std::int32_t{load.port}, .scheme = "HTTP"};
  }
  api::Pod pod;
  pod.metadata = {.name = fmt::format("pod-{}", index),
                  .namespace_ = "default",
                  .uid = fmt::format("6f9619ff-8b86-d011-b42d-{:012}", index)};
  pod.spec.containers = {{.name = "main", .readinessProbe = probe}};
  return pod;
}

probes::SeenPod seen_pod(int index, const ProbeLoad& load, WallTime started) {
  return {.pod_ip = target_address(index % load.addresses),
          .containers = {{.name = "main",
                          .id = cri::ContainerId{fmt::format("{:064}", index)},
                          .running = true,
                          .started_at = started}}};
}

double heap_bytes() {
  return static_cast<double>(mallinfo2().uordblks);
}

asio::awaitable<void> watch_and_stop(Clock& clock, int seconds, probes::Prober& prober,
                                     LoadFigures& figures) {
  const SteadyTime began = clock.steady_now();
  for (int i = 1; i <= seconds; ++i) {
    const SteadyTime next = began + std::chrono::seconds{i};
    co_await clock.sleep_until(next);
    figures.most_tracked = std::max(figures.most_tracked, tracked_connections().entries);
  }
  prober.request_stop();
}

}  // namespace

double LoadFigures::processor_used() const {
  return std::chrono::duration<double>(cpu) / std::chrono::duration<double>(length);
}

Nanoseconds LoadFigures::cost() const {
  return cpu / std::max<std::int64_t>(static_cast<std::int64_t>(counts.runs), 1);
}

LoadFigures run_probes(const ProbeLoad& load) {
  RealClock clock;
  asio::io_context loop{1};
  NoContainers runtime;
  GrpcQueue queue(loop.get_executor());
  probes::NodeHandlers handlers(clock, runtime, queue);
  CountingSink sink;
  LoadFigures figures;
  const auto failed = [](std::string_view task, std::exception_ptr) {
    std::cerr << task << " failed\n";
    std::abort();
  };
  const double empty = heap_bytes();
  probes::Prober prober(loop.get_executor(), clock, handlers, sink,
                        {.expand_command = [](const auto& words, const auto&) { return words; }},
                        failed);
  const WallTime started = clock.wall_now() - 1h;
  for (int i = 0; i < load.probes; ++i) {
    const api::Pod pod = pod_of(i, load);
    prober.add_pod(
        pod, {{"main", probes::ProbeType::kReadiness, cri::ContainerId{fmt::format("{:064}", i)},
               probes::ProbeResult::kSuccess}});
    prober.see_pod(pod.metadata.uid, seen_pod(i, load, started));
  }
  TaskGroup tasks(loop.get_executor(), failed);
  const SteadyTime began = clock.steady_now();
  const Nanoseconds cpu_before = cpu_time(::getpid());
  tasks.spawn("end", watch_and_stop(clock, load.seconds, prober, figures));
  loop.run();
  figures.cpu = cpu_time(::getpid()) - cpu_before;
  figures.length = clock.steady_now() - began;
  figures.bytes_a_probe = (heap_bytes() - empty) / load.probes;
  for (const auto& view : prober.views()) {
    figures.bad += view.counters.failed + view.counters.errored;
    figures.worst_late = std::max(figures.worst_late, view.worst_late);
  }
  figures.counts = prober.counts();
  figures.sockets = handlers.sockets();
  figures.tracking = handlers.tracking();
  figures.last_event = sink.last;
  return figures;
}

double late_within(const probes::ProberCounts& counts, double part) {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < probes::kLateBounds.size(); ++i) {
    seen += counts.late.at(i);
    if (static_cast<double>(seen) >= part * static_cast<double>(counts.runs))
      return static_cast<double>(probes::kLateBounds.at(i));
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace berth::bench
