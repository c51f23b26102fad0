#include "agent/http_routes.hpp"

#include <array>
#include <vector>

namespace berth::agent {
namespace {

// The checks of /healthz, in the kubelet's order. All three hold as long as somebody answers at
// all: there is one loop, and it is this one that reads the request.
constexpr std::array<std::string_view, 3> kChecks = {"ping", "log", "syncloop"};

struct Target {
  std::string_view path{};
  std::vector<std::pair<std::string_view, std::string_view>> query{};

  [[nodiscard]] bool asks(std::string_view key) const {
    for (const auto& [name, value] : query) {
      if (name == key) return true;
    }
    return false;
  }
};

Target split(std::string_view target) {
  const auto mark = target.find('?');
  Target parts{.path = target.substr(0, mark)};
  auto rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const auto pair = rest.substr(0, end);
    const auto equals = pair.find('=');
    parts.query.emplace_back(pair.substr(0, equals), equals == std::string_view::npos
                                                         ? std::string_view()
                                                         : pair.substr(equals + 1));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return parts;
}

HttpReply health(const Target& target) {
  if (!target.asks("verbose")) return {.body = "ok"};
  std::vector<std::string_view> excluded;
  for (const auto& [key, value] : target.query) {
    if (key == "exclude") excluded.push_back(value);
  }
  std::string text;
  for (const auto check : kChecks) {
    const bool skipped = std::erase(excluded, check) > 0;
    text += "[+]" + std::string(check) + (skipped ? " excluded: ok\n" : " ok\n");
  }
  for (const auto unknown : excluded) {
    text += "warn: some health checks cannot be excluded: no matches for \"" +
            std::string(unknown) + "\"\n";
  }
  return {.body = text + "healthz check passed\n"};
}

HttpReply not_found() {
  return {.status = 404, .body = "404 page not found\n"};
}

HttpReply health_by_name(std::string_view name) {
  for (const auto check : kChecks) {
    if (check == name) return {.body = "ok"};
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
  const auto target = split(request.target);
  constexpr std::string_view kHealth = "/healthz";
  if (target.path == kHealth || target.path == "/healthz/") return health(target);
  if (target.path.starts_with("/healthz/")) {
    return health_by_name(target.path.substr(kHealth.size() + 1));
  }
  const bool pods = target.path == "/pods" || target.path == "/pods/";
  const bool probes = target.path == "/metrics/probes";
  if ((pods || probes) && request.method != "GET") {
    return {.status = 405, .body = "405: Method Not Allowed", .allow = "GET"};
  }
  if (pods) return {.content_type = "application/json", .body = sources.pods_json()};
  if (probes) {
    return {.content_type = "text/plain; version=0.0.4; charset=utf-8",
            .body = sources.probe_metrics()};
  }
  if (asks_for_debugging(target.path)) {
    return {.status = 405, .body = "Debug endpoints are disabled.\n"};
  }
  return not_found();
}

}  // namespace berth::agent
