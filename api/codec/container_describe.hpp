// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/container.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/container.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ContainerPort, (), (name, hostPort, containerPort, protocol, hostIP))
constexpr auto printed_when_empty(const ContainerPort*) {
  return std::to_array<std::string_view>({"containerPort"});
}
BOOST_DESCRIBE_STRUCT(ConfigMapEnvSource, (), (name, optional))
BOOST_DESCRIBE_STRUCT(SecretEnvSource, (), (name, optional))
BOOST_DESCRIBE_STRUCT(EnvFromSource, (), (prefix, configMapRef, secretRef))
BOOST_DESCRIBE_STRUCT(EnvVarSource, (),
                      (fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef))
BOOST_DESCRIBE_STRUCT(EnvVar, (), (name, value, valueFrom))
constexpr auto printed_when_empty(const EnvVar*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(ContainerRestartRuleOnExitCodes, (), (operator_, values))
BOOST_DESCRIBE_STRUCT(ContainerRestartRule, (), (action, exitCodes))
BOOST_DESCRIBE_STRUCT(VolumeMount, (),
                      (name, readOnly, recursiveReadOnly, mountPath, subPath, mountPropagation,
                       subPathExpr))
constexpr auto printed_when_empty(const VolumeMount*) {
  return std::to_array<std::string_view>({"name", "mountPath"});
}
BOOST_DESCRIBE_STRUCT(VolumeDevice, (), (name, devicePath))
constexpr auto printed_when_empty(const VolumeDevice*) {
  return std::to_array<std::string_view>({"name", "devicePath"});
}
BOOST_DESCRIBE_STRUCT(Container, (),
                      (name, image, command, args, workingDir, ports, envFrom, env, resources,
                       resizePolicy, restartPolicy, restartPolicyRules, volumeMounts, volumeDevices,
                       livenessProbe, readinessProbe, startupProbe, lifecycle,
                       terminationMessagePath, terminationMessagePolicy, imagePullPolicy,
                       securityContext, stdin, stdinOnce, tty))
constexpr auto printed_when_empty(const Container*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(EphemeralContainer, (),
                      (name, image, command, args, workingDir, ports, envFrom, env, resources,
                       resizePolicy, restartPolicy, restartPolicyRules, volumeMounts, volumeDevices,
                       livenessProbe, readinessProbe, startupProbe, lifecycle,
                       terminationMessagePath, terminationMessagePolicy, imagePullPolicy,
                       securityContext, stdin, stdinOnce, tty, targetContainerName))
constexpr auto printed_when_empty(const EphemeralContainer*) {
  return std::to_array<std::string_view>({"name"});
}

}  // namespace berth::api
