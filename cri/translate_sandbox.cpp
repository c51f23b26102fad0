// SPDX-License-Identifier: Apache-2.0

// Sandboxes, and the security and resource parts that containers share with them.
#include "cri/translate.hpp"
#include "cri/translate_enums.hpp"
#include "cri/translate_parts.hpp"

namespace berth::cri {
namespace {

pb::PodSandboxMetadata to_message(const SandboxMetadata& metadata) {
  pb::PodSandboxMetadata message;
  message.set_name(metadata.name);
  message.set_uid(metadata.uid);
  message.set_namespace_(metadata.namespace_);
  message.set_attempt(metadata.attempt);
  return message;
}

SandboxMetadata from_message(const pb::PodSandboxMetadata& message) {
  return {.name = message.name(),
          .uid = message.uid(),
          .namespace_ = message.namespace_(),
          .attempt = message.attempt()};
}

pb::LinuxSandboxSecurityContext to_message(const SandboxSecurityContext& context) {
  using Message = pb::LinuxSandboxSecurityContext;
  Message message;
  *message.mutable_namespace_options() = to_message(context.namespace_options);
  if (context.selinux_options) {
    *message.mutable_selinux_options() = to_message(*context.selinux_options);
  }
  copy_to(context.run_as_user, &message, &Message::mutable_run_as_user);
  copy_to(context.run_as_group, &message, &Message::mutable_run_as_group);
  message.set_readonly_rootfs(context.readonly_rootfs);
  copy_to(context.supplemental_groups, message.mutable_supplemental_groups());
  message.set_supplemental_groups_policy(
      enum_to<pb::SupplementalGroupsPolicy>(context.supplemental_groups_policy));
  message.set_privileged(context.privileged);
  if (context.seccomp) *message.mutable_seccomp() = to_message(*context.seccomp);
  if (context.apparmor) *message.mutable_apparmor() = to_message(*context.apparmor);
  return message;
}

pb::DNSConfig to_message(const DnsConfig& dns) {
  pb::DNSConfig message;
  copy_to(dns.servers, message.mutable_servers());
  copy_to(dns.searches, message.mutable_searches());
  copy_to(dns.options, message.mutable_options());
  return message;
}

pb::PortMapping to_message(const PortMapping& port) {
  pb::PortMapping message;
  message.set_protocol(enum_to<pb::Protocol>(port.protocol));
  message.set_container_port(port.container_port);
  message.set_host_port(port.host_port);
  message.set_host_ip(port.host_ip);
  return message;
}

}  // namespace

pb::NamespaceOption to_message(const NamespaceOptions& options) {
  pb::NamespaceOption message;
  message.set_network(enum_to<pb::NamespaceMode>(options.network));
  message.set_pid(enum_to<pb::NamespaceMode>(options.pid));
  message.set_ipc(enum_to<pb::NamespaceMode>(options.ipc));
  message.set_target_id(options.target_id);
  message.mutable_userns_options()->set_mode(enum_to<pb::NamespaceMode>(options.userns));
  return message;
}

pb::SecurityProfile to_message(const SecurityProfile& profile) {
  pb::SecurityProfile message;
  message.set_profile_type(enum_to<pb::SecurityProfile::ProfileType>(profile.profile_type));
  message.set_localhost_ref(profile.localhost_ref);
  return message;
}

pb::SELinuxOption to_message(const SelinuxOption& option) {
  pb::SELinuxOption message;
  message.set_user(option.user);
  message.set_role(option.role);
  message.set_type(option.type);
  message.set_level(option.level);
  return message;
}

pb::PodSandboxConfig to_message(const PodSandboxConfig& config) {
  pb::PodSandboxConfig message;
  *message.mutable_metadata() = to_message(config.metadata);
  message.set_hostname(config.hostname);
  message.set_log_directory(config.log_directory);
  if (config.dns_config) *message.mutable_dns_config() = to_message(*config.dns_config);
  for (const auto& port : config.port_mappings) *message.add_port_mappings() = to_message(port);
  copy_to(config.labels, message.mutable_labels());
  copy_to(config.annotations, message.mutable_annotations());
  auto& on_linux = *message.mutable_linux();
  on_linux.set_cgroup_parent(config.cgroup_parent);
  *on_linux.mutable_security_context() = to_message(config.security_context);
  copy_to(config.sysctls, on_linux.mutable_sysctls());
  *on_linux.mutable_overhead() = to_message(config.overhead);
  *on_linux.mutable_resources() = to_message(config.resources);
  return message;
}

pb::PodSandboxFilter to_message(const SandboxFilter& filter) {
  pb::PodSandboxFilter message;
  message.set_id(filter.id);
  if (filter.state) {
    message.mutable_state()->set_state(enum_to<pb::PodSandboxState>(*filter.state));
  }
  copy_to(filter.label_selector, message.mutable_label_selector());
  return message;
}

PodSandbox from_message(const pb::PodSandbox& message) {
  return {.id = SandboxId(message.id()),
          .metadata = from_message(message.metadata()),
          .state = state_from(message.state()),
          .created_at = time_from(message.created_at()),
          .labels = map_from(message.labels()),
          .annotations = map_from(message.annotations())};
}

PodSandboxStatus from_message(const pb::PodSandboxStatus& message) {
  PodSandboxStatus status{.id = SandboxId(message.id()),
                          .metadata = from_message(message.metadata()),
                          .state = state_from(message.state()),
                          .created_at = time_from(message.created_at()),
                          .has_network = message.has_network(),
                          .ip = message.network().ip(),
                          .labels = map_from(message.labels()),
                          .annotations = map_from(message.annotations())};
  for (const auto& other : message.network().additional_ips()) {
    status.additional_ips.push_back(other.ip());
  }
  status.network_mode = enum_from(message.linux().namespaces().options().network(),
                                  NamespaceMode::kTarget, NamespaceMode::kPod);
  return status;
}

}  // namespace berth::cri
