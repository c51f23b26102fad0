// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/pod_runs.hpp"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <utility>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/real_clock.hpp"
#include "tests/bench/manifests.hpp"

namespace berth::bench {
namespace {

constexpr std::chrono::milliseconds kSettle{300};

// The moment at which the process has ended.
SteadyTime end_of(pid_t process) {
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (descriptor < 0) throw std::runtime_error("pidfd_open failed");
  ::kill(process, SIGTERM);
  pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
  const int ended = ::poll(&wait, 1, 10'000);
  const SteadyTime at = RealClock{}.steady_now();
  ::close(descriptor);
  if (ended != 1) throw std::runtime_error("a container's process did not end at TERM");
  return at;
}

std::string many_name(const std::string& prefix, int index) {
  return fmt::format("{}-{}", prefix, index);
}

}  // namespace

bool is_ready(const PodState& state) {
  return state.ready && !state.gone;
}

void settle(Bench& bench) {
  bench.waiting.pause(kSettle);
}

ReadyPod make_ready(Bench& bench, const std::string& name, const std::string& manifest) {
  const SteadyTime begin = bench.agent.add(name, manifest);
  const PodState state = bench.watch.wait(name, "Ready", begin, is_ready, kLimit);
  settle(bench);
  return {.name = name, .state = state, .window = {begin, state.at}};
}

Exit end_container(Bench& bench, const ReadyPod& pod) {
  const std::string id = pod.state.containers.at("c");
  const SteadyTime at = end_of(bench.eyes.pid_of(id));
  bench.eyes.ask_until_exited(id);
  return {.container_id = id, .at = at};
}

ExitMoments moments_of(Bench& bench, const std::string& container_id) {
  const auto known = [&] { return bench.eyes.exit_of(container_id).shown.has_value(); };
  if (!bench.waiting.until(known, kLimit)) {
    throw std::runtime_error("the runtime never showed the exit of " + container_id);
  }
  return bench.eyes.exit_of(container_id);
}

SteadyTime remove_pod(Bench& bench, const std::string& name) {
  const SteadyTime begin = bench.agent.remove(name);
  const auto gone = [](const PodState& state) { return state.gone; };
  bench.watch.wait(name, "gone", begin, gone, kLimit);
  settle(bench);
  return begin;
}

Interval make_many(Bench& bench, const std::string& prefix, int count, MakeManifest manifest) {
  std::vector<std::pair<std::string, std::string>> manifests;
  for (int index = 0; index < count; ++index) {
    const std::string name = many_name(prefix, index);
    manifests.emplace_back(name, manifest(name));
  }
  Interval window{bench.agent.add_all(manifests), {}};
  for (const auto& [name, text] : manifests) {
    const auto state = bench.watch.wait(name, "Ready", window.begin, is_ready, kLimit);
    window.end = std::max(window.end, state.at);
  }
  settle(bench);
  return window;
}

void remove_many(Bench& bench, const std::string& prefix, int count) {
  for (int index = 0; index < count; ++index) bench.agent.remove(many_name(prefix, index));
  const auto none = [&] { return bench.watch.shown().empty(); };
  if (!bench.waiting.until(none, 2 * kLimit)) throw std::runtime_error("pods did not end in time");
  bench.watch.forget_gone();
  settle(bench);
}

Restarted restart_agent(Bench& bench, const std::string& prefix, int count) {
  bench.agent.kill();
  std::vector<PodState> before;
  for (int index = 0; index < count; ++index) {
    before.push_back(bench.watch.states(many_name(prefix, index), {}).back());
  }
  Restarted restarted;
  restarted.window.begin = bench.agent.start();
  const SteadyTime since = restarted.window.begin;
  for (int index = 0; index < count; ++index) {
    const std::string name = many_name(prefix, index);
    const auto state = bench.watch.wait(name, "Ready again", since, is_ready, kLimit);
    restarted.window.end = std::max(restarted.window.end, state.at);
    const PodState& old = before[static_cast<std::size_t>(index)];
    const auto other = [&](const PodState& seen) {
      return !is_ready(seen) || seen.uid != old.uid || seen.containers != old.containers;
    };
    const auto shown = bench.watch.states(name, since);
    if (std::ranges::any_of(shown, other)) restarted.changed.push_back(name);
  }
  settle(bench);
  return restarted;
}

}  // namespace berth::bench
