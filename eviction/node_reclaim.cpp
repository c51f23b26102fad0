// SPDX-License-Identifier: Apache-2.0

#include "eviction/node_reclaim.hpp"

namespace berth::eviction {

std::string_view to_string(NodeReclaim reclaim) {
  switch (reclaim) {
    case NodeReclaim::kDeadContainers:
      return "DeadContainers";
    case NodeReclaim::kUnusedImages:
      return "UnusedImages";
  }
  return "";
}

std::vector<NodeReclaim> node_reclaims(Signal signal, FileSystemLayout layout) {
  const SignalFileSystem where = traits(signal).file_system;
  if (where == SignalFileSystem::kNone) return {};
  std::vector<NodeReclaim> both = {NodeReclaim::kDeadContainers, NodeReclaim::kUnusedImages};
  switch (layout) {
    case FileSystemLayout::kSingle:
      return both;
    case FileSystemLayout::kDedicatedImageFs:
      return where == SignalFileSystem::kNode ? std::vector<NodeReclaim>{} : both;
    case FileSystemLayout::kSplitImageFs:
      return {where == SignalFileSystem::kImages ? NodeReclaim::kUnusedImages
                                                 : NodeReclaim::kDeadContainers};
  }
  return {};
}

}  // namespace berth::eviction
