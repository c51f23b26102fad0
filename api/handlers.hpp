// SPDX-License-Identifier: Apache-2.0

// Probes and lifecycle hooks, and the handlers they share (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/int_or_string.hpp"

namespace berth::api {

struct ExecAction {
  std::vector<std::string> command{};

  bool operator==(const ExecAction&) const = default;
};

struct HTTPHeader {
  std::string name{};
  std::string value{};

  bool operator==(const HTTPHeader&) const = default;
};

struct HTTPGetAction {
  std::string path{};
  IntOrString port{};
  std::string host{};
  std::string scheme{};
  std::vector<HTTPHeader> httpHeaders{};

  bool operator==(const HTTPGetAction&) const = default;
};

struct TCPSocketAction {
  IntOrString port{};
  std::string host{};

  bool operator==(const TCPSocketAction&) const = default;
};

struct GRPCAction {
  std::int32_t port = 0;
  std::optional<std::string> service{};

  bool operator==(const GRPCAction&) const = default;
};

struct SleepAction {
  std::int64_t seconds = 0;

  bool operator==(const SleepAction&) const = default;
};

struct Probe {
  std::optional<ExecAction> exec{};
  std::optional<HTTPGetAction> httpGet{};
  std::optional<TCPSocketAction> tcpSocket{};
  std::optional<GRPCAction> grpc{};
  std::int32_t initialDelaySeconds = 0;
  std::int32_t timeoutSeconds = 0;
  std::int32_t periodSeconds = 0;
  std::int32_t successThreshold = 0;
  std::int32_t failureThreshold = 0;
  std::optional<std::int64_t> terminationGracePeriodSeconds{};

  bool operator==(const Probe&) const = default;
};

struct LifecycleHandler {
  std::optional<ExecAction> exec{};
  std::optional<HTTPGetAction> httpGet{};
  std::optional<TCPSocketAction> tcpSocket{};
  std::optional<SleepAction> sleep{};

  bool operator==(const LifecycleHandler&) const = default;
};

struct Lifecycle {
  std::optional<LifecycleHandler> postStart{};
  std::optional<LifecycleHandler> preStop{};
  std::optional<std::string> stopSignal{};

  bool operator==(const Lifecycle&) const = default;
};

}  // namespace berth::api
