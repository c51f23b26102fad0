#include "eviction/layout.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/core.h>

namespace berth::eviction {
namespace {

bool is_container_fs(Signal signal) {
  return signal == Signal::kContainerFsAvailable || signal == Signal::kContainerFsInodesFree;
}

// The last one counts if there are several.
std::optional<Threshold> find_last(const std::vector<Threshold>& thresholds, Signal signal,
                                   bool hard) {
  for (const Threshold& threshold : thresholds | std::views::reverse) {
    if (threshold.signal == signal && is_hard(threshold) == hard) return threshold;
  }
  return std::nullopt;
}

void derive(std::vector<Threshold>& thresholds, Signal signal, Signal source, bool hard) {
  std::optional<Threshold> derived = find_last(thresholds, source, hard);
  if (derived) derived->signal = signal;
  const auto configured =
      std::ranges::find_if(thresholds | std::views::reverse, [&](const Threshold& threshold) {
        return threshold.signal == signal && is_hard(threshold) == hard;
      });
  if (configured == thresholds.rend()) {
    if (derived) thresholds.push_back(*derived);
  } else if (derived) {
    *configured = *derived;
  } else {
    thresholds.erase(std::next(configured).base());
  }
}

}  // namespace

FileSystemLayout find_layout(const FileSystemDevices& devices) {
  if (devices.container_fs && *devices.container_fs != devices.image_fs) {
    return FileSystemLayout::kSplitImageFs;
  }
  if (devices.image_fs == devices.node_fs) return FileSystemLayout::kSingle;
  return FileSystemLayout::kDedicatedImageFs;
}

std::vector<Threshold> with_container_fs(std::vector<Threshold> configured,
                                         FileSystemLayout layout) {
  const bool on_image_fs = layout == FileSystemLayout::kDedicatedImageFs;
  for (const bool hard : {true, false}) {
    derive(configured, Signal::kContainerFsAvailable,
           on_image_fs ? Signal::kImageFsAvailable : Signal::kNodeFsAvailable, hard);
    derive(configured, Signal::kContainerFsInodesFree,
           on_image_fs ? Signal::kImageFsInodesFree : Signal::kNodeFsInodesFree, hard);
  }
  return configured;
}

std::vector<std::string> ignored_container_fs(const std::vector<Threshold>& configured) {
  std::vector<std::string> out;
  for (const Threshold& threshold : configured) {
    if (!is_container_fs(threshold.signal)) continue;
    out.push_back(fmt::format("found {} for {} eviction. ignoring", to_string(threshold.signal),
                              is_hard(threshold) ? "hard" : "soft"));
  }
  return out;
}

}  // namespace berth::eviction
