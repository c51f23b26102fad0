// SPDX-License-Identifier: Apache-2.0

// What a pod needs on the machine before its first sandbox, and what is cleaned up after it:
// directories, cgroup, volumes.
//
// Prepared once, beside whatever the worker does meanwhile. Volumes that show ConfigMaps and
// Secrets are written again when one of those changes, and no container is touched. What fails is
// an event, and is tried again (timetable.hpp). Loop thread only; services, pod and worker's parts
// outlive this. One waiter at a time.
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
  TaskGroup& children;              // of the worker
};

enum class KeepLogs : std::uint8_t { kNo, kYes };

class PodSetup {
 public:
  // `pod`: as it is whenever something is done.
  PodSetup(const boost::asio::any_io_executor& executor, const SetupServices& services,
           const PodPtr& pod, PodTeller& teller, Timetable& timetable)
      : services_(services), pod_(pod), teller_(teller), timetable_(timetable), bell_(executor) {}
  PodSetup(const PodSetup&) = delete;
  PodSetup& operator=(const PodSetup&) = delete;
  ~PodSetup() = default;

  // Begins unless it is ready, under way, or has failed and is not due.
  void begin();
  // The same, and waits. True: all is ready.
  [[nodiscard]] boost::asio::awaitable<bool> prepare();
  // Completes when nothing is being prepared.
  [[nodiscard]] boost::asio::awaitable<void> settled();

  // A ConfigMap or Secret has changed.
  void volumes_outdated() { volumes_current_ = false; }
  // Writes again what shows one that has changed, for a pod that has a sandbox, of this berthd or
  // of one before it. If that fails, the containers go on with what they have.
  [[nodiscard]] boost::asio::awaitable<void> refresh_volumes();

  // Whether the runtime is to be asked if it makes mounts read-only with all that is mounted below:
  // for a pod that wants it, until there is an answer.
  [[nodiscard]] bool asks_for_recursive_read_only() const;
  void runtime_answered(const cri::RuntimeStatus& status);
  [[nodiscard]] bool recursive_read_only() const { return recursive_read_only_.value_or(false); }
  // The runtime is back, perhaps in another version.
  void ask_runtime_again() { recursive_read_only_.reset(); }

  // Removes what a pod that has finished does not need any more; without its logs, all of it. True:
  // it is gone, now or since earlier.
  [[nodiscard]] boost::asio::awaitable<bool> clean_up(KeepLogs logs);
  [[nodiscard]] bool is_clean() const { return cleaned_ == Cleaned::kAll; }
  // Nothing but its logs is left.
  [[nodiscard]] bool is_released() const { return cleaned_ >= Cleaned::kAllButLogs; }

 private:
  enum class Preparation : std::uint8_t { kNotReady, kUnderWay, kReady };
  enum class Volumes : std::uint8_t { kFirst, kAgain };  // kAgain: of a pod that has a sandbox
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
  bool volumes_current_ = false;               // they show what the objects say
  std::optional<bool> recursive_read_only_{};  // unset: not asked
  Cleaned cleaned_ = Cleaned::kNothing;
};

}  // namespace berth::lifecycle
