// SPDX-License-Identifier: Apache-2.0

#include "agent/node_state.hpp"

#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "agent/eviction/node_pressure.hpp"
#include "cri/runtime_conditions.hpp"

namespace berth::agent {
namespace {

// The kubelet's nodeStatusUpdateFrequency is 10 s; nothing here is that urgent.
constexpr auto kRefresh = std::chrono::seconds(30);
// While the runtime does not answer, or has no network for pods.
constexpr auto kRetry = std::chrono::seconds(1);
constexpr auto kAnswerWithin = std::chrono::seconds(10);
// The interval between checks whether it still answers and is ready, and the limit for Version: it
// is answered from memory, so only a very busy machine gets near the limit.
constexpr auto kAskEvery = std::chrono::seconds(10);
constexpr auto kVersionWithin = std::chrono::seconds(5);
// A runtime that has not reported itself ready for so long is down: the kubelet's limit.
constexpr auto kDownAfter = std::chrono::seconds(30);

// As the API prints times.
api::Time whole_seconds(WallTime at) {
  return api::Time{std::chrono::floor<std::chrono::seconds>(at)};
}

bool same_but_heartbeats(api::Node before, const api::Node& after) {
  for (auto& condition : before.status.conditions)
    for (const auto& now : after.status.conditions)
      if (condition.type == now.type) condition.lastHeartbeatTime = now.lastHeartbeatTime;
  return before == after;
}

}  // namespace

NodeState::NodeState(boost::asio::any_io_executor executor, Clock& clock, cri::Runtime& runtime,
                     cri::Images& images, std::shared_ptr<const node::NodeView> view)
    : executor_(executor),
      clock_(clock),
      runtime_(runtime),
      images_(images),
      view_(std::move(view)),
      bell_(executor),
      changed_(std::move(executor)),
      silent_since_(clock.steady_now()) {
  seen_.now = clock_.wall_now();
  node_ = node::node_object(*view_, seen_, nullptr);
}

boost::asio::awaitable<void> NodeState::refresh_for_ever() {
  while (true) {
    asked_at_ = clock_.steady_now();
    const bool everything = asked_at_ >= refresh_at_ || !runtime_answers();
    co_await refresh(everything);
    if (everything) refresh_at_ = clock_.steady_now() + kRefresh;
    const SteadyTime next =
        clock_.steady_now() + (runtime_ready() ? Nanoseconds(kAskEvery) : kRetry);
    co_await bell_.wait_until(clock_, next);
  }
}

boost::asio::awaitable<void> NodeState::ask(Nanoseconds limit) {
  const Context context{.deadline = clock_.steady_now() + limit};
  auto version = co_await runtime_.version(context);
  if (!version) answers_not(version.error(), limit);
  const bool another = version && seen_.version != *version;  // upgraded without our noticing
  if (another) seen_.version = std::move(*version);
  if (runtime_answers() && !another) co_return;
  // Refresh everything, and more often than usual while it does not answer.
  refresh_at_ = clock_.steady_now();
  bell_.notify();
}

bool NodeState::runtime_ready() const {
  return runtime_answers() && seen_.runtime && cri::unmet(*seen_.runtime).empty();
}

node::RuntimeHealth NodeState::health() const {
  if (!last_ready_) return node::RuntimeHealth::kNeverReady;
  const bool down = clock_.steady_now() - *last_ready_ >= kDownAfter;
  return down ? node::RuntimeHealth::kDown : node::RuntimeHealth::kReady;
}

// Without `everything` the images stay as they were, and nothing is taken if nothing changed.
boost::asio::awaitable<void> NodeState::refresh(bool everything) {
  const SteadyTime begin = clock_.steady_now();
  const Context brief{.deadline = begin + kVersionWithin};
  auto version = co_await runtime_.version(brief);
  if (!version) {
    answers_not(version.error(), kVersionWithin);
    co_return;
  }
  const Context context{.deadline = begin + kAnswerWithin};
  auto status = co_await runtime_.status(context);
  if (!status) {
    answers_not(status.error(), kAnswerWithin);
    co_return;
  }
  if (cri::reported(*status, cri::kRuntimeReady).status) last_ready_ = clock_.steady_now();
  if (!everything && runtime_answers() && seen_.version == *version && seen_.runtime == *status &&
      seen_.runtime_health == health())
    co_return;
  node::NodeObservations seen{.images = seen_.images};
  seen.version = std::move(*version);
  seen.runtime = std::move(*status);
  if (everything) {
    auto images = co_await images_.list_images(context);
    if (images) seen.images = std::move(*images);
  }
  const bool back = !runtime_answers();
  silent_since_.reset();
  runtime_error_.clear();
  apply(std::move(seen));
  if (!back) co_return;
  changed_.notify();
  ring();
}

// What it reported stays known, so that `status` can name the runtime that does not answer.
void NodeState::answers_not(const Error& why, Nanoseconds waited) {
  const bool in_vain = why.code == ErrorCode::kTimeout;
  std::string error = why.message;
  if (in_vain) {
    error = fmt::format("it does not answer (waited {} s): {}",
                        std::chrono::duration_cast<std::chrono::seconds>(waited).count(), error);
  }
  const bool lost = runtime_answers();
  const bool changed = lost || error != runtime_error_;
  runtime_error_ = std::move(error);
  if (!silent_since_)
    silent_since_ = clock_.steady_now() - (in_vain ? waited : Nanoseconds::zero());
  apply(seen_);
  if (changed) changed_.notify();
  if (lost) ring();
}

void NodeState::apply(node::NodeObservations seen) {
  seen.shutting_down = seen_.shutting_down;
  seen.now = clock_.wall_now();
  seen.runtime_health = health();
  seen_ = std::move(seen);
  auto before = std::exchange(node_, node::node_object(*view_, seen_, &node_));
  if (pressure_)
    show_pressure(node_, *pressure_, before.status.conditions, whole_seconds(seen_.now));
  ring_if_changed(std::move(before));
}

std::vector<std::string> NodeState::set_pressure(std::set<eviction::PressureCondition> present) {
  pressure_ = std::move(present);
  api::Node before = node_;
  auto events =
      show_pressure(node_, *pressure_, before.status.conditions, whole_seconds(clock_.wall_now()));
  ring_if_changed(std::move(before));
  return events;
}

void NodeState::set_view(std::shared_ptr<const node::NodeView> view) {
  view_ = std::move(view);
  apply(seen_);
}

void NodeState::set_shutting_down(bool shutting_down) {
  seen_.shutting_down = shutting_down;
  apply(seen_);
}

void NodeState::ring_if_changed(api::Node before) {
  if (watches_.empty() || same_but_heartbeats(std::move(before), node_)) return;
  ring();
}

void NodeState::ring() {
  std::erase_if(watches_, [](const auto& watch) { return watch.expired(); });
  for (const auto& watch : watches_)
    if (const auto open = watch.lock()) open->ring();
}

std::shared_ptr<NodeWatch> NodeState::watch() {
  auto watch = std::make_shared<NodeWatch>(executor_);
  // Here as well: a client may come and go every second while nothing changes for days.
  std::erase_if(watches_, [](const auto& known) { return known.expired(); });
  watches_.push_back(watch);
  return watch;
}

}  // namespace berth::agent
