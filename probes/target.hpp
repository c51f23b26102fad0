// SPDX-License-Identifier: Apache-2.0

// The concrete target of a probe's or hook's handler: named ports, default hosts, scheme, headers.
//
// Pure, and shared by probes and lifecycle hooks. Errors are in the kubelet's words; a probe turns
// them into an attempt that errored, a hook into its failure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/container.hpp"
#include "api/handlers.hpp"
#include "base/result.hpp"
#include "cri/types.hpp"
#include "probes/attempt.hpp"
#include "probes/url.hpp"

namespace berth::probes {

// The User-Agent of a kubelet of this version.
inline constexpr std::string_view kProbeUserAgent = "kube-probe/1.34";
inline constexpr std::string_view kHookUserAgent = "kube-lifecycle/1.34";

struct ExecTarget {
  cri::ContainerId container{};
  std::vector<std::string> command{};

  bool operator==(const ExecTarget&) const = default;
};

// Header names are canonical ("X-Foo") and sorted; values of one name keep their order.
struct HttpTarget {
  Url url{};
  std::string host_header{};  // empty: the URL's authority
  std::vector<api::HTTPHeader> headers{};

  bool operator==(const HttpTarget&) const = default;
};

struct TcpTarget {
  std::string host{};
  std::uint16_t port = 0;

  bool operator==(const TcpTarget&) const = default;
};

struct GrpcTarget {
  std::string host{};
  std::uint16_t port = 0;
  std::string service{};

  bool operator==(const GrpcTarget&) const = default;
};

using Target = std::variant<ExecTarget, HttpTarget, TcpTarget, GrpcTarget>;

// Resolves a port as the spec names it, among the ports of this very container.
[[nodiscard]] Result<std::uint16_t> resolve_port(const api::IntOrString& port,
                                                 const std::vector<api::ContainerPort>& ports);

// `pod_ip`: the primary address of the pod as its status shows it (for host network: the node's);
// used if the action names no host.
[[nodiscard]] Result<HttpTarget> http_target(const api::HTTPGetAction& action,
                                             const std::vector<api::ContainerPort>& ports,
                                             std::string_view pod_ip, std::string_view user_agent);
[[nodiscard]] Result<TcpTarget> tcp_target(const api::TCPSocketAction& action,
                                           const std::vector<api::ContainerPort>& ports,
                                           std::string_view pod_ip);

// The target of a probe. `command` is the exec command with its $(VAR)s expanded.
struct ProbedContainer {
  const cri::ContainerId& id;
  const std::vector<api::ContainerPort>& ports;
  std::string_view pod_ip;
  const std::vector<std::string>& command;
};
[[nodiscard]] Result<Target> probe_target(const api::Probe& probe,
                                          const ProbedContainer& container);

// The attempt for a target that cannot be resolved.
[[nodiscard]] Attempt errored_attempt(const Error& error);

// --- hooks ---------------------------------------------------------------------------------------

// `pod_ip`: the first address the runtime shows for the sandbox; host-network pods have none there
// and must name a host.
[[nodiscard]] Result<HttpTarget> http_hook_target(const api::HTTPGetAction& action,
                                                  const std::vector<api::ContainerPort>& ports,
                                                  std::string_view pod_ip);

// The request with which an HTTPS hook is retried once, if it was answered in plain HTTP.
[[nodiscard]] HttpTarget plain_http_fallback(HttpTarget target);

// Whether a hook's HTTP request failed: its status and body do not count.
[[nodiscard]] bool http_hook_failed(const Attempt& attempt);

}  // namespace berth::probes
