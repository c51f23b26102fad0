// SPDX-License-Identifier: Apache-2.0

// What a pod needs on the machine before its first sandbox, and what is cleaned up after it:
// directories, cgroup, volumes.
//
// Prepared once, concurrently with whatever else the worker does. Volumes that show ConfigMaps and
// Secrets are written again when one of those changes, and no container is touched. A failure is
// emitted as an event, and retried (timetable.hpp). Loop thread only; services, pod and the
// worker's parts outlive this object. One waiter at a time.
#pragma once

#include <cstdint>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/notification.hpp"
#include "base/task_group.hpp"
#include "cri/types.hpp"
#include "lifecycle/worker/pod_teller.hpp"
#include "lifecycle/worker/setup_decision.hpp"
#include "lifecycle/worker/timetable.hpp"
#include "node/host.hpp"
#include "node/objects.hpp"

namespace berth::lifecycle {

struct SetupServices {
  node::Host& host;
  const node::ObjectsPtr& objects;  // as they are now; never null
  TaskGroup& children;              // the worker's
};

enum class KeepLogs : std::uint8_t { kNo, kYes };

class PodSetup {
 public:
  // `pod`: refers to the worker's current pod.
  PodSetup(const boost::asio::any_io_executor& executor, const SetupServices& services,
           const PodPtr& pod, PodTeller& teller, Timetable& timetable)
      : services_(services), pod_(pod), teller_(teller), timetable_(timetable), bell_(executor) {}
  PodSetup(const PodSetup&) = delete;
  PodSetup& operator=(const PodSetup&) = delete;
  ~PodSetup() = default;

  // Begins the preparation unless it is done, under way, or has failed and is not due.
  void begin();
  // The same, and waits. True if everything is ready.
  [[nodiscard]] boost::asio::awaitable<bool> prepare();
  // Completes when nothing is being prepared.
  [[nodiscard]] boost::asio::awaitable<void> settled();

  // Called when a ConfigMap or Secret has changed.
  void volumes_outdated() { volumes_current_ = false; }
  // Writes the volumes that show a changed ConfigMap or Secret again, for a pod that has a sandbox,
  // created by this berthd or an earlier one. If that fails, the containers keep the previous
  // content.
  [[nodiscard]] boost::asio::awaitable<void> refresh_volumes();

  // Whether to ask the runtime if it supports recursive read-only mounts: for a pod that requests
  // them, until there is an answer.
  [[nodiscard]] bool asks_for_recursive_read_only() const;
  void runtime_answered(const cri::RuntimeStatus& status);
  [[nodiscard]] bool recursive_read_only() const { return recursive_read_only_.value_or(false); }
  // Called when the runtime is back, perhaps in another version.
  void ask_runtime_again() { recursive_read_only_.reset(); }

  // Removes what a finished pod no longer needs: everything, except its logs with KeepLogs::kYes.
  // True if it has been removed, now or earlier.
  [[nodiscard]] boost::asio::awaitable<bool> clean_up(KeepLogs logs);
  [[nodiscard]] bool is_clean() const { return cleaned_ == Cleaned::kAll; }
  // Whether at most its logs are left.
  [[nodiscard]] bool is_released() const { return cleaned_ >= Cleaned::kAllButLogs; }

 private:
  enum class Preparation : std::uint8_t { kNotReady, kUnderWay, kReady };
  enum class Volumes : std::uint8_t { kFirst, kAgain };  // kAgain: for a pod that has a sandbox
  enum class Cleaned : std::uint8_t { kNothing, kAllButLogs, kAll };

  [[nodiscard]] boost::asio::awaitable<void> prepare_beside();
  [[nodiscard]] boost::asio::awaitable<bool> make_ready();
  [[nodiscard]] boost::asio::awaitable<bool> set_up_volumes(Volumes volumes);
  [[nodiscard]] bool decide(const char* key, const SetupQuestion& question);

  const SetupServices services_;
  const PodPtr& pod_;
  PodTeller& teller_;
  Timetable& timetable_;
  Notification bell_;
  Preparation preparation_ = Preparation::kNotReady;
  bool volumes_current_ = false;               // they match the objects
  std::optional<bool> recursive_read_only_{};  // unset if not asked
  Cleaned cleaned_ = Cleaned::kNothing;
};

}  // namespace berth::lifecycle
