// Where images and writable layers of containers live, and what follows for thresholds.
//
// Pure. The layout is found once; thresholds of the containers' file system are never one's own:
// they are those of the file system that it is, and what is configured for it does not count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eviction/threshold.hpp"

namespace berth::eviction {

enum class FileSystemLayout : std::uint8_t {
  kSingle,            // everything on the node's file system
  kDedicatedImageFs,  // images and writable layers on one of their own
  kSplitImageFs,      // images on one of their own, writable layers on the node's
};

[[nodiscard]] inline bool has_dedicated_image_fs(FileSystemLayout layout) {
  return layout != FileSystemLayout::kSingle;
}

// The file systems by their devices, as major and minor number or any name that tells them apart.
struct FileSystemDevices {
  std::string node_fs{};
  std::string image_fs{};
  std::optional<std::string> container_fs{};  // absent when the runtime does not report it
};

[[nodiscard]] FileSystemLayout find_layout(const FileSystemDevices& devices);

// The configured list, brought in line with the layout. What it lacks of the source file system it
// lacks of the containers' as well.
[[nodiscard]] std::vector<Threshold> with_container_fs(std::vector<Threshold> configured,
                                                       FileSystemLayout layout);

// The containerfs signals that the configuration names in vain, for a warning:
// "found containerfs.available for hard eviction. ignoring".
[[nodiscard]] std::vector<std::string> ignored_container_fs(
    const std::vector<Threshold>& configured);

}  // namespace berth::eviction
