// SPDX-License-Identifier: Apache-2.0

// Calls to the container runtime from beside berthd, as a kubelet or crictl makes them.
//
// Blocking; a call that fails throws.
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "cri/client.hpp"
#include "tests/integration/test_node.hpp"

namespace berth::integration {

class RuntimeCalls {
 public:
  [[nodiscard]] cri::CriClient& client() { return client_; }
  // Completes a call of the client.
  template <class T>
  T must(cri::Call<T> call) {
    std::optional<Result<T>> result;
    tasks_.spawn("call", keep_result(std::move(call), result));
    if (loop_.stopped()) loop_.restart();
    loop_.run();
    if (!result || !*result)
      throw std::runtime_error(result ? result->error().message : "the call did not end");
    return std::move(**result);
  }

 private:
  template <class T>
  static boost::asio::awaitable<void> keep_result(cri::Call<T> call,
                                                  std::optional<Result<T>>& out) {
    auto result = co_await std::move(call);
    out.emplace(std::move(result));
  }

  RealClock clock_{};
  boost::asio::io_context loop_{1};
  TaskGroup tasks_{loop_.get_executor(), [](std::string_view task, std::exception_ptr) {
                     ADD_FAILURE() << "an exception escaped " << task;
                   }};
  cri::CriClient client_{
      clock_, cri::connect(loop_.get_executor(), {.runtime = Containerd::instance().endpoint()})};
};

}  // namespace berth::integration
