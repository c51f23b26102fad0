// SPDX-License-Identifier: Apache-2.0

#include "node/container/security_context.hpp"

#include <fmt/format.h>

#include "node/confinement.hpp"
#include "node/pod_paths.hpp"

namespace berth::node {
namespace {

const std::vector<std::string> kMaskedPaths = {
    "/proc/asound",     "/proc/acpi",        "/proc/interrupts",
    "/proc/kcore",      "/proc/keys",        "/proc/latency_stats",
    "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug",
    "/proc/scsi",       "/sys/firmware",     "/sys/devices/virtual/powercap"};
const std::vector<std::string> kReadonlyPaths = {"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
                                                 "/proc/sysrq-trigger"};

// The container's own value, else its pod's.
template <class Outer, class Inner, class T>
std::optional<T> either(const std::optional<Inner>& inner, std::optional<T> Inner::*inner_member,
                        const std::optional<Outer>& outer, std::optional<T> Outer::*outer_member) {
  if (inner && (*inner).*inner_member) return (*inner).*inner_member;
  if (outer) return (*outer).*outer_member;
  return std::nullopt;
}

cri::NamespaceOptions namespace_options(const api::Pod& pod) {
  const auto& spec = pod.spec;
  cri::NamespaceOptions options;
  if (spec.hostNetwork) options.network = cri::NamespaceMode::kNode;
  if (spec.hostIPC) options.ipc = cri::NamespaceMode::kNode;
  if (spec.hostPID) {
    options.pid = cri::NamespaceMode::kNode;
  } else if (!spec.shareProcessNamespace.value_or(false)) {
    options.pid = cri::NamespaceMode::kContainer;
  }
  return options;
}

std::optional<cri::SelinuxOption> selinux(const std::optional<api::SELinuxOptions>& options) {
  if (!options) return std::nullopt;
  return cri::SelinuxOption{
      .user = options->user, .role = options->role, .type = options->type, .level = options->level};
}

std::vector<std::int64_t> supplemental_groups(const api::Pod& pod) {
  std::vector<std::int64_t> groups;
  if (!pod.spec.securityContext) return groups;
  if (pod.spec.securityContext->fsGroup) groups.push_back(*pod.spec.securityContext->fsGroup);
  const auto& more = pod.spec.securityContext->supplementalGroups;
  groups.insert(groups.end(), more.begin(), more.end());
  return groups;
}

cri::SupplementalGroupsPolicy groups_policy(const api::Pod& pod) {
  const bool strict =
      pod.spec.securityContext && pod.spec.securityContext->supplementalGroupsPolicy == "Strict";
  return strict ? cri::SupplementalGroupsPolicy::kStrict : cri::SupplementalGroupsPolicy::kMerge;
}

using Profile = Result<cri::SecurityProfile>;

// A profile that cannot be applied is refused (by validation, too): unconfined must be stated
// explicitly.
Profile seccomp_profile(const NodeView& node, const std::optional<api::SeccompProfile>& profile) {
  if (!profile) {
    return cri::SecurityProfile{.profile_type = node.config.seccomp_default
                                                    ? cri::ProfileType::kRuntimeDefault
                                                    : cri::ProfileType::kUnconfined};
  }
  if (profile->type == "RuntimeDefault") return cri::SecurityProfile{};
  if (profile->type == "Unconfined") {
    return cri::SecurityProfile{.profile_type = cri::ProfileType::kUnconfined};
  }
  if (profile->type != "Localhost") {
    return fail(ErrorCode::kInvalid,
                fmt::format("unknown seccomp profile type: \"{}\"", profile->type));
  }
  if (profile->localhostProfile.value_or("").empty()) {
    return fail(ErrorCode::kInvalid,
                "localhostProfile must be set if seccompProfile type is Localhost.");
  }
  return cri::SecurityProfile{
      .profile_type = cri::ProfileType::kLocalhost,
      .localhost_ref = node.config.paths.root + "/seccomp/" + *profile->localhostProfile};
}

Profile apparmor_security_profile(const api::AppArmorProfile& profile) {
  if (profile.type == "RuntimeDefault") return cri::SecurityProfile{};
  if (profile.type == "Unconfined") {
    return cri::SecurityProfile{.profile_type = cri::ProfileType::kUnconfined};
  }
  if (profile.type != "Localhost") {
    return fail(ErrorCode::kInvalid,
                fmt::format("unknown apparmor profile type: \"{}\"", profile.type));
  }
  if (profile.localhostProfile.value_or("").empty()) {
    return fail(ErrorCode::kInvalid, "missing localhost apparmor profile name");
  }
  return cri::SecurityProfile{.profile_type = cri::ProfileType::kLocalhost,
                              .localhost_ref = *profile.localhostProfile};
}

// Seccomp and AppArmor: the kubelet's words if a profile cannot be passed to the runtime.
std::optional<Error> add_profiles(const NodeView& node, const api::Pod& pod,
                                  const api::Container& container,
                                  cri::ContainerSecurityContext& context) {
  auto seccomp = seccomp_profile(
      node, either(container.securityContext, &api::SecurityContext::seccompProfile,
                   pod.spec.securityContext, &api::PodSecurityContext::seccompProfile));
  if (!seccomp) return seccomp.error();
  context.seccomp = std::move(*seccomp);
  const auto wanted = apparmor_profile(pod, container);
  if (!wanted) return std::nullopt;
  auto apparmor = apparmor_security_profile(*wanted);
  if (!apparmor) return apparmor.error();
  context.apparmor = std::move(*apparmor);
  return std::nullopt;
}

std::string pod_description(const api::Pod& pod) {
  return fmt::format("{}_{}({})", pod.metadata.name, pod.metadata.namespace_, pod.metadata.uid);
}

// Empty if the container does not run as root, or may do so.
std::string non_root_violation(const api::Pod& pod, const api::Container& container,
                               std::optional<std::int64_t> run_as_user, const cri::Image& image) {
  const std::string where =
      fmt::format("(pod: \"{}\", container: {})", pod_description(pod), container.name);
  if (run_as_user) {
    return *run_as_user == 0 ? "container's runAsUser breaks non-root policy " + where : "";
  }
  if (image.uid) {
    return *image.uid == 0 ? "container has runAsNonRoot and image will run as root " + where : "";
  }
  if (!image.username.empty()) {
    return fmt::format(
        "container has runAsNonRoot and image has non-numeric user ({}), cannot verify user is "
        "non-root {}",
        image.username, where);
  }
  return "container has runAsNonRoot and image will run as root " + where;
}

void apply_own_fields(const api::SecurityContext& own, cri::ContainerSecurityContext& context) {
  if (own.capabilities) {
    context.capabilities =
        cri::Capabilities{.add = own.capabilities->add, .drop = own.capabilities->drop};
  }
  context.privileged = own.privileged.value_or(false);
  context.readonly_rootfs = own.readOnlyRootFilesystem.value_or(false);
  // Privileged containers and those with CAP_SYS_ADMIN cannot disable it (validation).
  context.no_new_privs = !own.allowPrivilegeEscalation.value_or(true);
  if (own.procMount == "Unmasked") {
    context.masked_paths.clear();
    context.readonly_paths.clear();
  }
}

}  // namespace

cri::SandboxSecurityContext sandbox_security_context(const NodeView&, const api::Pod& pod) {
  cri::SandboxSecurityContext context{
      .namespace_options = namespace_options(pod),
      .supplemental_groups = supplemental_groups(pod),
      .supplemental_groups_policy = groups_policy(pod),
      .seccomp = cri::SecurityProfile{},  // the pause process needs nothing special
  };
  for (const auto* list : {&pod.spec.containers, &pod.spec.initContainers}) {
    for (const auto& container : *list) {
      if (!container.securityContext) continue;
      context.privileged =
          context.privileged || container.securityContext->privileged.value_or(false);
    }
  }
  if (pod.spec.securityContext) {
    const auto& own = *pod.spec.securityContext;
    context.run_as_user = own.runAsUser;
    context.run_as_group = own.runAsGroup;
    context.selinux_options = selinux(own.seLinuxOptions);
  }
  return context;
}

Result<cri::ContainerSecurityContext> container_security_context(const NodeView& node,
                                                                 const api::Pod& pod,
                                                                 const api::Container& container,
                                                                 const cri::Image& image) {
  using Own = api::SecurityContext;
  using Pods = api::PodSecurityContext;
  const auto& own = container.securityContext;
  const auto& pods = pod.spec.securityContext;

  cri::ContainerSecurityContext context{
      .namespace_options = namespace_options(pod),
      .supplemental_groups = supplemental_groups(pod),
      .supplemental_groups_policy = groups_policy(pod),
      .masked_paths = kMaskedPaths,
      .readonly_paths = kReadonlyPaths,
  };
  const auto& extra = node.facts.extra_masked_paths;
  context.masked_paths.insert(context.masked_paths.end(), extra.begin(), extra.end());
  context.selinux_options = selinux(either(own, &Own::seLinuxOptions, pods, &Pods::seLinuxOptions));
  if (auto refusal = add_profiles(node, pod, container, context)) return fail(std::move(*refusal));
  context.run_as_group = either(own, &Own::runAsGroup, pods, &Pods::runAsGroup);
  if (own) apply_own_fields(*own, context);

  const auto user = either(own, &Own::runAsUser, pods, &Pods::runAsUser);
  if (either(own, &Own::runAsNonRoot, pods, &Pods::runAsNonRoot).value_or(false)) {
    auto violation = non_root_violation(pod, container, user, image);
    if (!violation.empty()) return fail(ErrorCode::kInvalid, std::move(violation));
  }
  if (user) {
    context.run_as_user = user;
  } else if (image.uid) {
    context.run_as_user = image.uid;
  } else if (!image.username.empty()) {
    context.run_as_username = image.username;
  } else {
    context.run_as_user = 0;
  }
  return context;
}

}  // namespace berth::node
