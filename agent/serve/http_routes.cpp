// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/http_routes.hpp"

#include <array>
#include <set>

#include "api/field_error.hpp"
#include "probes/url.hpp"

namespace berth::agent {
namespace {

// "x","y": as the kubelet lists names, whatever the caller wrote.
std::string quoted(const std::set<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ",") + api::go_quote(name);
  return text;
}

// Anybody sees which check failed; only a request that names the check sees why.
HttpReply health(const probes::Url& asked, const std::vector<HealthCheck>& checks) {
  bool verbose = false;
  std::set<std::string> excluded;
  for (auto& [key, value] : probes::query_values(asked)) {
    if (key == "verbose") verbose = true;
    if (key == "exclude") excluded.insert(std::move(value));
  }
  bool failed = false;
  std::string text;
  for (const auto& [name, failure] : checks) {
    if (excluded.erase(name) > 0) {
      text += "[+]" + name + " excluded: ok\n";
    } else if (failure.empty()) {
      text += "[+]" + name + " ok\n";
    } else {
      failed = true;
      text += "[-]" + name + " failed: reason withheld\n";
    }
  }
  if (!excluded.empty()) {
    text +=
        "warn: some health checks cannot be excluded: no matches for " + quoted(excluded) + "\n";
  }
  if (failed) return {.status = 500, .body = text + "healthz check failed\n"};
  return {.body = verbose ? text + "healthz check passed\n" : "ok"};
}

HttpReply not_found() {
  return {.status = 404, .body = "404 page not found\n"};
}

HttpReply health_by_name(std::string_view name, const std::vector<HealthCheck>& checks) {
  for (const auto& check : checks) {
    if (check.name != name) continue;
    if (check.failure.empty()) return {.body = "ok"};
    return {.status = 500, .body = "internal server error: " + check.failure + "\n"};
  }
  return not_found();
}

bool asks_for_debugging(std::string_view path) {
  constexpr std::array<std::string_view, 8> kDebugging = {
      "/run/",           "/exec/",        "/attach/",      "/portForward/",
      "/containerLogs/", "/runningpods/", "/debug/pprof/", "/logs/"};
  for (const auto prefix : kDebugging) {
    if (path.starts_with(prefix) || path == prefix.substr(0, prefix.size() - 1)) return true;
  }
  return false;
}

}  // namespace

HttpReply answer(const HttpRequest& request, const HttpSources& sources) {
  const auto target = probes::parse_url(request.target);
  if (!target) return {.status = 400, .body = "400 Bad Request: the request's target is no URL\n"};
  constexpr std::string_view kHealth = "/healthz";
  if (target->path == kHealth || target->path == "/healthz/")
    return health(*target, sources.health());
  if (target->path.starts_with("/healthz/")) {
    return health_by_name(std::string_view(target->path).substr(kHealth.size() + 1),
                          sources.health());
  }
  const bool pods = target->path == "/pods" || target->path == "/pods/";
  const bool metrics = target->path == "/metrics";
  const bool probes = target->path == "/metrics/probes";
  if ((pods || metrics || probes) && request.method != "GET") {
    return {.status = 405, .body = "405: Method Not Allowed", .allow = "GET"};
  }
  if (pods) return {.content_type = "application/json", .body = sources.pods_json()};
  if (metrics || probes) {
    return {.content_type = "text/plain; version=0.0.4; charset=utf-8",
            .body = metrics ? sources.metrics() : sources.probe_metrics()};
  }
  if (asks_for_debugging(target->path)) {
    return {.status = 405, .body = "Debug endpoints are disabled.\n"};
  }
  return not_found();
}

}  // namespace berth::agent
