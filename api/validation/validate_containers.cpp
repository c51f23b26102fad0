// SPDX-License-Identifier: Apache-2.0

// Containers of all three kinds: their common rules, and what each kind may and may not have.
#include "api/pod_resources.hpp"
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

void check_common(FieldErrors& errors, const FieldPath& path, const Container& container,
                  const ContainerScope& scope) {
  check_required_text(errors, path / "name", container.name, grammar::dns1123_label);
  require(errors, path / "image", container.image);
  if (container.terminationMessagePolicy.empty()) {
    errors.push_back(required(path / "terminationMessagePolicy"));
  } else {
    check_one_of(errors, path / "terminationMessagePolicy", container.terminationMessagePolicy,
                 {"File", "FallbackToLogsOnError"});
  }
  check_ports(errors, path / "ports", container.ports);
  check_env(errors, path / "env", container.env);
  check_env_from(errors, path / "envFrom", container.envFrom);
  check_mounts(errors, path / "volumeMounts", container, scope.volumes);
  check_devices(errors, path / "volumeDevices", container, scope.volumes);
  if (container.imagePullPolicy.empty()) {
    errors.push_back(required(path / "imagePullPolicy"));
  } else {
    check_one_of(errors, path / "imagePullPolicy", container.imagePullPolicy,
                 {"Always", "IfNotPresent", "Never"});
  }
  check_container_resources(errors, path / "resources", container.resources, scope.claim_names);
  check_resize_policies(errors, path / "resizePolicy", container.resizePolicy,
                        scope.spec.restartPolicy);
  if (container.securityContext) {
    check_security_context(errors, path / "securityContext", *container.securityContext, scope);
  }
}

void forbid_for_plain_init(FieldErrors& errors, const FieldPath& path, const Container& container) {
  const std::pair<std::string_view, bool> fields[] = {
      {"lifecycle", container.lifecycle.has_value()},
      {"livenessProbe", container.livenessProbe.has_value()},
      {"readinessProbe", container.readinessProbe.has_value()},
      {"startupProbe", container.startupProbe.has_value()},
  };
  for (const auto& [name, set] : fields) {
    if (!set) continue;
    errors.push_back(
        forbidden(path / name, "may not be set for init containers without restartPolicy=Always"));
  }
}

void check_restart_rule(FieldErrors& errors, const FieldPath& path,
                        const ContainerRestartRule& rule) {
  constexpr std::size_t kMostExitCodes = 255;
  check_one_of(errors, path / "action", rule.action, {"Restart"});
  const FieldPath codes = path / "exitCodes";
  if (!rule.exitCodes) {
    errors.push_back(required(codes, "must be specified"));
    return;
  }
  check_one_of(errors, codes / "operator", rule.exitCodes->operator_, {"In", "NotIn"});
  const std::size_t count = rule.exitCodes->values.size();
  if (count > kMostExitCodes) errors.push_back(too_many(codes / "values", count, kMostExitCodes));
}

// For containers with a policy of their own, where that is allowed.
void check_restart_policy(FieldErrors& errors, const FieldPath& path, const Container& container) {
  constexpr std::size_t kMostRules = 20;
  const auto& rules = container.restartPolicyRules;
  if (container.restartPolicy) {
    check_one_of(errors, path / "restartPolicy", *container.restartPolicy,
                 {"Always", "Never", "OnFailure"});
  } else if (!rules.empty()) {
    errors.push_back(
        required(path / "restartPolicy", "must specify restartPolicy when restart rules are used"));
  }
  const FieldPath at = path / "restartPolicyRules";
  if (rules.size() > kMostRules) errors.push_back(too_many(at, rules.size(), kMostRules));
  for (std::size_t i = 0; i < rules.size(); ++i) check_restart_rule(errors, at / i, rules[i]);
}

void check_init_restart_policy(FieldErrors& errors, const FieldPath& path,
                               const Container& container, const ContainerScope& scope) {
  if (scope.restart_rules) {
    check_restart_policy(errors, path, container);
  } else if (container.restartPolicy) {
    check_one_of(errors, path / "restartPolicy", *container.restartPolicy, {"Always"});
  } else if (!container.restartPolicyRules.empty()) {
    errors.push_back(
        required(path / "restartPolicy", "must specify restartPolicy when restart rules are used"));
  }
}

// A debugging container shares the pod as it is; it may not set any field that would change the
// pod.
void forbid_for_ephemeral(FieldErrors& errors, const FieldPath& path, const Container& container) {
  const std::pair<std::string_view, bool> fields[] = {
      {"ports", !container.ports.empty()},
      {"resources", container.resources != ResourceRequirements{}},
      {"resizePolicy", !container.resizePolicy.empty()},
      {"restartPolicy", container.restartPolicy.has_value()},
      {"restartPolicyRules", !container.restartPolicyRules.empty()},
      {"livenessProbe", container.livenessProbe.has_value()},
      {"readinessProbe", container.readinessProbe.has_value()},
      {"startupProbe", container.startupProbe.has_value()},
      {"lifecycle", container.lifecycle.has_value()},
  };
  constexpr std::string_view kText = "cannot be set for an Ephemeral Container";
  for (const auto& [name, set] : fields) {
    if (set) errors.push_back(forbidden(path / name, kText));
  }
  for (std::size_t i = 0; i < container.volumeMounts.size(); ++i) {
    const FieldPath at = path / "volumeMounts" / i;
    const VolumeMount& mount = container.volumeMounts[i];
    if (!mount.subPath.empty()) errors.push_back(forbidden(at / "subPath", kText));
    if (!mount.subPathExpr.empty()) errors.push_back(forbidden(at / "subPathExpr", kText));
  }
}

