// SPDX-License-Identifier: Apache-2.0

// What the runtime reports, by events and by infrequent listings of everything: the event stream is
// the main path, the relist the safety net under it.
//
// A stop is passed to the pod that has the container; a stop that no pod claims yet is kept until
// one does. A listing is compared with what the workers believe: a pod that differs is read anew by
// its worker, an unknown one is handed over. Nothing from the runtime is shown before the first
// listing. Before it, and each time the stream opens, the runtime is asked to identify itself: it
// may have been replaced or reconfigured.
//
// Whoever runs `pump_events` and `keep_listing` cancels and joins them before this object is
// destroyed; services, listener and unclaimed stops outlive this object. Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/notification.hpp"
#include "cri/event_stream.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/pods/runtime/relist_schedule.hpp"
#include "lifecycle/worker/mailbox.hpp"
#include "lifecycle/worker/runtime/runtime_listing.hpp"

namespace berth::lifecycle {

struct RuntimeIdentity {
  std::string name{};  // what the runtime calls itself
  cri::RuntimeSetup setup{};
};

// Receives what the runtime reports. Called on the loop thread, never across a suspension.
class RuntimeListener {
 public:
  RuntimeListener() = default;
  RuntimeListener(const RuntimeListener&) = delete;
  RuntimeListener& operator=(const RuntimeListener&) = delete;
  virtual ~RuntimeListener() = default;

  virtual void runtime_identified(const RuntimeIdentity& runtime) = 0;
  // The event stream was opened: what failed before may be retried at once.
  virtual void runtime_back() = 0;
  // What the runtime had at start. Called once.
  virtual void runtime_listed(const RuntimeListing& listing) = 0;
  // Whether later listings should be compared with what the workers believe.
  [[nodiscard]] virtual bool compares_listings() const = 0;
  // What the workers believe, by pod uid.
  [[nodiscard]] virtual std::map<std::string, BelievedPod> believed() const = 0;
  // A container or sandbox stopped; false if no worker has it.
  virtual bool stopped(const std::string& id, const StopNews& news) = 0;
  // What the worker believes about a pod differs from what the runtime has. `what`: the difference,
  // a sentence.
  virtual void pod_differs(const std::string& uid, const std::string& what) = 0;
  // The runtime has something of a pod that no worker has.
  virtual void pod_unknown(const std::string& uid, ListedPod listed) = 0;
};

struct RuntimeWatchServices {
  boost::asio::any_io_executor executor{};
  cri::Runtime& runtime;
  cri::EventStream& stream;
  Clock& clock;
  Log& log;
};

class UnclaimedStops;

class RuntimeWatch {
 public:
  RuntimeWatch(const RuntimeWatchServices& services, const RelistPeriods& periods,
               RuntimeListener& listener, UnclaimedStops& unclaimed);
  RuntimeWatch(const RuntimeWatch&) = delete;
  RuntimeWatch& operator=(const RuntimeWatch&) = delete;
  ~RuntimeWatch() = default;

  // Passes on the stream's events until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> pump_events();
  // Lists the runtime whenever that is due, until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> keep_listing();

  // What the runtime had at start; empty before it answered.
  [[nodiscard]] const RuntimeListing& first_listing() const { return first_listing_; }
  // How often a relist found what the event stream should have reported before; each is a defect.
  [[nodiscard]] std::uint64_t missed_events() const { return missed_events_; }

 private:
  void handle(const cri::Event& event);
  [[nodiscard]] boost::asio::awaitable<bool> list(const RelistRound& round);
  [[nodiscard]] boost::asio::awaitable<bool> identify();
  void compare(RuntimeListing listing, const std::map<std::string, BelievedPod>& before,
               const RelistRound& round);
  void log_foreign(const RuntimeListing& listing);

  const RuntimeWatchServices services_;
  RuntimeListener& listener_;
  UnclaimedStops& unclaimed_;
  RelistSchedule schedule_;
  Notification due_bell_;
  bool listed_ = false;
  RuntimeListing first_listing_{};
  std::set<cri::SandboxId> foreign_{};  // logged already
  std::uint64_t missed_events_ = 0;
};

}  // namespace berth::lifecycle
