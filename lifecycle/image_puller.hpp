// SPDX-License-Identifier: Apache-2.0

// Pulling images for all pods: how many at once, how often, and in whose turn.
//
// `serialize` (the kubelet's default): one pull at a time, in the order of asking. Otherwise up to
// `max_parallel` (none: no limit). `qps` and `burst` limit how often a pull may begin; what exceeds
// them fails at once, as in the kubelet (registryPullQPS 5, registryBurst 10; 0: no limit).
// Whether to pull at all is image_decision.hpp's; the backoff after failures is each pod's own
// (lifecycle/image_pull_backoff.hpp). Loop thread only. Cancelling a waiting pull takes it out of
// the queue; cancelling a running one lets the runtime finish it, and a later ask finds it there.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "base/result.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/worker/pull_outcome.hpp"

namespace berth::lifecycle {

struct ImagePullOptions {
  bool serialize = true;
  std::optional<std::int32_t> max_parallel{};
  std::int32_t qps = 5;
  std::int32_t burst = 10;
};

class ImagePuller {
 public:
  ImagePuller(boost::asio::any_io_executor executor, Clock& clock, cri::Images& images,
              ImagePullOptions options);

  // With each of the credentials in turn; none: anonymously.
  [[nodiscard]] boost::asio::awaitable<Result<PulledImage>> pull(
      cri::ImageSpec image, cri::PodSandboxConfig sandbox_config,
      std::vector<cri::AuthConfig> credentials);

  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }

 private:
  class Turn;

  [[nodiscard]] bool slot_free() const;
  [[nodiscard]] bool take_token();
  void wake_next();

  boost::asio::any_io_executor executor_;
  Clock& clock_;
  cri::Images& images_;
  ImagePullOptions options_;
  std::list<std::shared_ptr<Notification>> queue_;  // the first is next
  std::int32_t running_ = 0;
  double tokens_ = 0;
  SteadyTime tokens_at_{};
};

}  // namespace berth::lifecycle