void check_padding(FieldErrors& errors, const FieldPath& path, const Container& container) {
  if (!is_padded(container.image)) return;
  errors.push_back(invalid(path / "image", quoted(container.image),
                           "must not have leading or trailing whitespace"));
}

}  // namespace

Container as_container(const EphemeralContainer& e) {
  return Container{.name = e.name,
                   .image = e.image,
                   .command = e.command,
                   .args = e.args,
                   .workingDir = e.workingDir,
                   .ports = e.ports,
                   .envFrom = e.envFrom,
                   .env = e.env,
                   .resources = e.resources,
                   .resizePolicy = e.resizePolicy,
                   .restartPolicy = e.restartPolicy,
                   .restartPolicyRules = e.restartPolicyRules,
                   .volumeMounts = e.volumeMounts,
                   .volumeDevices = e.volumeDevices,
                   .livenessProbe = e.livenessProbe,
                   .readinessProbe = e.readinessProbe,
                   .startupProbe = e.startupProbe,
                   .lifecycle = e.lifecycle,
                   .terminationMessagePath = e.terminationMessagePath,
                   .terminationMessagePolicy = e.terminationMessagePolicy,
                   .imagePullPolicy = e.imagePullPolicy,
                   .securityContext = e.securityContext,
                   .stdin = e.stdin,
                   .stdinOnce = e.stdinOnce,
                   .tty = e.tty};
}

void check_containers(FieldErrors& errors, const FieldPath& path, const ContainerScope& scope) {
  const std::vector<Container>& containers = scope.spec.containers;
  if (containers.empty()) {
    errors.push_back(required(path));
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Container& container = containers[i];
    const FieldPath at = path / i;
    check_common(errors, at, container, scope);
    if (!names.insert(container.name).second) {
      errors.push_back(duplicate(at / "name", quoted(container.name)));
    }
    if (container.lifecycle) {
      check_lifecycle(errors, at / "lifecycle", *container.lifecycle, scope);
    }
    check_probes(errors, at, container);
    if (scope.restart_rules) {
      check_restart_policy(errors, at, container);
    } else if (container.restartPolicy) {
      errors.push_back(forbidden(at / "restartPolicy", "may not be set for non-init containers"));
    }
  }
  std::set<std::string> taken;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    check_host_port_conflicts(errors, path / i / "ports", containers[i].ports, taken);
  }
}

void check_init_containers(FieldErrors& errors, const FieldPath& path,
                           const ContainerScope& scope) {
  std::set<std::string> names;
  for (const Container& container : scope.spec.containers) names.insert(container.name);
  for (std::size_t i = 0; i < scope.spec.initContainers.size(); ++i) {
    const Container& container = scope.spec.initContainers[i];
    const FieldPath at = path / i;
    check_common(errors, at, container, scope);
    check_init_restart_policy(errors, at, container, scope);
    if (names.contains(container.name)) {
      errors.push_back(duplicate(at / "name", quoted(container.name)));
    } else if (!container.name.empty()) {
      names.insert(container.name);
    }
    // Host ports are compared within one init container only, and always reported at the first one.
    std::set<std::string> taken;
    check_host_port_conflicts(errors, path / 0 / "ports", container.ports, taken);
    if (is_sidecar(container)) {
      if (container.lifecycle) {
        check_lifecycle(errors, at / "lifecycle", *container.lifecycle, scope);
      }
      check_probes(errors, at, container);
    } else {
      forbid_for_plain_init(errors, at, container);
    }
  }
}

void check_ephemeral_containers(FieldErrors& errors, const FieldPath& path,
                                const ContainerScope& scope) {
  std::set<std::string> others;
  for (const Container& container : scope.spec.containers) others.insert(container.name);
  for (const Container& container : scope.spec.initContainers) others.insert(container.name);
  std::set<std::string> names = others;
  for (std::size_t i = 0; i < scope.spec.ephemeralContainers.size(); ++i) {
    const EphemeralContainer& ephemeral = scope.spec.ephemeralContainers[i];
    const Container container = as_container(ephemeral);
    const FieldPath at = path / i;
    check_common(errors, at, container, scope);
    check_padding(errors, at, container);
    if (!names.insert(container.name).second) {
      errors.push_back(duplicate(at / "name", quoted(container.name)));
    }
    const std::string& target = ephemeral.targetContainerName;
    if (!target.empty() && !others.contains(target)) {
      errors.push_back(not_found(at / "targetContainerName", quoted(target)));
    }
    forbid_for_ephemeral(errors, at, container);
  }
}

void check_image_white_space(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  for (std::size_t i = 0; i < spec.containers.size(); ++i)
    check_padding(errors, path / "containers" / i, spec.containers[i]);
  for (std::size_t i = 0; i < spec.initContainers.size(); ++i)
    check_padding(errors, path / "initContainers" / i, spec.initContainers[i]);
}

}  // namespace berth::api
