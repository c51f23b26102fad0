// SPDX-License-Identifier: Apache-2.0

// Security contexts of pods and containers.
#include "api/validation/validate_go_form.hpp"
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

constexpr std::size_t kMostProfileBytes = 4095;

void check_seccomp(FieldErrors& errors, const FieldPath& path, const SeccompProfile& profile) {
  if (profile.type.empty()) {
    errors.push_back(required(path / "type", "type is required when seccompProfile is set"));
  } else {
    check_one_of(errors, path / "type", profile.type,
                 {"Localhost", "RuntimeDefault", "Unconfined"});
  }
  const FieldPath at = path / "localhostProfile";
  if (profile.type == "Localhost") {
    if (!profile.localhostProfile) {
      errors.push_back(required(at, "must be set when seccomp type is Localhost"));
    } else {
      check_descending_path(errors, at, *profile.localhostProfile);
    }
  } else if (profile.localhostProfile) {
    errors.push_back(
        invalid(at, json_text(go_form(profile)), "can only be set when seccomp type is Localhost"));
  }
}

void check_app_armor(FieldErrors& errors, const FieldPath& path, const AppArmorProfile& profile) {
  const FieldPath at = path / "localhostProfile";
  const std::optional<std::string>& name = profile.localhostProfile;
  if (profile.type.empty()) {
    errors.push_back(required(path / "type", "type is required when appArmorProfile is set"));
  } else if (profile.type == "Localhost") {
    if (name.value_or("").empty()) {
      errors.push_back(required(at, "must be set when AppArmor type is Localhost"));
    } else if (is_padded(*name)) {
      errors.push_back(invalid(at, quoted(*name), "must not be padded with whitespace"));
    }
    if (name && name->size() > kMostProfileBytes) errors.push_back(too_long(at, kMostProfileBytes));
  } else if (profile.type == "RuntimeDefault" || profile.type == "Unconfined") {
    if (!name) return;
    errors.push_back(
        invalid(at, json_string(*name), "can only be set when AppArmor type is Localhost"));
  } else {
    check_one_of(errors, path / "type", profile.type,
                 {"Localhost", "RuntimeDefault", "Unconfined"});
  }
}

void check_escalation(FieldErrors& errors, const FieldPath& path, const SecurityContext& context) {
  if (context.allowPrivilegeEscalation.value_or(true)) return;
  if (context.privileged.value_or(false)) {
    errors.push_back(invalid(path, json_text(go_form(context)),
                             "cannot set `allowPrivilegeEscalation` to false and `privileged` to "
                             "true"));
  }
  if (!context.capabilities) return;
  for (const std::string& capability : context.capabilities->add) {
    if (capability != "CAP_SYS_ADMIN") continue;
    errors.push_back(invalid(path, json_text(go_form(context)),
                             "cannot set `allowPrivilegeEscalation` to false and "
                             "`capabilities.Add` CAP_SYS_ADMIN"));
  }
}

std::string dotted(std::string_view sysctl) {
  std::string name(sysctl);
  const std::size_t first = name.find_first_of("./");
  if (first == std::string::npos || name[first] == '.') return name;
  for (char& c : name) {
    c = c == '/' ? '.' : c == '.' ? '/' : c;
  }
  return name;
}

bool shares_ipc(std::string_view sysctl) {
  constexpr std::string_view kNames[] = {
      "kernel.shm", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced",
      "kernel.msg", "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", "kernel.sem"};
  for (const std::string_view name : kNames) {
    if (sysctl == name) return true;
  }
  return sysctl.starts_with("fs.mqueue.");
}

