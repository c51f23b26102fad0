// SPDX-License-Identifier: Apache-2.0

// The HTTP port's answers: GET /pods, /metrics, /metrics/probes and /healthz, in the kubelet's
// shapes and words.
//
// Pure except for the given sources, which are called on the loop thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/serve/health.hpp"

namespace berth::agent {

struct HttpRequest {
  std::string method{};
  std::string target{};  // "/healthz?verbose"
};

struct HttpReply {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body{};
  std::string allow{};  // for a 405
};

struct HttpSources {
  std::function<std::string()> pods_json{};      // a v1 PodList
  std::function<std::string()> metrics{};        // Prometheus' text format
  std::function<std::string()> probe_metrics{};  // likewise
  std::function<std::vector<HealthCheck>()> health{};
};

[[nodiscard]] HttpReply answer(const HttpRequest& request, const HttpSources& sources);

}  // namespace berth::agent
