// SPDX-License-Identifier: Apache-2.0

// The HTTP port (readOnlyPort): reads small requests, answers them (http_exchange).
//
// One coroutine per connection, in a limited number: when all slots are taken, the slowest
// connection is closed (http_slots). Header and body sizes are bounded, every read and write has a
// deadline: a started request must be complete within `head`. Loop thread only. To stop:
// request_stop, join (TaskGroup).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/serve/http_routes.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

struct HttpLimits {
  std::size_t connections = 64;
  std::chrono::milliseconds head = std::chrono::seconds(5);
};

class HttpServer {
 public:
  // Listens immediately; fails if the address is taken, naming it. Port 0 lets the system choose.
  static Result<std::unique_ptr<HttpServer>> listen(boost::asio::any_io_executor executor,
                                                    Clock& clock, const std::string& address,
                                                    std::uint16_t port, HttpSources sources,
                                                    TaskGroup::FailureHandler on_failure,
                                                    HttpLimits limits = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::agent
