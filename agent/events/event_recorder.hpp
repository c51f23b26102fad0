// SPDX-License-Identifier: Apache-2.0

// Records events of pods and of the node: in the event store, for watchers, and, if there is one,
// in the sink that persists events across restarts of berthd. Events about the node are logged as
// well. Loop thread only.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/events/event_sink.hpp"
#include "agent/events/event_store.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/notification.hpp"
#include "lifecycle/pod_events.hpp"

namespace berth::agent {

// New and repeated events for one watcher. If it does not fetch them, it keeps the newest
// kWatchBacklog; it loses older ones.
class EventWatch {
 public:
  explicit EventWatch(boost::asio::any_io_executor executor) : bell_(std::move(executor)) {}

  [[nodiscard]] boost::asio::awaitable<EventPtr> next();

  void push(EventPtr event);

 private:
  static constexpr std::size_t kWatchBacklog = 1000;

  Notification bell_;
  std::deque<EventPtr> pending_{};
};

class EventRecorder final : public lifecycle::PodEvents {
 public:
  EventRecorder(boost::asio::any_io_executor executor, Clock& clock, Log& log,
                std::string node_name);

  // Continues from what an earlier berthd recorded, and persists everything from now on in `sink`,
  // which outlives this. Call before the first event.
  void continue_from(const std::vector<EventPtr>& recalled, EventSink& sink);

  void record(const api::Pod& pod, const lifecycle::PodEvent& event) override;
  void record_annotated(const api::Pod& pod, const lifecycle::PodEvent& event,
                        std::map<std::string, std::string> annotations);
  void record_node(bool warning, std::string reason, std::string message);

  [[nodiscard]] const EventStore& store() const { return store_; }
  // Events from now on.
  [[nodiscard]] std::shared_ptr<EventWatch> watch();

 private:
  void add(const EventStore::Happening& happening);

  boost::asio::any_io_executor executor_;
  Clock& clock_;
  Log& log_;
  EventStore store_;
  EventSink* sink_ = nullptr;
  std::vector<std::weak_ptr<EventWatch>> watches_{};
};

}  // namespace berth::agent
