// SPDX-License-Identifier: Apache-2.0

// Queries the runtime directly, past the proxy: when CRI showed a container's end, and the process
// of a container.
//
// containerd's event of an exit runs ahead of what CRI shows. Once an exit is known (by the event
// passing the proxy, or because the bench saw the process end) the container's status is polled
// every millisecond until it is EXITED; the start of that call is recorded, so the true time is
// never later. Polling has a thread of its own, and can be turned off while it would only disturb.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include <sys/types.h>

#include "base/clock_types.hpp"
#include "tests/bench/waiting.hpp"

namespace berth::bench {

struct ExitMoments {
  std::optional<SteadyTime> event{};  // the runtime's event passed the proxy
  std::optional<SteadyTime> shown{};  // CRI reported EXITED
};

class RuntimeEyes {
 public:
  RuntimeEyes(const std::string& runtime, Waiting& waiting);
  RuntimeEyes(const RuntimeEyes&) = delete;
  RuntimeEyes& operator=(const RuntimeEyes&) = delete;
  ~RuntimeEyes();

  void ask_after_exits(bool yes) { asks_ = yes; }
  void exit_event(const std::string& container_id, SteadyTime at);  // any thread
  void ask_until_exited(const std::string& container_id);
  [[nodiscard]] ExitMoments exit_of(const std::string& container_id) const;

  // When the container's process ended, by the runtime's own record.
  [[nodiscard]] SteadyTime finished_at(const std::string& container_id) const;
  // The container's first process, in this machine's pid namespace.
  [[nodiscard]] pid_t pid_of(const std::string& container_id) const;

 private:
  struct Client;

  void ask(const std::stop_token& stop);

  Waiting& waiting_;
  std::unique_ptr<Client> client_;
  std::atomic<bool> asks_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, ExitMoments> exits_;
  std::set<std::string> asked_;
  std::jthread thread_;
};

// The average time of some Version calls at this address, after one that connects.
[[nodiscard]] Nanoseconds version_call_takes(const std::string& address);

}  // namespace berth::bench
