#include "agent/node_state.hpp"

#include <chrono>

namespace berth::agent {
namespace {

// The kubelet's nodeStatusUpdateFrequency is 10 s; nothing here is that urgent.
constexpr auto kRefresh = std::chrono::seconds(30);
// While the runtime is not there.
constexpr auto kRetry = std::chrono::seconds(1);
constexpr auto kAnswerWithin = std::chrono::seconds(10);

}  // namespace

NodeState::NodeState(boost::asio::any_io_executor executor, Clock& clock, cri::Runtime& runtime,
                     cri::Images& images, std::shared_ptr<const node::NodeView> view)
    : clock_(clock),
      runtime_(runtime),
      images_(images),
      view_(std::move(view)),
      bell_(std::move(executor)) {
  seen_.runtime_error = "the container runtime has not answered yet";
  seen_.now = clock_.wall_now();
  node_ = node::node_object(*view_, seen_, nullptr);
}

boost::asio::awaitable<void> NodeState::refresh_for_ever() {
  while (true) {
    co_await refresh();
    const auto next = clock_.steady_now() + (runtime_answers() ? Nanoseconds(kRefresh) : kRetry);
    co_await bell_.wait_until(clock_, next);
  }
}

boost::asio::awaitable<void> NodeState::refresh() {
  Context context{.deadline = clock_.steady_now() + kAnswerWithin, .log_prefix = "node"};
  node::NodeObservations seen;
  auto version = co_await runtime_.version(context);
  auto status = co_await runtime_.status(context);
  auto images = co_await images_.list_images(context);
  if (version) seen.version = std::move(*version);
  if (status) {
    seen.runtime = std::move(*status);
  } else {
    seen.runtime_error = status.error().message;
  }
  if (images) seen.images = std::move(*images);
  seen.now = clock_.wall_now();
  seen_ = std::move(seen);
  node_ = node::node_object(*view_, seen_, &node_);
}

}  // namespace berth::agent
