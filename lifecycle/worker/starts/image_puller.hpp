// SPDX-License-Identifier: Apache-2.0

// Pulls images for all pods: how many at once, how often, and in which order.
//
// `serialize` (the kubelet's default): one pull at a time, in the order of the requests. Otherwise
// up to `max_parallel` at once (unset: no limit). `qps` and `burst` limit how often a pull may
// begin; a pull beyond them fails at once, as in the kubelet (registryPullQPS 5, registryBurst 10;
// 0: no limit). image_decision.hpp decides whether to pull at all; the backoff after failures is
// kept per pod (lifecycle/image_pull_backoff.hpp). Loop thread only. Cancelling a waiting pull
// removes it from the queue; cancelling a running one lets the runtime finish it, and a later pull
// finds the image present.
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
#include "lifecycle/pod_set_options.hpp"
#include "lifecycle/worker/starts/pull_outcome.hpp"

namespace berth::lifecycle {

class ImagePuller {
 public:
  ImagePuller(boost::asio::any_io_executor executor, Clock& clock, cri::Images& images,
              ImagePullOptions options);

  // Tries each of the credentials in turn; if there are none, pulls anonymously.
  [[nodiscard]] boost::asio::awaitable<Result<PulledImage>> pull(
      cri::ImageSpec image, cri::PodSandboxConfig sandbox_config,
      std::vector<cri::AuthConfig> credentials);

  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }

 private:
  class Turn;

  [[nodiscard]] bool slot_free() const;
  [[nodiscard]] bool spend_token();
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
