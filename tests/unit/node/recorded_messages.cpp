// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/node/recorded_messages.hpp"
#include "tests/test_paths.hpp"

#include <fstream>
#include <stdexcept>

namespace berth::node::recorded {
namespace {

namespace json = boost::json;

const json::object& empty_object() {
  static const json::object nothing;
  return nothing;
}

const json::object& object(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? empty_object() : value->as_object();
}

std::string text(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? "" : json::value_to<std::string>(*value);
}

bool flag(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value != nullptr && value->as_bool();
}

// 64-bit numbers are written as strings.
std::int64_t number(const json::value& value) {
  return value.is_string() ? std::stoll(json::value_to<std::string>(value))
                           : value.to_number<std::int64_t>();
}

std::int64_t number(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? 0 : number(*value);
}

std::vector<std::string> texts(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  return value == nullptr ? std::vector<std::string>{}
                          : json::value_to<std::vector<std::string>>(*value);
}

cri::StringMap text_map(const json::object& from, const char* key) {
  cri::StringMap map;
  for (const auto& [name, value] : object(from, key)) {
    map[std::string(name)] = json::value_to<std::string>(value);
  }
  return map;
}

// Int64Value: absent, or {"value": "0"} with 0 omitted.
std::optional<std::int64_t> optional_number(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  if (value == nullptr) return std::nullopt;
  return number(value->as_object(), "value");
}

cri::NamespaceMode mode(const json::object& from, const char* key) {
  const std::string name = text(from, key);
  if (name == "CONTAINER") return cri::NamespaceMode::kContainer;
  if (name == "NODE") return cri::NamespaceMode::kNode;
  if (name == "TARGET") return cri::NamespaceMode::kTarget;
  return cri::NamespaceMode::kPod;
}

cri::NamespaceOptions namespaces(const json::object& from) {
  const auto& options = object(from, "namespace_options");
  return {.network = mode(options, "network"),
          .pid = mode(options, "pid"),
          .ipc = mode(options, "ipc"),
          .target_id = text(options, "target_id"),
          .userns = mode(object(options, "userns_options"), "mode")};
}

std::optional<cri::SecurityProfile> profile(const json::object& from, const char* key) {
  const auto* value = from.if_contains(key);
  if (value == nullptr) return std::nullopt;
  const std::string type = text(value->as_object(), "profile_type");
  cri::SecurityProfile result{.localhost_ref = text(value->as_object(), "localhost_ref")};
  if (type == "Unconfined") result.profile_type = cri::ProfileType::kUnconfined;
  if (type == "Localhost") result.profile_type = cri::ProfileType::kLocalhost;
  return result;
}

std::vector<std::int64_t> numbers(const json::object& from, const char* key) {
  std::vector<std::int64_t> list;
  if (const auto* value = from.if_contains(key)) {
    for (const auto& item : value->as_array()) list.push_back(number(item));
  }
  return list;
}

cri::LinuxContainerResources resources(const json::object& from) {
  cri::LinuxContainerResources result{
      .cpu_period = number(from, "cpu_period"),
      .cpu_quota = number(from, "cpu_quota"),
      .cpu_shares = number(from, "cpu_shares"),
      .memory_limit_in_bytes = number(from, "memory_limit_in_bytes"),
      .oom_score_adj = number(from, "oom_score_adj"),
      .cpuset_cpus = text(from, "cpuset_cpus"),
      .cpuset_mems = text(from, "cpuset_mems"),
      .unified = text_map(from, "unified"),
      .memory_swap_limit_in_bytes = number(from, "memory_swap_limit_in_bytes")};
  if (const auto* limits = from.if_contains("hugepage_limits")) {
    for (const auto& limit : limits->as_array()) {
      result.hugepage_limits.push_back(
          {.page_size = text(limit.as_object(), "page_size"),
           .limit = static_cast<std::uint64_t>(number(limit.as_object(), "limit"))});
    }
  }
  return result;
}

cri::PodSandboxConfig sandbox(const json::object& from) {
  const auto& linux_part = object(from, "linux");
  const auto& security = object(linux_part, "security_context");
  const auto& dns = object(from, "dns_config");
  const auto& meta = object(from, "metadata");
  cri::PodSandboxConfig config{
      .metadata = {.name = text(meta, "name"),
                   .uid = text(meta, "uid"),
                   .namespace_ = text(meta, "namespace"),
                   .attempt = static_cast<std::uint32_t>(number(meta, "attempt"))},
      .hostname = text(from, "hostname"),
      .log_directory = text(from, "log_directory"),
      .dns_config = cri::DnsConfig{.servers = texts(dns, "servers"),
                                   .searches = texts(dns, "searches"),
                                   .options = texts(dns, "options")},
      .labels = text_map(from, "labels"),
      .annotations = text_map(from, "annotations"),
      .cgroup_parent = text(linux_part, "cgroup_parent"),
      .security_context = {.namespace_options = namespaces(security),
                           .run_as_user = optional_number(security, "run_as_user"),
                           .run_as_group = optional_number(security, "run_as_group"),
                           .supplemental_groups = numbers(security, "supplemental_groups"),
                           .privileged = flag(security, "privileged"),
                           .seccomp = profile(security, "seccomp")},
      .sysctls = text_map(linux_part, "sysctls"),
      .overhead = resources(object(linux_part, "overhead")),
      .resources = resources(object(linux_part, "resources"))};
  if (const auto* ports = from.if_contains("port_mappings")) {
    for (const auto& item : ports->as_array()) {
      const auto& port = item.as_object();
      config.port_mappings.push_back(
          {.container_port = static_cast<std::int32_t>(number(port, "container_port")),
           .host_port = static_cast<std::int32_t>(number(port, "host_port")),
           .host_ip = text(port, "host_ip")});
    }
  }
  return config;
}

cri::ContainerSecurityContext security_context(const json::object& from) {
  cri::ContainerSecurityContext context{.privileged = flag(from, "privileged"),
                                        .namespace_options = namespaces(from),
                                        .run_as_user = optional_number(from, "run_as_user"),
                                        .run_as_group = optional_number(from, "run_as_group"),
                                        .run_as_username = text(from, "run_as_username"),
                                        .readonly_rootfs = flag(from, "readonly_rootfs"),
                                        .supplemental_groups = numbers(from, "supplemental_groups"),
                                        .no_new_privs = flag(from, "no_new_privs"),
                                        .masked_paths = texts(from, "masked_paths"),
                                        .readonly_paths = texts(from, "readonly_paths"),
                                        .seccomp = profile(from, "seccomp"),
                                        .apparmor = profile(from, "apparmor")};
  if (const auto* capabilities = from.if_contains("capabilities")) {
    const auto& lists = capabilities->as_object();
    context.capabilities = cri::Capabilities{.add = texts(lists, "add_capabilities"),
                                             .drop = texts(lists, "drop_capabilities")};
  }
  return context;
}

cri::Mount mount(const json::object& from) {
  const std::string propagation = text(from, "propagation");
  cri::Mount result{.container_path = text(from, "container_path"),
                    .host_path = text(from, "host_path"),
                    .readonly = flag(from, "readonly"),
                    .selinux_relabel = flag(from, "selinux_relabel")};
  if (propagation == "PROPAGATION_HOST_TO_CONTAINER") {
    result.propagation = cri::Propagation::kHostToContainer;
  } else if (propagation == "PROPAGATION_BIDIRECTIONAL") {
    result.propagation = cri::Propagation::kBidirectional;
  }
  return result;
}

cri::ContainerConfig container(const json::object& from) {
  const auto& linux_part = object(from, "linux");
  const auto& meta = object(from, "metadata");
  const auto& image = object(from, "image");
  cri::ContainerConfig config{
      .metadata = {.name = text(meta, "name"),
                   .attempt = static_cast<std::uint32_t>(number(meta, "attempt"))},
      .image = {.image = text(image, "image"),
                .user_specified_image = text(image, "user_specified_image")},
      .command = texts(from, "command"),
      .args = texts(from, "args"),
      .working_dir = text(from, "working_dir"),
      .labels = text_map(from, "labels"),
      .annotations = text_map(from, "annotations"),
      .log_path = text(from, "log_path"),
      .stdin_open = flag(from, "stdin"),
      .stdin_once = flag(from, "stdin_once"),
      .tty = flag(from, "tty"),
      .resources = resources(object(linux_part, "resources")),
      .security_context = security_context(object(linux_part, "security_context"))};
  // The order of variables is irrelevant; a map sorts them.
  cri::StringMap envs;
  if (const auto* list = from.if_contains("envs")) {
    for (const auto& item : list->as_array()) {
      envs[text(item.as_object(), "key")] = text(item.as_object(), "value");
    }
  }
  for (const auto& [key, value] : envs) config.envs.push_back({.key = key, .value = value});
  if (const auto* list = from.if_contains("mounts")) {
    for (const auto& item : list->as_array()) config.mounts.push_back(mount(item.as_object()));
  }
  return config;
}

template <class Visit>
void for_each_request(const char* method, Visit&& visit) {
  std::ifstream session(test_data() / "cri-recordings/session.jsonl");
  if (!session) throw std::runtime_error("the recorded session is missing");
  for (std::string line; std::getline(session, line);) {
    const auto entry = json::parse(line).as_object();
    if (text(entry, "method") != method || text(entry, "dir") != "request") continue;
    visit(entry.at("message").as_object());
  }
}

}  // namespace

std::vector<cri::PodSandboxConfig> sandbox_requests() {
  std::vector<cri::PodSandboxConfig> list;
  for_each_request("RunPodSandbox", [&](const json::object& message) {
    list.push_back(sandbox(object(message, "config")));
  });
  return list;
}

std::vector<CreateRequest> create_requests() {
  std::vector<CreateRequest> list;
  for_each_request("CreateContainer", [&](const json::object& message) {
    list.push_back({.config = container(object(message, "config")),
                    .sandbox = sandbox(object(message, "sandbox_config"))});
  });
  return list;
}

}  // namespace berth::node::recorded
