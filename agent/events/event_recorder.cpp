// SPDX-License-Identifier: Apache-2.0

#include "agent/events/event_recorder.hpp"

#include <utility>

namespace berth::agent {

boost::asio::awaitable<EventPtr> EventWatch::next() {
  while (pending_.empty()) co_await bell_.wait();
  auto event = std::move(pending_.front());
  pending_.pop_front();
  co_return event;
}

void EventWatch::push(EventPtr event) {
  if (pending_.size() == kWatchBacklog) pending_.pop_front();
  pending_.push_back(std::move(event));
  bell_.notify();
}

// The component is "kubelet", which dashboards and `kubectl describe` know.
EventRecorder::EventRecorder(boost::asio::any_io_executor executor, Clock& clock, Log& log,
                             std::string node_name)
    : executor_(std::move(executor)),
      clock_(clock),
      log_(log),
      store_("kubelet", std::move(node_name), EventLimits{}) {}

void EventRecorder::continue_from(const std::vector<EventPtr>& recalled, EventSink& sink) {
  store_.restore(recalled, clock_.wall_now());
  sink_ = &sink;
}

void EventRecorder::record(const api::Pod& pod, const lifecycle::PodEvent& event) {
  record_annotated(pod, event, {});
}

void EventRecorder::record_annotated(const api::Pod& pod, const lifecycle::PodEvent& event,
                                     std::map<std::string, std::string> annotations) {
  add({.warning = event.level == lifecycle::EventLevel::kWarning,
       .reason = event.reason,
       .message = event.message,
       .about = reference_to(pod, event.field_path),
       .annotations = std::move(annotations)});
}

void EventRecorder::record_node(bool warning, std::string reason, std::string message) {
  add({.warning = warning,
       .reason = std::move(reason),
       .message = std::move(message),
       .about = reference_to_node(store_.node_name())});
}

std::shared_ptr<EventWatch> EventRecorder::watch() {
  auto watch = std::make_shared<EventWatch>(executor_);
  // Here as well: a client may come and go every second while nothing happens for days.
  std::erase_if(watches_, [](const auto& known) { return known.expired(); });
  watches_.push_back(watch);
  return watch;
}

void EventRecorder::add(const EventStore::Happening& happening) {
  const auto event = store_.record(happening, clock_.wall_now());
  // Events about pods are already logged where they arise, in more detail.
  if (happening.about.kind == "Node") {
    log_.write(happening.warning ? LogLevel::kWarn : LogLevel::kInfo, happening.reason,
               happening.message, {});
  }
  if (event == nullptr) return;
  if (sink_ != nullptr) sink_->keep(event);
  std::erase_if(watches_, [](const auto& watch) { return watch.expired(); });
  for (const auto& weak : watches_) {
    if (const auto watch = weak.lock()) watch->push(event);
  }
}

}  // namespace berth::agent
