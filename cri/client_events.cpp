// SPDX-License-Identifier: Apache-2.0

#include "cri/client_events.hpp"

#include <algorithm>
#include <string_view>

#include <boost/asio/this_coro.hpp>

#include "base/assertion.hpp"
#include "cri/connection.hpp"
#include "cri/translate_events.hpp"

namespace berth::cri {
namespace {

using namespace std::chrono_literals;

// A restarted runtime is back within a second or two, one that is upgraded or slow to load its
// containers within ten. No exit is noticed until the stream is open again, so the retry interval
// must not grow; trying a socket that does not exist costs next to nothing.
constexpr Nanoseconds kRetryFirst = 100ms;
constexpr Nanoseconds kRetryMax = 1s;

// A runtime without events can gain them only through another configuration or version, for which
// it is restarted; containers are listed every second meanwhile.
constexpr Nanoseconds kRetryWithoutEvents = 1min;

// The runtime does not report when it has subscribed us. Subscribing takes microseconds; a refusal
// (UNIMPLEMENTED) arrives within a few milliseconds.
constexpr Nanoseconds kSettle = 50ms;

// The runtime answers Version and RuntimeConfig from memory.
constexpr Nanoseconds kFeaturesLimit = 10s;

// A few events for each container of a full node (110 pods), while the reader is busy.
constexpr std::size_t kUnreadMax = 4096;

// containerd before 2.0 delivers each CRI event to one subscriber only, even a dead one: after a
// restart of berthd the first exit went to the dead subscriber (containerd/containerd#7318). Its
// own event service delivers to all. Only the version distinguishes the two.
bool publishes_to_every_subscriber(const Version& runtime) {
  std::string_view number = runtime.runtime_version;
  if (number.starts_with('v')) number.remove_prefix(1);
  return runtime.runtime_name != "containerd" || !number.starts_with("1.");
}

}  // namespace

ClientEvents::ClientEvents(Clock& clock, boost::asio::any_io_executor loop, TaskGroup& tasks,
                           std::shared_ptr<Connection> connection)
    : clock_(clock),
      tasks_(tasks),
      connection_(std::move(connection)),
      arrived_(loop),
      retry_now_(loop) {}

ClientEvents::~ClientEvents() = default;

void ClientEvents::start() {
  tasks_.spawn("runtime events", keep_open());
}

boost::asio::awaitable<Event> ClientEvents::next() {
  while (unread_.empty()) co_await arrived_.wait();
  Event event = std::move(unread_.front());
  unread_.pop_front();
  co_return event;
}

void ClientEvents::reconnect(std::string reason) {
  if (!end_session_) {  // already being opened
    retry_now_.notify();
    return;
  }
  ask_to_reopen_ = std::move(reason);
  end_session_();
}

boost::asio::awaitable<void> ClientEvents::keep_open() {
  Nanoseconds retry = kRetryFirst;
  for (;;) {
    ++session_;
    settled_ = false;
    auto detection = detect_features(connection_, kFeaturesLimit);
    auto features = co_await std::move(detection);
    Error ended;
    if (features) {
      state_.features = *features;
      ended = co_await subscribe();
    } else {
      ended = wrap("asking the runtime what it can", features.error());
    }
    state_.connected = false;
    if (settled_) retry = kRetryFirst;
    if (ask_to_reopen_) {
      ended = Error{ErrorCode::kUnavailable, "reopened the event stream: " + *ask_to_reopen_};
      ask_to_reopen_.reset();
      state_.last_error = std::move(ended);
      continue;
    }
    state_.last_error = std::move(ended);
    const bool without = state_.last_error->code == ErrorCode::kUnimplemented;
    const SteadyTime next_try = clock_.steady_now() + (without ? kRetryWithoutEvents : retry);
    retry = std::min(2 * retry, kRetryMax);
    co_await retry_now_.wait_until(clock_, next_try);
  }
}

// Runs one stream to its end. If cancelled, ends the stream and waits for its end.
boost::asio::awaitable<Error> ClientEvents::subscribe() {
  co_await boost::asio::this_coro::throw_if_cancelled(false);
  over_cri_ = publishes_to_every_subscriber(state_.features->version);
  std::optional<Error> of_cri;
  if (over_cri_) of_cri = co_await read_cri();
  Error ended = of_cri.value_or(Error{.code = ErrorCode::kUnimplemented});
  if (ended.code == ErrorCode::kUnimplemented) {
    over_cri_ = false;
    settled_ = false;
    ended = co_await read_containerd();
    // If neither is implemented, report CRI's error: it is the one that the runtime's operator can
    // enable.
    if (of_cri && ended.code == ErrorCode::kUnimplemented) ended = *std::move(of_cri);
  }
  co_await boost::asio::this_coro::throw_if_cancelled(true);
  co_return ended;
}

boost::asio::awaitable<Error> ClientEvents::read_cri() {
  LoopStream<runtime::v1::ContainerEventResponse> stream(
      connection_->runtime, std::string(Connection::kRuntimeService) + "GetContainerEvents",
      runtime::v1::GetEventsRequest());
  auto ended = co_await read_until_end(stream);
  // CRI-O does so unless its enable_pod_events is set.
  if (!settled_ && stream.ended_properly())
    ended = {
        .code = ErrorCode::kUnimplemented,
        .message = "GetContainerEvents: the runtime ends the stream at once: it sends no events"};
  co_return ended;
}

boost::asio::awaitable<Error> ClientEvents::read_containerd() {
  containerd::services::events::v1::SubscribeRequest request;
  request.add_filters("namespace==k8s.io,topic~=^/tasks/");
  LoopStream<containerd::services::events::v1::Envelope> stream(
      connection_->runtime, std::string(Connection::kEventsService) + "Subscribe", request);
  auto ended = co_await read_until_end(stream);
  co_return ended;
}

template <class Stream>
boost::asio::awaitable<Error> ClientEvents::read_until_end(Stream& stream) {
  const std::uint64_t session = ++session_;
  assert_that(!end_session_, "one stream of events is open at a time");
  end_session_ = [&stream] { stream.cancel(); };
  tasks_.spawn("runtime events settle", settle(session));
  for (;;) {
    const auto message = co_await stream.read();
    if (!message) {
      end_session_ = nullptr;
      ++session_;  // disables the settler
      co_return message.error();
    }
    opened(session);  // a server that sends events has subscribed us
    if (auto event = event_from(*message)) push(std::move(*event));
  }
}

boost::asio::awaitable<void> ClientEvents::settle(std::uint64_t session) {
  co_await clock_.sleep_for(kSettle);
  opened(session);
}

void ClientEvents::opened(std::uint64_t session) {
  if (session != session_ || settled_) return;
  settled_ = true;
  state_.connected = true;
  state_.features->container_events = over_cri_;
  push({.type = EventType::kResubscribed});
}

void ClientEvents::push(Event event) {
  if (unread_.size() >= kUnreadMax) {
    unread_.clear();
    unread_.push_back({.type = EventType::kResubscribed});
  }
  unread_.push_back(std::move(event));
  arrived_.notify();
}

}  // namespace berth::cri
