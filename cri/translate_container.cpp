// SPDX-License-Identifier: Apache-2.0

// Containers.
#include "base/text.hpp"
#include "cri/translate.hpp"
#include "cri/translate_enums.hpp"
#include "cri/translate_parts.hpp"

namespace berth::cri {
namespace {

pb::Mount to_message(const Mount& mount) {
  pb::Mount message;
  message.set_container_path(mount.container_path);
  message.set_host_path(mount.host_path);
  message.set_readonly(mount.readonly);
  message.set_selinux_relabel(mount.selinux_relabel);
  message.set_propagation(enum_to<pb::MountPropagation>(mount.propagation));
  message.set_recursive_read_only(mount.recursive_read_only);
  return message;
}

Mount from_message(const pb::Mount& message) {
  return {.container_path = message.container_path(),
          .host_path = message.host_path(),
          .readonly = message.readonly(),
          .selinux_relabel = message.selinux_relabel(),
          .propagation =
              enum_from(message.propagation(), Propagation::kBidirectional, Propagation::kPrivate),
          .recursive_read_only = message.recursive_read_only()};
}

pb::Device to_message(const Device& device) {
  pb::Device message;
  message.set_container_path(device.container_path);
  message.set_host_path(device.host_path);
  message.set_permissions(device.permissions);
  return message;
}

// For runtimes that do not know the newer field; the kubelet sends both.
std::string apparmor_text(const SecurityProfile& profile) {
  if (profile.profile_type == ProfileType::kLocalhost) return "localhost/" + profile.localhost_ref;
  return profile.profile_type == ProfileType::kUnconfined ? "unconfined" : "runtime/default";
}

pb::LinuxContainerSecurityContext to_message(const ContainerSecurityContext& context) {
  using Message = pb::LinuxContainerSecurityContext;
  Message message;
  if (context.capabilities) {
    copy_to(context.capabilities->add, message.mutable_capabilities()->mutable_add_capabilities());
    copy_to(context.capabilities->drop,
            message.mutable_capabilities()->mutable_drop_capabilities());
  }
  message.set_privileged(context.privileged);
  *message.mutable_namespace_options() = to_message(context.namespace_options);
  if (context.selinux_options) {
    *message.mutable_selinux_options() = to_message(*context.selinux_options);
  }
  copy_to(context.run_as_user, &message, &Message::mutable_run_as_user);
  copy_to(context.run_as_group, &message, &Message::mutable_run_as_group);
  message.set_run_as_username(context.run_as_username);
  message.set_readonly_rootfs(context.readonly_rootfs);
  copy_to(context.supplemental_groups, message.mutable_supplemental_groups());
  message.set_supplemental_groups_policy(
      enum_to<pb::SupplementalGroupsPolicy>(context.supplemental_groups_policy));
  message.set_no_new_privs(context.no_new_privs);
  copy_to(context.masked_paths, message.mutable_masked_paths());
  copy_to(context.readonly_paths, message.mutable_readonly_paths());
  if (context.seccomp) *message.mutable_seccomp() = to_message(*context.seccomp);
  if (context.apparmor) {
    *message.mutable_apparmor() = to_message(*context.apparmor);
    message.set_apparmor_profile(apparmor_text(*context.apparmor));
  }
  return message;
}

ContainerMetadata from_message(const pb::ContainerMetadata& message) {
  return {.name = message.name(), .attempt = message.attempt()};
}

LinuxUser from_message(const pb::LinuxContainerUser& message) {
  return {.uid = message.uid(),
          .gid = message.gid(),
          .supplemental_groups = {message.supplemental_groups().begin(),
                                  message.supplemental_groups().end()}};
}

}  // namespace

pb::ContainerConfig to_message(const ContainerConfig& config) {
  pb::ContainerConfig message;
  message.mutable_metadata()->set_name(config.metadata.name);
  message.mutable_metadata()->set_attempt(config.metadata.attempt);
  *message.mutable_image() = to_message(config.image);
  copy_to(config.command, message.mutable_command());
  copy_to(config.args, message.mutable_args());
  message.set_working_dir(config.working_dir);
  for (const auto& [key, value] : config.envs) {
    auto& env = *message.add_envs();
    env.set_key(key);
    env.set_value(value);
  }
  for (const auto& mount : config.mounts) *message.add_mounts() = to_message(mount);
  for (const auto& device : config.devices) *message.add_devices() = to_message(device);
  copy_to(config.labels, message.mutable_labels());
  copy_to(config.annotations, message.mutable_annotations());
  message.set_log_path(config.log_path);
  message.set_stdin(config.stdin_open);
  message.set_stdin_once(config.stdin_once);
  message.set_tty(config.tty);
  *message.mutable_linux()->mutable_resources() = to_message(config.resources);
  *message.mutable_linux()->mutable_security_context() = to_message(config.security_context);
  message.set_stop_signal(config.stop_signal);
  return message;
}

pb::ContainerFilter to_message(const ContainerFilter& filter) {
  pb::ContainerFilter message;
  message.set_id(filter.id);
  if (filter.state) {
    message.mutable_state()->set_state(enum_to<pb::ContainerState>(*filter.state));
  }
  message.set_pod_sandbox_id(filter.pod_sandbox_id);
  copy_to(filter.label_selector, message.mutable_label_selector());
  return message;
}

Container from_message(const pb::Container& message) {
  return {.id = ContainerId(message.id()),
          .pod_sandbox_id = SandboxId(message.pod_sandbox_id()),
          .metadata = from_message(message.metadata()),
          .image = from_message(message.image()),
          .image_ref = message.image_ref(),
          .image_id = message.image_id(),
          .state = state_from(message.state()),
          .created_at = time_from(message.created_at()),
          .labels = map_from(message.labels()),
          .annotations = map_from(message.annotations())};
}

ContainerStatus from_message(const pb::ContainerStatus& message) {
  ContainerStatus status{.id = ContainerId(message.id()),
                         .metadata = from_message(message.metadata()),
                         .state = state_from(message.state()),
                         .created_at = time_from(message.created_at()),
                         .started_at = time_from(message.started_at()),
                         .finished_at = time_from(message.finished_at()),
                         .exit_code = message.exit_code(),
                         .image = message.image().image(),
                         .image_ref = message.image_ref(),
                         .reason = valid_text(message.reason()),
                         .message = valid_text(message.message()),
                         .labels = map_from(message.labels()),
                         .annotations = map_from(message.annotations()),
                         .log_path = message.log_path(),
                         .image_id = message.image_id(),
                         .stop_signal = message.stop_signal()};
  for (const auto& mount : message.mounts()) status.mounts.push_back(from_message(mount));
  if (message.resources().has_linux()) {
    status.resources = from_message(message.resources().linux());
  }
  if (message.user().has_linux()) status.user = from_message(message.user().linux());
  return status;
}

}  // namespace berth::cri
