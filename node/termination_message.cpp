// SPDX-License-Identifier: Apache-2.0

#include "node/termination_message.hpp"

namespace berth::node {
namespace {

std::string annotation(const cri::ContainerStatus& status, const char* key) {
  const auto found = status.annotations.find(key);
  return found == status.annotations.end() ? "" : found->second;
}

}  // namespace

std::string termination_file(const cri::ContainerStatus& status) {
  const auto path = annotation(status, cri::kAnnotationTerminationMessagePath);
  if (path.empty()) return "";
  for (const auto& mount : status.mounts) {
    if (mount.container_path == path) return mount.host_path;
  }
  return "";
}

std::string_view termination_file_tail(std::string_view content) {
  if (content.size() > kTerminationMessageBytes) {
    content.remove_prefix(content.size() - kTerminationMessageBytes);
  }
  return content;
}

bool falls_back_to_logs(const cri::ContainerStatus& status, std::string_view file_message) {
  // A container that never ran has no log.
  return file_message.empty() && status.exit_code != 0 && status.reason != "ContainerCannotRun" &&
         annotation(status, cri::kAnnotationTerminationMessagePolicy) == "FallbackToLogsOnError";
}

std::string join_termination_message(std::string_view runtime_message, std::string_view message) {
  std::string joined(runtime_message);
  if (message.empty()) return joined;
  if (!joined.empty()) joined += ": ";
  return joined.append(message);
}

}  // namespace berth::node
