// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_calls.hpp"
#include "agent/serve/control_streams.hpp"
#include "api/codec.hpp"

namespace berth::agent {
namespace {

wire::ChangeType to_wire(lifecycle::ChangeType type) {
  switch (type) {
    case lifecycle::ChangeType::kAdded:
      return wire::ADDED;
    case lifecycle::ChangeType::kModified:
      return wire::MODIFIED;
    case lifecycle::ChangeType::kDeleted:
      return wire::DELETED;
  }
  return wire::CHANGE_TYPE_UNSPECIFIED;
}

wire::PodChange message_for(const lifecycle::PodChange& change) {
  wire::PodChange message;
  message.set_type(to_wire(change.type));
  message.set_pod_json(api::to_json_text(*change.pod));
  return message;
}

wire::EventChange message_for(const api::Event& event) {
  wire::EventChange message;
  message.set_type(event.count > 1 ? wire::MODIFIED : wire::ADDED);
  message.set_event_json(api::to_json_text(event));
  return message;
}

}  // namespace

boost::asio::awaitable<Result<Ended>> watch_pods(ControlSources& from,
                                                 wire::WatchPodsRequest request,
                                                 StreamPtr<wire::PodChange> stream) {
  const PodSelection selection(request.namespace_(), request.all_namespaces(), request.name(),
                               from.settings.node_name);
  if (!from.known.yet()) co_await until_known(from);
  if (!from.known.yet()) {
    wire::PodChange waiting;
    waiting.set_notice(not_known_yet(from).message);
    const bool sent = co_await stream->write(std::move(waiting));
    if (!sent) co_return Ended{};
    static_cast<void>(co_await from.known.by(from.clock, std::nullopt));
  }
  const auto watch = from.pods.watch();
  // The subscription starts with everything that exists.
  while (const auto change = watch->poll()) {
    if (!selection.takes(*change->pod)) continue;
    auto message = message_for(*change);
    const bool sent = co_await stream->write(std::move(message));
    if (!sent) co_return Ended{};
  }
  wire::PodChange synced;
  synced.set_type(wire::SYNCED);
  bool sent = co_await stream->write(std::move(synced));
  while (sent) {
    const auto change = co_await watch->next();
    if (!change) co_return fail(ErrorCode::kUnavailable, "berthd is stopping");
    if (!selection.takes(*change->pod)) continue;
    auto message = message_for(*change);
    sent = co_await stream->write(std::move(message));
  }
  co_return Ended{};
}

boost::asio::awaitable<Result<Ended>> watch_events(ControlSources& from,
                                                   wire::ListEventsRequest request,
                                                   StreamPtr<wire::EventChange> stream) {
  const PodSelection selection(request.namespace_(), request.all_namespaces(), request.pod_name(),
                               from.settings.node_name);
  const auto watch = from.events.watch();
  for (const auto& event : from.events.store().list()) {
    if (!selection.takes(*event)) continue;
    auto message = message_for(*event);
    message.set_type(wire::ADDED);
    const bool sent = co_await stream->write(std::move(message));
    if (!sent) co_return Ended{};
  }
  wire::EventChange synced;
  synced.set_type(wire::SYNCED);
  bool sent = co_await stream->write(std::move(synced));
  while (sent) {
    const auto event = co_await watch->next();
    if (!selection.takes(*event)) continue;
    auto message = message_for(*event);
    sent = co_await stream->write(std::move(message));
  }
  co_return Ended{};
}

boost::asio::awaitable<Result<Ended>> watch_node(ControlSources& from,
                                                 StreamPtr<wire::NodeChange> stream) {
  const auto watch = from.node.watch();
  wire::NodeChange first;
  first.set_type(wire::ADDED);
  first.set_node_json(api::to_json_text(from.node.node()));
  bool sent = co_await stream->write(std::move(first));
  if (!sent) co_return Ended{};
  wire::NodeChange synced;
  synced.set_type(wire::SYNCED);
  sent = co_await stream->write(std::move(synced));
  while (sent) {
    co_await watch->changed();
    wire::NodeChange change;
    change.set_type(wire::MODIFIED);
    change.set_node_json(api::to_json_text(from.node.node()));
    sent = co_await stream->write(std::move(change));
  }
  co_return Ended{};
}

}  // namespace berth::agent
