// SPDX-License-Identifier: Apache-2.0

// The channels to a runtime. Private to the client.
//
// Created and destroyed on the loop thread, after every call over it has ended. The first call
// connects, and a call after a failure reconnects; if nobody accepts the connection, the call fails
// at once with kUnavailable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/loop_call.hpp"
#include "cri/client.hpp"
#include "cri/containerd_events.pb.h"
#include "cri/cri.pb.h"

namespace berth::cri {

struct Connection {
  Connection(const boost::asio::any_io_executor& loop, const Endpoints& endpoints);

  // `method`: of runtime.v1.RuntimeService or runtime.v1.ImageService.
  template <class Reply, class Request>
  [[nodiscard]] Call<Reply> runtime_call(std::string method, Request request,
                                         std::optional<Nanoseconds> limit) {
    return loop_call<Reply>(runtime, kRuntimeService + method, std::move(request), limit);
  }
  template <class Reply, class Request>
  [[nodiscard]] Call<Reply> image_call(std::string method, Request request,
                                       std::optional<Nanoseconds> limit) {
    return loop_call<Reply>(other_images ? *other_images : runtime, kImageService + method,
                            std::move(request), limit);
  }

  static constexpr const char* kRuntimeService = "/runtime.v1.RuntimeService/";
  static constexpr const char* kImageService = "/runtime.v1.ImageService/";
  static constexpr const char* kEventsService = "/containerd.services.events.v1.Events/";

  LoopChannel runtime;
  std::optional<LoopChannel> other_images;  // unset if the runtime's channel serves both
};

}  // namespace berth::cri
