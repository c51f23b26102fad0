// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/http_routes.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

const std::vector<HealthCheck> kWell = {{.name = "ping"}, {.name = "log"}, {.name = "syncloop"}};

HttpReply get(const std::string& target, const std::string& method = "GET",
              const std::vector<HealthCheck>& health = kWell) {
  HttpSources sources{.pods_json = [] { return std::string("{}"); },
                      .metrics = [] { return std::string("kubelet_evictions 1\n"); },
                      .probe_metrics = [] { return std::string("prober_probe_total 1\n"); },
                      .health = [&health] { return health; }};
  return answer({.method = method, .target = target}, sources);
}

struct Case {
  const char* method;
  const char* target;
  int status;
  const char* body;
};

TEST(HttpRoutes, answer_in_the_kubelets_words) {
  const Case cases[] = {
      {"GET", "/healthz", 200, "ok"},
      {"POST", "/healthz", 200, "ok"},
      {"GET", "/healthz/ping", 200, "ok"},
      {"GET", "/healthz/syncloop", 200, "ok"},
      {"GET", "/healthz/none", 404, "404 page not found\n"},
      {"GET", "/healthz?verbose", 200,
       "[+]ping ok\n[+]log ok\n[+]syncloop ok\nhealthz check passed\n"},
      {"GET", "/healthz?verbose&exclude=log&exclude=x", 200,
       "[+]ping ok\n[+]log excluded: ok\n[+]syncloop ok\nwarn: some health checks cannot be "
       "excluded: no matches for \"x\"\nhealthz check passed\n"},
      {"GET", "/healthz?verbose&exclude=%22%0a%1b", 200,
       "[+]ping ok\n[+]log ok\n[+]syncloop ok\nwarn: some health checks cannot be excluded: no "
       "matches for \"\\\"\\n\\x1b\"\nhealthz check passed\n"},
      {"GET", "/healthz?verbose&exclude=b&exclude=%61&exclude=b", 200,
       "[+]ping ok\n[+]log ok\n[+]syncloop ok\nwarn: some health checks cannot be excluded: no "
       "matches for \"a\",\"b\"\nhealthz check passed\n"},
      {"GET", "/pods", 200, "{}"},
      {"GET", "/pods/", 200, "{}"},
      {"POST", "/pods", 405, "405: Method Not Allowed"},
      {"GET", "/metrics/probes", 200, "prober_probe_total 1\n"},
      {"POST", "/metrics/probes", 405, "405: Method Not Allowed"},
      {"GET", "/metrics", 200, "kubelet_evictions 1\n"},
      {"POST", "/metrics", 405, "405: Method Not Allowed"},
      {"GET", "/metrics/", 404, "404 page not found\n"},
      {"GET", "/exec/default/web/c", 405, "Debug endpoints are disabled.\n"},
      {"GET", "/runningpods/", 405, "Debug endpoints are disabled.\n"},
      {"GET", "/", 404, "404 page not found\n"},
      {"GET", "/%zz", 400, "400 Bad Request: the request's target is no URL\n"},
      {"GET", "", 404, "404 page not found\n"},
      {"GET", "/podsx", 404, "404 page not found\n"},
  };
  for (const auto& c : cases) {
    const auto reply = get(c.target, c.method);
    EXPECT_EQ(reply.status, c.status) << c.method << " " << c.target;
    EXPECT_EQ(reply.body, c.body) << c.method << " " << c.target;
  }
}

TEST(HttpRoutes, a_check_that_fails_is_reported_and_why_only_by_its_name) {
  std::vector<HealthCheck> sick = kWell;
  sick[1].failure = "logging blocked: the disk is full";
  const Case cases[] = {
      {"GET", "/healthz", 500,
       "[+]ping ok\n[-]log failed: reason withheld\n[+]syncloop ok\nhealthz check failed\n"},
      {"GET", "/healthz?verbose", 500,
       "[+]ping ok\n[-]log failed: reason withheld\n[+]syncloop ok\nhealthz check failed\n"},
      {"GET", "/healthz?exclude=log", 200, "ok"},
      {"GET", "/healthz?exclude=log&verbose", 200,
       "[+]ping ok\n[+]log excluded: ok\n[+]syncloop ok\nhealthz check passed\n"},
      {"GET", "/healthz/log", 500, "internal server error: logging blocked: the disk is full\n"},
      {"GET", "/healthz/syncloop", 200, "ok"},
  };
  for (const auto& c : cases) {
    const auto reply = get(c.target, c.method, sick);
    EXPECT_EQ(reply.status, c.status) << c.target;
    EXPECT_EQ(reply.body, c.body) << c.target;
  }
}

TEST(HttpRoutes, pods_are_json_and_metrics_are_prometheus_text) {
  EXPECT_EQ(get("/pods").content_type, "application/json");
  EXPECT_EQ(get("/metrics/probes").content_type, "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace
}  // namespace berth::agent
