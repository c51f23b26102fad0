// SPDX-License-Identifier: Apache-2.0

// Requests to and reports from a container runtime, as plain values: CRI v1 without its wire
// format.
//
// Field names are CRI's own. Times are unix nanoseconds as in CRI, 0 = not set; `created_time` and
// its siblings convert them. Decision code uses these types; nothing here depends on gRPC or Asio.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "base/strong_id.hpp"

namespace berth::cri {

using SandboxId = StrongId<struct SandboxIdTag>;
using ContainerId = StrongId<struct ContainerIdTag>;

using StringMap = std::map<std::string, std::string>;

// Converts CRI's nanoseconds; `std::nullopt` for 0.
[[nodiscard]] std::optional<WallTime> wall_time(std::int64_t unix_nanoseconds);
[[nodiscard]] std::int64_t unix_nanoseconds(WallTime time);

enum class NamespaceMode : std::uint8_t { kPod, kContainer, kNode, kTarget };
enum class Propagation : std::uint8_t { kPrivate, kHostToContainer, kBidirectional };
enum class Protocol : std::uint8_t { kTcp, kUdp, kSctp };
enum class ProfileType : std::uint8_t { kRuntimeDefault, kUnconfined, kLocalhost };
enum class SupplementalGroupsPolicy : std::uint8_t { kMerge, kStrict };
enum class SandboxState : std::uint8_t { kReady, kNotReady };
enum class ContainerState : std::uint8_t { kCreated, kRunning, kExited, kUnknown };

struct DnsConfig {
  std::vector<std::string> servers{};
  std::vector<std::string> searches{};
  std::vector<std::string> options{};
  bool operator==(const DnsConfig&) const = default;
};

struct PortMapping {
  Protocol protocol = Protocol::kTcp;
  std::int32_t container_port = 0;
  std::int32_t host_port = 0;
  std::string host_ip{};
  bool operator==(const PortMapping&) const = default;
};

struct Mount {
  std::string container_path{};
  std::string host_path{};
  bool readonly = false;
  bool selinux_relabel = false;
  Propagation propagation = Propagation::kPrivate;
  bool recursive_read_only = false;
  bool operator==(const Mount&) const = default;
};

struct Device {
  std::string container_path{};
  std::string host_path{};
  std::string permissions{};
  bool operator==(const Device&) const = default;
};

struct NamespaceOptions {
  NamespaceMode network = NamespaceMode::kPod;
  NamespaceMode pid = NamespaceMode::kPod;
  NamespaceMode ipc = NamespaceMode::kPod;
  std::string target_id{};
  NamespaceMode userns = NamespaceMode::kNode;  // userns_options.mode
  bool operator==(const NamespaceOptions&) const = default;
};

struct SecurityProfile {
  ProfileType profile_type = ProfileType::kRuntimeDefault;
  std::string localhost_ref{};
  bool operator==(const SecurityProfile&) const = default;
};

struct SelinuxOption {
  std::string user{};
  std::string role{};
  std::string type{};
  std::string level{};
  bool operator==(const SelinuxOption&) const = default;
};

struct HugepageLimit {
  std::string page_size{};
  std::uint64_t limit = 0;
  bool operator==(const HugepageLimit&) const = default;
};

// 0 = not set, everywhere.
struct LinuxContainerResources {
  std::int64_t cpu_period = 0;  // µs
  std::int64_t cpu_quota = 0;   // µs
  std::int64_t cpu_shares = 0;
  std::int64_t memory_limit_in_bytes = 0;
  std::int64_t oom_score_adj = 0;
  std::string cpuset_cpus{};
  std::string cpuset_mems{};
  std::vector<HugepageLimit> hugepage_limits{};
  StringMap unified{};
  std::int64_t memory_swap_limit_in_bytes = 0;
  bool operator==(const LinuxContainerResources&) const = default;
};

struct SandboxSecurityContext {
  NamespaceOptions namespace_options{};
  std::optional<SelinuxOption> selinux_options{};
  std::optional<std::int64_t> run_as_user{};
  std::optional<std::int64_t> run_as_group{};
  bool readonly_rootfs = false;
  std::vector<std::int64_t> supplemental_groups{};
  SupplementalGroupsPolicy supplemental_groups_policy = SupplementalGroupsPolicy::kMerge;
  bool privileged = false;
  std::optional<SecurityProfile> seccomp{};
  std::optional<SecurityProfile> apparmor{};
  bool operator==(const SandboxSecurityContext&) const = default;
};

struct SandboxMetadata {
  std::string name{};
  std::string uid{};
  std::string namespace_{};
  std::uint32_t attempt = 0;
  bool operator==(const SandboxMetadata&) const = default;
};

struct PodSandboxConfig {
  SandboxMetadata metadata{};
  std::string hostname{};
  std::string log_directory{};
  std::optional<DnsConfig> dns_config{};
  std::vector<PortMapping> port_mappings{};
  StringMap labels{};
  StringMap annotations{};
  std::string cgroup_parent{};
  SandboxSecurityContext security_context{};
  StringMap sysctls{};
  LinuxContainerResources overhead{};
  LinuxContainerResources resources{};
  bool operator==(const PodSandboxConfig&) const = default;
};

struct PodSandboxStatus {
  SandboxId id{};
  SandboxMetadata metadata{};
  SandboxState state = SandboxState::kNotReady;
  std::int64_t created_at = 0;
  bool has_network = false;  // the runtime reported a network status
  std::string ip{};          // empty although has_network: no address
  std::vector<std::string> additional_ips{};
  NamespaceMode network_mode = NamespaceMode::kPod;
  StringMap labels{};
  StringMap annotations{};
  bool operator==(const PodSandboxStatus&) const = default;
};

// One entry of ListPodSandbox.
struct PodSandbox {
  SandboxId id{};
  SandboxMetadata metadata{};
  SandboxState state = SandboxState::kNotReady;
  std::int64_t created_at = 0;
  StringMap labels{};
  StringMap annotations{};
  bool operator==(const PodSandbox&) const = default;
};

struct Capabilities {
  std::vector<std::string> add{};
  std::vector<std::string> drop{};
  bool operator==(const Capabilities&) const = default;
};

struct ContainerSecurityContext {
  std::optional<Capabilities> capabilities{};
  bool privileged = false;
  NamespaceOptions namespace_options{};
  std::optional<SelinuxOption> selinux_options{};
  std::optional<std::int64_t> run_as_user{};
  std::optional<std::int64_t> run_as_group{};
  std::string run_as_username{};
  bool readonly_rootfs = false;
  std::vector<std::int64_t> supplemental_groups{};
  SupplementalGroupsPolicy supplemental_groups_policy = SupplementalGroupsPolicy::kMerge;
  bool no_new_privs = false;
  std::vector<std::string> masked_paths{};
  std::vector<std::string> readonly_paths{};
  std::optional<SecurityProfile> seccomp{};
  std::optional<SecurityProfile> apparmor{};
  bool operator==(const ContainerSecurityContext&) const = default;
};

struct ImageSpec {
  std::string image{};  // as the runtime resolves it: an id or a reference
  StringMap annotations{};
  std::string user_specified_image{};  // as written in the pod's spec
  std::string runtime_handler{};
  bool operator==(const ImageSpec&) const = default;
};

struct ContainerMetadata {
  std::string name{};
  std::uint32_t attempt = 0;
  bool operator==(const ContainerMetadata&) const = default;
};

struct EnvVar {
  std::string key{};
  std::string value{};
  bool operator==(const EnvVar&) const = default;
};

struct ContainerConfig {
  ContainerMetadata metadata{};
  ImageSpec image{};
  std::vector<std::string> command{};
  std::vector<std::string> args{};
  std::string working_dir{};
  std::vector<EnvVar> envs{};
  std::vector<Mount> mounts{};
  std::vector<Device> devices{};
  StringMap labels{};
  StringMap annotations{};
  std::string log_path{};  // below the sandbox's log_directory
  bool stdin_open = false;
  bool stdin_once = false;
  bool tty = false;
  LinuxContainerResources resources{};
  ContainerSecurityContext security_context{};
  std::int32_t stop_signal = 0;  // CRI's Signal number; 0 = the image's or the runtime's default
  bool operator==(const ContainerConfig&) const = default;
};

// One entry of ListContainers.
struct Container {
  ContainerId id{};
  SandboxId pod_sandbox_id{};
  ContainerMetadata metadata{};
  ImageSpec image{};
  std::string image_ref{};
  std::string image_id{};  // empty if the runtime is too old to report it; then image_ref is the id
  ContainerState state = ContainerState::kUnknown;
  std::int64_t created_at = 0;
  StringMap labels{};
  StringMap annotations{};
  bool operator==(const Container&) const = default;
};

struct LinuxUser {
  std::int64_t uid = 0;
  std::int64_t gid = 0;
  std::vector<std::int64_t> supplemental_groups{};
  bool operator==(const LinuxUser&) const = default;
};

struct ContainerStatus {
  ContainerId id{};
  ContainerMetadata metadata{};
  ContainerState state = ContainerState::kUnknown;
  std::int64_t created_at = 0;
  std::int64_t started_at = 0;
  std::int64_t finished_at = 0;
  std::int32_t exit_code = 0;
  std::string image{};  // image.image
  std::string image_ref{};
  std::string reason{};
  std::string message{};
  StringMap labels{};
  StringMap annotations{};
  std::vector<Mount> mounts{};
  std::string log_path{};
  std::optional<LinuxContainerResources> resources{};
  std::string image_id{};
  std::optional<LinuxUser> user{};
  std::int32_t stop_signal = 0;
  bool operator==(const ContainerStatus&) const = default;
};

struct Image {
  std::string id{};
  std::vector<std::string> repo_tags{};
  std::vector<std::string> repo_digests{};
  std::uint64_t size = 0;
  std::optional<std::int64_t> uid{};
  std::string username{};
  bool pinned = false;
  bool operator==(const Image&) const = default;
};

// Where a runtime keeps its images.
struct ImageStore {
  std::string mountpoint{};     // a path on their file system
  std::string sandbox_image{};  // the image of sandboxes, if the runtime reports it
  bool operator==(const ImageStore&) const = default;
};

struct AuthConfig {
  std::string username{};
  std::string password{};
  std::string auth{};
  std::string server_address{};
  std::string identity_token{};
  std::string registry_token{};
};

struct Version {
  std::string runtime_name{};
  std::string runtime_version{};
  std::string runtime_api_version{};
  bool operator==(const Version&) const = default;
};

struct RuntimeCondition {
  std::string type{};  // RuntimeReady, NetworkReady
  bool status = false;
  std::string reason{};
  std::string message{};
  bool operator==(const RuntimeCondition&) const = default;
};

struct RuntimeHandler {
  std::string name{};
  bool recursive_read_only_mounts = false;
  bool user_namespaces = false;
  bool operator==(const RuntimeHandler&) const = default;
};

struct RuntimeStatus {
  std::vector<RuntimeCondition> conditions{};
  std::vector<RuntimeHandler> handlers{};
  bool supplemental_groups_policy = false;
  bool operator==(const RuntimeStatus&) const = default;
};

struct ExecResult {
  std::string stdout_data{};
  std::string stderr_data{};
  std::int32_t exit_code = 0;
};

// Which sandboxes or containers to list; empty members do not filter.
struct SandboxFilter {
  std::string id{};
  std::optional<SandboxState> state{};
  StringMap label_selector{};
};

struct ContainerFilter {
  std::string id{};
  std::optional<ContainerState> state{};
  std::string pod_sandbox_id{};
  StringMap label_selector{};
};

// A hint that something changed, from either stream. It may be ahead of what CRI shows
// (containerd's own stream is, by 30 to 200 ms), and may be lost or duplicated.
enum class EventType : std::uint8_t {
  kCreated,
  kStarted,
  kStopped,
  kDeleted,
  kOutOfMemory,   // containerd's TaskOOM
  kResubscribed,  // the stream was (re)opened: earlier events may have been missed
};

struct Event {
  EventType type = EventType::kResubscribed;
  std::string id{};                         // of a container or sandbox; empty for kResubscribed
  std::int64_t at = 0;                      // unix nanoseconds, when it happened
  std::optional<std::int32_t> exit_code{};  // for kStopped, if the stream reports it
  bool operator==(const Event&) const = default;
};

// What this runtime supports, queried on each connection (it may have been upgraded).
struct Features {
  Version version{};
  bool container_events = false;               // CRI GetContainerEvents
  std::optional<std::string> cgroup_driver{};  // "cgroupfs" or "systemd", if RuntimeConfig reports
                                               // it
  bool operator==(const Features&) const = default;
};

// Labels and annotations with the kubelet's own keys, so that crictl and other tools find what they
// expect.
inline constexpr const char* kLabelPodName = "io.kubernetes.pod.name";
inline constexpr const char* kLabelPodNamespace = "io.kubernetes.pod.namespace";
inline constexpr const char* kLabelPodUid = "io.kubernetes.pod.uid";
inline constexpr const char* kLabelContainerName = "io.kubernetes.container.name";
inline constexpr const char* kAnnotationHash = "io.kubernetes.container.hash";
inline constexpr const char* kAnnotationRestartCount = "io.kubernetes.container.restartCount";
inline constexpr const char* kAnnotationTerminationMessagePath =
    "io.kubernetes.container.terminationMessagePath";
inline constexpr const char* kAnnotationTerminationMessagePolicy =
    "io.kubernetes.container.terminationMessagePolicy";
inline constexpr const char* kAnnotationPreStopHandler = "io.kubernetes.container.preStopHandler";
inline constexpr const char* kAnnotationPorts = "io.kubernetes.container.ports";
inline constexpr const char* kAnnotationPodTerminationGracePeriod =
    "io.kubernetes.pod.terminationGracePeriod";
inline constexpr const char* kAnnotationPodDeletionGracePeriod =
    "io.kubernetes.pod.deletionGracePeriod";

}  // namespace berth::cri
