// SPDX-License-Identifier: Apache-2.0

// A container's termination message.
//
// Pure. Limits are Kubernetes': the last 4096 bytes of the message file; else, by policy, at most
// 80 lines and 2048 bytes of the log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cri/types.hpp"

namespace berth::node {

inline constexpr std::size_t kTerminationMessageBytes = 4096;
inline constexpr std::size_t kTerminationLogLines = 80;
inline constexpr std::size_t kTerminationLogBytes = 2048;

// The host path of the message file: the mount at the path named by the container's annotation; ""
// if there is no such mount.
[[nodiscard]] std::string termination_file(const cri::ContainerStatus& status);

// The end of the message file's content.
[[nodiscard]] std::string_view termination_file_tail(std::string_view content);

// Whether to show the end of the log, given the message file's content.
[[nodiscard]] bool falls_back_to_logs(const cri::ContainerStatus& status,
                                      std::string_view file_message);

// Joins the runtime's own message and this one as in the status.
[[nodiscard]] std::string join_termination_message(std::string_view runtime_message,
                                                   std::string_view message);

}  // namespace berth::node
