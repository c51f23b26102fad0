// SPDX-License-Identifier: Apache-2.0

#include "eviction/layout.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/core.h>

namespace berth::eviction {
namespace {

enum class Hardness : std::uint8_t { kHard, kSoft };

Hardness hardness_of(const Threshold& threshold) {
  return is_hard(threshold) ? Hardness::kHard : Hardness::kSoft;
}

// If there are several, the last one counts.
std::vector<Threshold>::iterator find_last(std::vector<Threshold>& thresholds, Signal signal,
                                           Hardness hardness) {
  const auto found =
      std::ranges::find_if(thresholds | std::views::reverse, [&](const Threshold& threshold) {
        return threshold.signal == signal && hardness_of(threshold) == hardness;
      });
  return found == thresholds.rend() ? thresholds.end() : std::prev(found.base());
}

// What happens to a source threshold without a counterpart for the containers' file system.
enum class Unconfigured : std::uint8_t { kLeftOut, kAdded };

void derive(std::vector<Threshold>& thresholds, Signal signal, Signal source, Hardness hardness,
            Unconfigured unconfigured) {
  std::optional<Threshold> derived;
  if (const auto found = find_last(thresholds, source, hardness); found != thresholds.end()) {
    derived = *found;
    derived->signal = signal;
  }
  const auto configured = find_last(thresholds, signal, hardness);
  if (configured == thresholds.end()) {
    if (derived && unconfigured == Unconfigured::kAdded) thresholds.push_back(*derived);
  } else if (derived) {
    *configured = *derived;
  } else {
    thresholds.erase(configured);
  }
}

std::vector<Threshold> derive_all(std::vector<Threshold> thresholds, FileSystemLayout layout,
                                  Unconfigured unconfigured) {
  const bool on_image_fs = layout == FileSystemLayout::kDedicatedImageFs;
  for (const Hardness hardness : {Hardness::kHard, Hardness::kSoft}) {
    derive(thresholds, Signal::kContainerFsAvailable,
           on_image_fs ? Signal::kImageFsAvailable : Signal::kNodeFsAvailable, hardness,
           unconfigured);
    derive(thresholds, Signal::kContainerFsInodesFree,
           on_image_fs ? Signal::kImageFsInodesFree : Signal::kNodeFsInodesFree, hardness,
           unconfigured);
  }
  return thresholds;
}

}  // namespace

FileSystemLayout find_layout(const FileSystems& systems) {
  if (systems.container_fs && *systems.container_fs != systems.image_fs) {
    return FileSystemLayout::kSplitImageFs;
  }
  const bool same_device = systems.image_fs == systems.node_fs;
  const bool same_figures = systems.image_fs_figures == systems.container_fs_figures;
  return same_device && same_figures ? FileSystemLayout::kSingle
                                     : FileSystemLayout::kDedicatedImageFs;
}

std::vector<Threshold> with_container_fs(std::vector<Threshold> configured,
                                         FileSystemLayout layout) {
  return derive_all(std::move(configured), layout, Unconfigured::kAdded);
}

std::vector<Threshold> with_container_fs_overridden(std::vector<Threshold> configured,
                                                    FileSystemLayout layout) {
  return derive_all(std::move(configured), layout, Unconfigured::kLeftOut);
}

std::vector<std::string> ignored_container_fs(const std::vector<Threshold>& configured) {
  std::vector<std::string> out;
  for (const Threshold& threshold : configured) {
    if (traits(threshold.signal).file_system != SignalFileSystem::kContainers) continue;
    out.push_back(fmt::format("found {} for {} eviction. ignoring", to_string(threshold.signal),
                              is_hard(threshold) ? "hard" : "soft"));
  }
  return out;
}

}  // namespace berth::eviction
