// SPDX-License-Identifier: Apache-2.0

// One container of a pod as its spec states it (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/handlers.hpp"
#include "api/meta.hpp"
#include "api/references.hpp"
#include "api/resources.hpp"
#include "api/security.hpp"

namespace berth::api {

struct ContainerPort {
  std::string name{};
  std::int32_t hostPort = 0;
  std::int32_t containerPort = 0;
  std::string protocol{};
  std::string hostIP{};

  bool operator==(const ContainerPort&) const = default;
};

struct ConfigMapEnvSource {
  std::string name{};
  std::optional<bool> optional{};

  bool operator==(const ConfigMapEnvSource&) const = default;
};

struct SecretEnvSource {
  std::string name{};
  std::optional<bool> optional{};

  bool operator==(const SecretEnvSource&) const = default;
};

struct EnvFromSource {
  std::string prefix{};
  std::optional<ConfigMapEnvSource> configMapRef{};
  std::optional<SecretEnvSource> secretRef{};

  bool operator==(const EnvFromSource&) const = default;
};

struct EnvVarSource {
  std::optional<ObjectFieldSelector> fieldRef{};
  std::optional<ResourceFieldSelector> resourceFieldRef{};
  std::optional<ConfigMapKeySelector> configMapKeyRef{};
  std::optional<SecretKeySelector> secretKeyRef{};
  std::optional<FileKeySelector> fileKeyRef{};

  bool operator==(const EnvVarSource&) const = default;
};

struct EnvVar {
  std::string name{};
  std::string value{};
  std::optional<EnvVarSource> valueFrom{};

  bool operator==(const EnvVar&) const = default;
};

struct ContainerRestartRuleOnExitCodes {
  std::string operator_{};
  std::vector<std::int32_t> values{};

  bool operator==(const ContainerRestartRuleOnExitCodes&) const = default;
};

struct ContainerRestartRule {
  std::string action{};
  std::optional<ContainerRestartRuleOnExitCodes> exitCodes{};

  bool operator==(const ContainerRestartRule&) const = default;
};

struct VolumeMount {
  std::string name{};
  bool readOnly = false;
  std::optional<std::string> recursiveReadOnly{};
  std::string mountPath{};
  std::string subPath{};
  std::optional<std::string> mountPropagation{};
  std::string subPathExpr{};

  bool operator==(const VolumeMount&) const = default;
};

struct VolumeDevice {
  std::string name{};
  std::string devicePath{};

  bool operator==(const VolumeDevice&) const = default;
};

struct Container {
  std::string name{};
  std::string image{};
  std::vector<std::string> command{};
  std::vector<std::string> args{};
  std::string workingDir{};
  std::vector<ContainerPort> ports{};
  std::vector<EnvFromSource> envFrom{};
  std::vector<EnvVar> env{};
  ResourceRequirements resources{};
  std::vector<ContainerResizePolicy> resizePolicy{};
  std::optional<std::string> restartPolicy{};
  std::vector<ContainerRestartRule> restartPolicyRules{};
  std::vector<VolumeMount> volumeMounts{};
  std::vector<VolumeDevice> volumeDevices{};
  std::optional<Probe> livenessProbe{};
  std::optional<Probe> readinessProbe{};
  std::optional<Probe> startupProbe{};
  std::optional<Lifecycle> lifecycle{};
  std::string terminationMessagePath{};
  std::string terminationMessagePolicy{};
  std::string imagePullPolicy{};
  std::optional<SecurityContext> securityContext{};
  bool stdin = false;
  bool stdinOnce = false;
  bool tty = false;

  bool operator==(const Container&) const = default;
};

struct EphemeralContainer {
  std::string name{};
  std::string image{};
  std::vector<std::string> command{};
  std::vector<std::string> args{};
  std::string workingDir{};
  std::vector<ContainerPort> ports{};
  std::vector<EnvFromSource> envFrom{};
  std::vector<EnvVar> env{};
  ResourceRequirements resources{};
  std::vector<ContainerResizePolicy> resizePolicy{};
  std::optional<std::string> restartPolicy{};
  std::vector<ContainerRestartRule> restartPolicyRules{};
  std::vector<VolumeMount> volumeMounts{};
  std::vector<VolumeDevice> volumeDevices{};
  std::optional<Probe> livenessProbe{};
  std::optional<Probe> readinessProbe{};
  std::optional<Probe> startupProbe{};
  std::optional<Lifecycle> lifecycle{};
  std::string terminationMessagePath{};
  std::string terminationMessagePolicy{};
  std::string imagePullPolicy{};
  std::optional<SecurityContext> securityContext{};
  bool stdin = false;
  bool stdinOnce = false;
  bool tty = false;
  std::string targetContainerName{};

  bool operator==(const EphemeralContainer&) const = default;
};

}  // namespace berth::api
