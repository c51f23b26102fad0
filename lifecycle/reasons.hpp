// SPDX-License-Identifier: Apache-2.0

// Why something was decided, and the exact strings that tools match on.
//
// Every decision carries its Reasons: the subject, the rule that applied, and the sentence that a
// person reads in the journal and in `describe`. The constants are the exact strings that the
// kubelet writes into statuses and events; tools match on them, so they never change here. Plain
// values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::lifecycle {

struct Reason {
  std::string subject{};  // a container's name, or "pod" or "sandbox"
  std::string rule{};     // a stable word, e.g. "SidecarExited"
  std::string text{};     // a sentence

  bool operator==(const Reason&) const = default;
};

using Reasons = std::vector<Reason>;

// status.phase
inline constexpr std::string_view kPending = "Pending";
inline constexpr std::string_view kRunning = "Running";
inline constexpr std::string_view kSucceeded = "Succeeded";
inline constexpr std::string_view kFailed = "Failed";

[[nodiscard]] inline bool is_terminal_phase(std::string_view phase) {
  return phase == kSucceeded || phase == kFailed;
}

// Reasons of waiting containers.
inline constexpr std::string_view kContainerCreating = "ContainerCreating";
inline constexpr std::string_view kPodInitializing = "PodInitializing";
inline constexpr std::string_view kCrashLoopBackOff = "CrashLoopBackOff";
inline constexpr std::string_view kImagePullBackOff = "ImagePullBackOff";
inline constexpr std::string_view kErrImagePull = "ErrImagePull";
inline constexpr std::string_view kErrImageNeverPull = "ErrImageNeverPull";
inline constexpr std::string_view kInvalidImageName = "InvalidImageName";
inline constexpr std::string_view kImageInspectError = "ImageInspectError";
inline constexpr std::string_view kRegistryUnavailable = "RegistryUnavailable";
inline constexpr std::string_view kSignatureValidationFailed = "SignatureValidationFailed";
inline constexpr std::string_view kCreateContainerConfigError = "CreateContainerConfigError";
inline constexpr std::string_view kCreateContainerError = "CreateContainerError";
inline constexpr std::string_view kRunContainerError = "RunContainerError";
inline constexpr std::string_view kPostStartHookError = "PostStartHookError";

// Reasons of terminated containers.
inline constexpr std::string_view kContainerStatusUnknown = "ContainerStatusUnknown";
inline constexpr std::string_view kOomKilled = "OOMKilled";

// Reasons and messages of pods.
inline constexpr std::string_view kDeadlineExceeded = "DeadlineExceeded";
inline constexpr std::string_view kDeadlineExceededMessage =
    "Pod was active on the node longer than the specified deadline";
// Reason of the condition DisruptionTarget if the node itself ends the pod.
inline constexpr std::string_view kTerminationByKubelet = "TerminationByKubelet";
// Reason and message of the event about a pod that the node ends and that is not stopped in time.
inline constexpr std::string_view kExceededGracePeriod = "ExceededGracePeriod";
inline constexpr std::string_view kExceededGracePeriodMessage =
    "Container runtime did not kill the pod within specified grace period.";
// berth's own: the pod asks for something that this version does not run (unsupported.hpp).
inline constexpr std::string_view kNotSupported = "NotSupported";

}  // namespace berth::lifecycle
