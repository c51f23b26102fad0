// SPDX-License-Identifier: Apache-2.0

// Runs all probes of a node, on one loop and one timer.
//
// Scheduled probes are in one queue ordered by time; probes that are not due cost nothing per tick.
// probe_state and schedule decide; results, events and figures go out through the sink, `held` and
// `views`. A probe's data is dropped with its pod, except for what was handed out.
//
// Loop thread only. Ends with request_stop, then join.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "api/pod.hpp"
#include "base/clock.hpp"
#include "base/task_group.hpp"
#include "probes/handlers.hpp"
#include "probes/probe_view.hpp"

namespace berth::probes {

// Expands $(VAR)s of a command with the given variables (node/container/variable_expansion).
using ExpandCommand = std::function<std::vector<std::string>(
    const std::vector<std::string>& words, const std::map<std::string, std::string>& variables)>;

struct ProberOptions {
  ExpandCommand expand_command{};  // required
  // Concurrent execs, for the whole node: each costs the runtime a process.
  std::size_t exec_limit = 16;
  // Concurrent connections; each takes a descriptor.
  std::size_t network_limit = 4'096;
};

class Prober {
 public:
  // All arguments outlive it.
  Prober(boost::asio::any_io_executor loop, Clock& clock, Handlers& handlers, ProbeSink& sink,
         ProberOptions options, TaskGroup::FailureHandler on_failure);
  Prober(const Prober&) = delete;
  Prober& operator=(const Prober&) = delete;
  ~Prober();

  // Creates the pod's probes, which run once the pod was seen. A pod that is already known is left
  // alone: probes do not change in a pod's life.
  void add_pod(const api::Pod& pod, const std::vector<KeptResult>& kept);

  // Call after each look at the runtime. Costs next to nothing if nothing has changed.
  void see_pod(const std::string& uid, const SeenPod& seen);

  // The pod is being stopped: liveness and startup of regular containers end; readiness and
  // sidecars' probes continue.
  void stop_liveness_and_startup(const std::string& uid);

  // All containers of the pod have ended.
  void remove_pod(const std::string& uid);

  // The published results of this pod, by container id; a result without an entry is undecided.
  [[nodiscard]] std::vector<KeptResult> held(const std::string& uid) const;

  [[nodiscard]] std::vector<ProbeView> views() const;
  [[nodiscard]] std::vector<ProbeView> views(const std::string& uid) const;
  [[nodiscard]] ProberCounts counts() const;

  void request_stop();
  [[nodiscard]] boost::asio::awaitable<void> join();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::probes
