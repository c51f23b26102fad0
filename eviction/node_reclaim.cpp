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
  if (traits(signal).condition != PressureCondition::kDiskPressure) return {};
  const bool on_node_fs = signal == Signal::kNodeFsAvailable || signal == Signal::kNodeFsInodesFree;
  const bool on_image_fs =
      signal == Signal::kImageFsAvailable || signal == Signal::kImageFsInodesFree;
  std::vector<NodeReclaim> both = {NodeReclaim::kDeadContainers, NodeReclaim::kUnusedImages};
  switch (layout) {
    case FileSystemLayout::kSingle:
      return both;
    case FileSystemLayout::kDedicatedImageFs:
      return on_node_fs ? std::vector<NodeReclaim>{} : both;
    case FileSystemLayout::kSplitImageFs:
      return {on_image_fs ? NodeReclaim::kUnusedImages : NodeReclaim::kDeadContainers};
  }
  return {};
}

}  // namespace berth::eviction