void check_sysctls(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  const std::vector<Sysctl>& sysctls = spec.securityContext->sysctls;
  std::set<std::string> names;
  for (std::size_t i = 0; i < sysctls.size(); ++i) {
    const std::string& name = sysctls[i].name;
    const FieldPath at = path / i / "name";
    if (name.empty()) {
      errors.push_back(required(at));
    } else if (!grammar::is_sysctl_name(name)) {
      errors.push_back(invalid(at, quoted(name),
                               "must have at most 253 characters and match regex "
                               "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-"
                               "9])?$"));
    } else if (names.contains(name)) {
      errors.push_back(duplicate(at, quoted(name)));
    }
    const std::string plain = dotted(name);
    if (spec.hostNetwork && plain.starts_with("net.")) {
      errors.push_back(
          invalid(at, quoted(name), "may not be specified when 'hostNetwork' is true"));
    }
    if (spec.hostIPC && shares_ipc(plain)) {
      errors.push_back(invalid(at, quoted(name), "may not be specified when 'hostIPC' is true"));
    }
    names.insert(name);
  }
}

}  // namespace

void check_security_context(FieldErrors& errors, const FieldPath& path,
                            const SecurityContext& context, const ContainerScope& scope) {
  if (context.privileged.value_or(false) && !scope.privileged_allowed) {
    errors.push_back(forbidden(path / "privileged", "disallowed by cluster policy"));
  }
  check_id(errors, path / "runAsUser", context.runAsUser);
  check_id(errors, path / "runAsGroup", context.runAsGroup);
  if (context.procMount) {
    const FieldPath at = path / "procMount";
    check_one_of(errors, at, *context.procMount, {"Default", "Unmasked"});
    if (*context.procMount == "Unmasked" && scope.spec.hostUsers.value_or(true)) {
      errors.push_back(invalid(at, json_string(*context.procMount),
                               "`hostUsers` must be false to use `Unmasked`"));
    }
  }
  if (context.seccompProfile) {
    check_seccomp(errors, path / "seccompProfile", *context.seccompProfile);
  }
  check_escalation(errors, path, context);
  if (context.windowsOptions) {
    check_windows_options(errors, path / "windowsOptions", *context.windowsOptions);
  }
  if (context.appArmorProfile) {
    check_app_armor(errors, path / "appArmorProfile", *context.appArmorProfile);
  }
}

void check_pod_security_context(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (!spec.securityContext) return;
  const PodSecurityContext& context = *spec.securityContext;
  check_id(errors, path / "fsGroup", context.fsGroup);
  check_id(errors, path / "runAsUser", context.runAsUser);
  check_id(errors, path / "runAsGroup", context.runAsGroup);
  for (std::size_t i = 0; i < context.supplementalGroups.size(); ++i) {
    check_id(errors, path / "supplementalGroups" / i, context.supplementalGroups[i]);
  }
  if (spec.shareProcessNamespace.value_or(false) && spec.hostPID) {
    errors.push_back(invalid(path / "shareProcessNamespace", boolean(true),
                             "ShareProcessNamespace and HostPID cannot both be enabled"));
  }
  check_sysctls(errors, path / "sysctls", spec);
  if (context.fsGroupChangePolicy) {
    check_one_of(errors, path / "fsGroupChangePolicy", *context.fsGroupChangePolicy,
                 {"Always", "OnRootMismatch"});
  }
  if (context.seccompProfile) {
    check_seccomp(errors, path / "seccompProfile", *context.seccompProfile);
  }
  if (context.windowsOptions) {
    check_windows_options(errors, path / "windowsOptions", *context.windowsOptions);
  }
  if (context.appArmorProfile) {
    check_app_armor(errors, path / "appArmorProfile", *context.appArmorProfile);
  }
  if (context.supplementalGroupsPolicy) {
    check_one_of(errors, path / "supplementalGroupsPolicy", *context.supplementalGroupsPolicy,
                 {"Merge", "Strict"});
  }
  if (context.seLinuxChangePolicy) {
    check_one_of(errors, path / "seLinuxChangePolicy", *context.seLinuxChangePolicy, {"Recursive"});
  }
}

}  // namespace berth::api
