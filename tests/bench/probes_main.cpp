// berth-bench-probes: many probes on one loop, against targets on the loopback.
//
// The targets are a process of their own, on another processor where there is one. Prints figures;
// exits 1 if a bound is missed. It needs no container runtime and no root.
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>

#include "base/grpc_queue.hpp"
#include "base/real_clock.hpp"
#include "probes/handlers.hpp"
#include "probes/prober.hpp"
#include "tests/bench/probe_targets.hpp"
#include "tests/bench/process_usage.hpp"

namespace berth::bench {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

struct Options {
  int probes = 10'000;
  int seconds = 10;
  int pods_listen_on = 2'000;  // addresses of the loopback
  bool http = true;
  bool tcp = false;
};

constexpr double kLatenessBound = 20;      // ms, 99th percentile
constexpr double kMemoryBound = 2 * 1024;  // bytes a probe

class CountingSink final : public probes::ProbeSink {
 public:
  void result_changed(const probes::ProbeChange&) override {}
  void event(const probes::ProbeEvent& event) override {
    ++events;
    last = event.notice.message;
  }
  int events = 0;
  std::string last;
};

api::Pod pod_of(int index, const Options& options, std::uint16_t port) {
  api::Probe probe{
      .timeoutSeconds = 1, .periodSeconds = 1, .successThreshold = 1, .failureThreshold = 3};
  const bool tcp = options.tcp && (!options.http || index % 2 == 1);
  if (tcp) {
    probe.tcpSocket = api::TCPSocketAction{.port = std::int32_t{port}};
  } else {
    probe.httpGet =
        api::HTTPGetAction{.path = "/healthz", .port = std::int32_t{port}, .scheme = "HTTP"};
  }
  api::Pod pod;
  pod.metadata = {.name = fmt::format("pod-{}", index),
                  .namespace_ = "default",
                  .uid = fmt::format("6f9619ff-8b86-d011-b42d-{:012}", index)};
  pod.spec.containers = {{.name = "main", .readinessProbe = probe}};
  return pod;
}

probes::SeenPod seen_pod(int index, const Options& options, WallTime started) {
  const int address = index % options.pods_listen_on;
  return {.pod_ip = fmt::format("127.1.{}.{}", address / 250, address % 250 + 1),
          .containers = {{.name = "main",
                          .id = cri::ContainerId{fmt::format("{:064}", index)},
                          .running = true,
                          .started_at = started}}};
}

double percentile_bound(const probes::ProberCounts& counts, double part) {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < probes::kLateBounds.size(); ++i) {
    seen += counts.late.at(i);
    if (static_cast<double>(seen) >= part * static_cast<double>(counts.runs)) {
      return static_cast<double>(probes::kLateBounds.at(i));
    }
  }
  return 1e9;
}

double heap_bytes() {
  return static_cast<double>(mallinfo2().uordblks);
}

asio::awaitable<void> stop_after(Clock& clock, Nanoseconds length, probes::Prober& prober) {
  co_await clock.sleep_for(length);
  prober.request_stop();
}

void print_counts(const probes::ProberCounts& counts) {
  std::cout << "lateness of starts:";
  for (std::size_t i = 0; i < counts.late.size(); ++i) {
    if (counts.late.at(i) == 0) continue;
    const bool last = i == probes::kLateBounds.size();
    std::cout << fmt::format(" {}{} ms: {}",
                             last ? ">" : "<=", probes::kLateBounds.at(last ? i - 1 : i),
                             counts.late.at(i));
  }
  std::cout << "\n";
}

int run(const Options& options, std::uint16_t port) {
  RealClock clock;
  asio::io_context loop{1};
  NoContainers runtime;
  GrpcQueue queue(loop.get_executor());
  probes::NodeHandlers handlers(clock, runtime, queue);
  CountingSink sink;
  const auto failed = [](std::string_view task, std::exception_ptr) {
    std::cerr << task << " failed\n";
    std::abort();
  };
  const double empty = heap_bytes();
  probes::Prober prober(loop.get_executor(), clock, handlers, sink,
                        {.expand_command = [](const auto& words, const auto&) { return words; }},
                        failed);
  const WallTime started = clock.wall_now() - 1h;
  for (int i = 0; i < options.probes; ++i) {
    const api::Pod pod = pod_of(i, options, port);
    prober.add_pod(
        pod, {{"main", probes::ProbeType::kReadiness, cri::ContainerId{fmt::format("{:064}", i)},
               probes::ProbeResult::kSuccess}});
    prober.see_pod(pod.metadata.uid, seen_pod(i, options, started));
  }
  TaskGroup tasks(loop.get_executor(), failed);
  const Nanoseconds cpu_before = cpu_time(::getpid());
  tasks.spawn("end", stop_after(clock, std::chrono::seconds{options.seconds}, prober));
  loop.run();
  const double cpu = std::chrono::duration<double>(cpu_time(::getpid()) - cpu_before).count();
  const double memory = (heap_bytes() - empty) / options.probes;

  std::uint64_t bad = 0;
  Nanoseconds worst{0};
  for (const auto& view : prober.views()) {
    bad += view.counters.failed + view.counters.errored;
    worst = std::max(worst, view.worst_late);
  }
  const auto counts = prober.counts();
  const double late = percentile_bound(counts, 0.99);
  std::cout << fmt::format("runs: {} ({:.0f} a second), failed or errored: {}, events: {} {}\n",
                           counts.runs, static_cast<double>(counts.runs) / options.seconds, bad,
                           sink.events, sink.last);
  std::cout << fmt::format("lateness p99: <= {} ms (bound {} ms), worst {}\n", late, kLatenessBound,
                           probes::short_time(worst));
  print_counts(counts);
  std::cout << fmt::format(
      "CPU: {:.1f} % of one processor, {:.1f} µs a run\n", 100 * cpu / options.seconds,
      1e6 * cpu / static_cast<double>(std::max<std::uint64_t>(counts.runs, 1)));
  std::cout << fmt::format("memory: {:.0f} bytes a probe (bound {:.0f}); resident {:.1f} MiB\n",
                           memory, kMemoryBound, memory_of(::getpid()).resident);
  const auto sockets = handlers.sockets();
  std::cout << fmt::format(
      "sockets: {} resets, {} times out of ports, {} out of descriptors; load {}\n", sockets.resets,
      sockets.out_of_ports, sockets.out_of_files, load_average());
  return late <= kLatenessBound && memory <= kMemoryBound && bad == 0 ? 0 : 1;
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
      options.probes = std::atoi(arguments[++i]);
    } else if (word == "--seconds" && more) {
      options.seconds = std::atoi(arguments[++i]);
    } else if (word == "http" || word == "tcp" || word == "both") {
      options.http = word != "tcp";
      options.tcp = word != "http";
    } else {
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
  ProbeTargets targets;
  const pid_t server = ::fork();
  if (server == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin_to(1);
    targets.serve();
  }
  pin_to(0);
  const int outcome = run(options, targets.port());
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
  return outcome;
}
