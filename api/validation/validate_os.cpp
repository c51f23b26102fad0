// SPDX-License-Identifier: Apache-2.0

// Fields that a pod may not set because of its operating system or its own user namespace.
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

struct Field {
  std::string_view name;
  bool set;
};

void forbid(FieldErrors& errors, const FieldPath& path, std::initializer_list<Field> fields,
            std::string_view detail) {
  for (const Field& field : fields) {
    if (field.set) errors.push_back(forbidden(path / field.name, detail));
  }
}

// Calls visit(path, container) for the containers of all kinds, initContainers first.
template <class Visit>
void each_container(const FieldPath& path, const PodSpec& spec, Visit visit) {
  for (std::size_t i = 0; i < spec.initContainers.size(); ++i) {
    visit(path / "initContainers" / i, spec.initContainers[i]);
  }
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    visit(path / "containers" / i, spec.containers[i]);
  }
  for (std::size_t i = 0; i < spec.ephemeralContainers.size(); ++i) {
    visit(path / "ephemeralContainers" / i, as_container(spec.ephemeralContainers[i]));
  }
}

void check_linux(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  constexpr std::string_view kText = "windows options cannot be set for a linux pod";
  if (spec.securityContext) {
    forbid(errors, path / "securityContext",
           {{"windowsOptions", spec.securityContext->windowsOptions.has_value()}}, kText);
  }
  each_container(path, spec, [&](const FieldPath& at, const Container& container) {
    if (!container.securityContext) return;
    forbid(errors, at / "securityContext",
           {{"windowsOptions", container.securityContext->windowsOptions.has_value()}}, kText);
  });
}

void check_windows(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  constexpr std::string_view kText = "cannot be set for a windows pod";
  const PodSecurityContext context = spec.securityContext.value_or(PodSecurityContext{});
  const FieldPath at = path / "securityContext";
  forbid(errors, at,
         {{"appArmorProfile", context.appArmorProfile.has_value()},
          {"seLinuxOptions", context.seLinuxOptions.has_value()}},
         kText);
  forbid(errors, path,
         {{"hostUsers", spec.hostUsers.has_value()},
          {"hostPID", spec.hostPID},
          {"hostIPC", spec.hostIPC}},
         kText);
  forbid(errors, at,
         {{"seccompProfile", context.seccompProfile.has_value()},
          {"fsGroup", context.fsGroup.has_value()},
          {"fsGroupChangePolicy", context.fsGroupChangePolicy.has_value()},
          {"sysctls", !context.sysctls.empty()}},
         kText);
  forbid(errors, path, {{"shareProcessNamespace", spec.shareProcessNamespace.has_value()}}, kText);
  forbid(errors, at,
         {{"runAsUser", context.runAsUser.has_value()},
          {"runAsGroup", context.runAsGroup.has_value()},
          {"supplementalGroups", !context.supplementalGroups.empty()},
          {"supplementalGroupsPolicy", context.supplementalGroupsPolicy.has_value()},
          {"seLinuxChangePolicy", context.seLinuxChangePolicy.has_value()}},
         kText);
  each_container(path, spec, [&](const FieldPath& of, const Container& container) {
    if (!container.securityContext) return;
    const SecurityContext& own = *container.securityContext;
    forbid(errors, of / "securityContext",
           {{"appArmorProfile", own.appArmorProfile.has_value()},
            {"seLinuxOptions", own.seLinuxOptions.has_value()},
            {"seccompProfile", own.seccompProfile.has_value()},
            {"capabilities", own.capabilities.has_value()},
            {"readOnlyRootFilesystem", own.readOnlyRootFilesystem.has_value()},
            {"privileged", own.privileged.has_value()},
            {"allowPrivilegeEscalation", own.allowPrivilegeEscalation.has_value()},
            {"procMount", own.procMount.has_value()},
            {"runAsUser", own.runAsUser.has_value()},
            {"runAsGroup", own.runAsGroup.has_value()}},
           kText);
  });
}

}  // namespace

void check_host_users(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (spec.hostUsers.value_or(true)) return;
  constexpr std::string_view kText = "when `hostUsers` is false";
  forbid(errors, path,
         {{"hostNetwork", spec.hostNetwork}, {"HostPID", spec.hostPID}, {"HostIPC", spec.hostIPC}},
         kText);
  each_container(path, spec, [&](const FieldPath& at, const Container& container) {
    forbid(errors, at, {{"volumeDevices", !container.volumeDevices.empty()}}, kText);
  });
}

void check_os(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (!spec.os) return;
  const std::string& name = spec.os->name;
  if (name.empty()) {
    errors.push_back(required(path / "os" / "name"));
  } else {
    check_one_of(errors, path / "os", name, {"linux", "windows"});
  }
  if (name == "linux") check_linux(errors, path, spec);
  if (name == "windows") check_windows(errors, path, spec);
}

}  // namespace berth::api
