// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/image_puller.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

namespace berth::lifecycle {

// A place in the queue, then a slot; released however the pull ends.
class ImagePuller::Turn {
 public:
  explicit Turn(ImagePuller& puller) : puller_(puller) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (bell_) puller_.queue_.remove(bell_);
    if (running_) --puller_.running_;
    puller_.wake_next();
  }

  boost::asio::awaitable<void> wait() {
    bell_ = std::make_shared<Notification>(puller_.executor_);
    puller_.queue_.push_back(bell_);
    while (puller_.queue_.front() != bell_ || !puller_.slot_free()) co_await bell_->wait();
    puller_.queue_.pop_front();
    bell_.reset();
    running_ = true;
    ++puller_.running_;
    puller_.wake_next();
  }

 private:
  ImagePuller& puller_;
  std::shared_ptr<Notification> bell_;
  bool running_ = false;
};

ImagePuller::ImagePuller(boost::asio::any_io_executor executor, Clock& clock, cri::Images& images,
                         ImagePullOptions options)
    : executor_(std::move(executor)),
      clock_(clock),
      images_(images),
      options_(options),
      tokens_(options.burst),
      tokens_at_(clock.steady_now()) {}

bool ImagePuller::slot_free() const {
  const std::int32_t limit =
      options_.serialize ? 1
                         : options_.max_parallel.value_or(std::numeric_limits<std::int32_t>::max());
  return running_ < limit;
}

bool ImagePuller::spend_token() {
  if (options_.qps <= 0) return true;
  const SteadyTime now = clock_.steady_now();
  const double seconds = std::chrono::duration<double>(now - tokens_at_).count();
  tokens_ = std::min<double>(options_.burst, tokens_ + seconds * options_.qps);
  tokens_at_ = now;
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

void ImagePuller::wake_next() {
  if (!queue_.empty() && slot_free()) queue_.front()->notify();
}

boost::asio::awaitable<Result<PulledImage>> ImagePuller::pull(
    cri::ImageSpec image, cri::PodSandboxConfig sandbox_config,
    std::vector<cri::AuthConfig> credentials) {
  if (!spend_token()) co_return fail(ErrorCode::kUnavailable, "pull QPS exceeded");
  const SteadyTime asked = clock_.steady_now();
  Turn turn(*this);
  co_await turn.wait();
  const SteadyTime began = clock_.steady_now();
  const std::string name =
      image.user_specified_image.empty() ? image.image : image.user_specified_image;
  Context context;
  auto reference = co_await images_.pull_image(context, std::move(image), std::move(credentials),
                                               std::move(sandbox_config));
  if (!reference) co_return fail(std::move(reference.error()));
  if (reference->empty())
    co_return fail(ErrorCode::kUnknown, fmt::format("imageRef of image \"{}\" is not set", name));
  PulledImage pulled;
  pulled.image_ref = std::move(*reference);
  pulled.pulling = clock_.steady_now() - began;
  pulled.including_waiting = clock_.steady_now() - asked;
  co_return pulled;
}

}  // namespace berth::lifecycle
