// SPDX-License-Identifier: Apache-2.0

#include "probes/target.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "probes/http_message.hpp"

namespace berth::probes {
namespace {

constexpr std::int64_t kLastPort = 65535;

// Parses like Go's decimal numbers.
Result<std::int64_t> parse_decimal(const std::string& text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (error == std::errc::result_out_of_range) {
    return fail(ErrorCode::kInvalid,
                fmt::format("strconv.Atoi: parsing \"{}\": value out of range", text));
  }
  if (error != std::errc{} || rest != end || text.starts_with("+-")) {
    return fail(ErrorCode::kInvalid,
                fmt::format("strconv.Atoi: parsing \"{}\": invalid syntax", text));
  }
  return number;
}

Result<std::int64_t> port_number(const api::IntOrString& port,
                                 const std::vector<api::ContainerPort>& ports) {
  if (port.is_int()) return port.int_value();
  const std::string name = port.string_value();
  const auto found = std::find_if(ports.begin(), ports.end(),
                                  [&](const auto& declared) { return declared.name == name; });
  if (found != ports.end()) return found->containerPort;
  return parse_decimal(name);
}

std::vector<api::HTTPHeader> request_headers(const std::vector<api::HTTPHeader>& configured,
                                             std::string_view user_agent) {
  std::map<std::string, std::vector<std::string>> by_name;
  for (const auto& header : configured) {
    by_name[canonical_header_name(header.name)].push_back(header.value);
  }
  if (!by_name.contains("User-Agent")) by_name["User-Agent"] = {std::string(user_agent)};
  if (!by_name.contains("Accept")) by_name["Accept"] = {"*/*"};
  if (by_name["Accept"].front().empty()) by_name.erase("Accept");
  if (by_name["User-Agent"].front().empty()) by_name.erase("User-Agent");
  std::vector<api::HTTPHeader> out;
  for (const auto& [name, values] : by_name) {
    for (const auto& value : values) out.push_back({.name = name, .value = value});
  }
  return out;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

Url request_url(const api::HTTPGetAction& action, std::string_view host, std::uint16_t port) {
  // Text that is no URL is used as a path; a scheme or host in it is ignored.
  const auto parsed = parse_url(action.path);
  Url url = parsed ? *parsed : Url{.path = escape_path(action.path)};
  url.scheme = action.scheme.empty() ? "http" : lower(action.scheme);
  url.authority = join_host_port(host, std::to_string(port));
  return url;
}

}  // namespace

Result<std::uint16_t> resolve_port(const api::IntOrString& port,
                                   const std::vector<api::ContainerPort>& ports) {
  const auto number = port_number(port, ports);
  if (!number) return fail(number.error());
  if (*number > 0 && *number <= kLastPort) return static_cast<std::uint16_t>(*number);
  return fail(ErrorCode::kInvalid, fmt::format("invalid port number: {}", *number));
}

Result<HttpTarget> http_target(const api::HTTPGetAction& action,
                               const std::vector<api::ContainerPort>& ports,
                               std::string_view pod_ip, std::string_view user_agent) {
  const auto port = resolve_port(action.port, ports);
  if (!port) return fail(port.error());
  const std::string_view host = action.host.empty() ? pod_ip : std::string_view(action.host);
  HttpTarget target{.url = request_url(action, host, *port)};
  for (auto& header : request_headers(action.httpHeaders, user_agent)) {
    if (header.name != "Host") {
      target.headers.push_back(std::move(header));
    } else if (target.host_header.empty()) {
      target.host_header = std::move(header.value);
    }
  }
  return target;
}

Result<TcpTarget> tcp_target(const api::TCPSocketAction& action,
                             const std::vector<api::ContainerPort>& ports,
                             std::string_view pod_ip) {
  const auto port = resolve_port(action.port, ports);
  if (!port) return fail(port.error());
  return TcpTarget{.host = action.host.empty() ? std::string(pod_ip) : action.host, .port = *port};
}

Result<Target> probe_target(const api::Probe& probe, const ProbedContainer& container) {
  if (probe.exec) return ExecTarget{.container = container.id, .command = container.command};
  if (probe.httpGet) {
    auto target = http_target(*probe.httpGet, container.ports, container.pod_ip, kProbeUserAgent);
    if (!target) return fail(target.error());
    return std::move(*target);
  }
  if (probe.tcpSocket) {
    auto target = tcp_target(*probe.tcpSocket, container.ports, container.pod_ip);
    if (!target) return fail(target.error());
    return std::move(*target);
  }
  if (probe.grpc) {
    return GrpcTarget{.host = std::string(container.pod_ip),
                      .port = static_cast<std::uint16_t>(probe.grpc->port),
                      .service = probe.grpc->service.value_or("")};
  }
  return fail(ErrorCode::kInvalid, "missing probe handler");
}

Attempt errored_attempt(const Error& error) {
  return Attempt{.outcome = Outcome::kUnknown,
                 .errored = true,
                 .output = error.message,
                 .phase = Phase::kTarget,
                 .cause = Cause::kOther};
}

Result<HttpTarget> http_hook_target(const api::HTTPGetAction& action,
                                    const std::vector<api::ContainerPort>& ports,
                                    std::string_view pod_ip) {
  if (action.host.empty() && pod_ip.empty()) {
    return fail(ErrorCode::kInvalid,
                "failed to find networking container: the runtime shows no address of the pod; "
                "set httpGet.host");
  }
  return http_target(action, ports, pod_ip, kHookUserAgent);
}

HttpTarget plain_http_fallback(HttpTarget target) {
  target.url.scheme = "http";
  std::erase_if(target.headers, [](const auto& header) { return header.name == "Authorization"; });
  return target;
}

bool http_hook_failed(const Attempt& attempt) {
  return !attempt.code;
}

}  // namespace berth::probes
