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

// What the runtime reports of a file system: bytes and inodes.
struct FileSystemFigures {
  std::optional<std::int64_t> available{};
  std::optional<std::int64_t> capacity{};
  std::optional<std::int64_t> inodes{};
  std::optional<std::int64_t> inodes_free{};
  std::optional<std::int64_t> inodes_used{};

  bool operator==(const FileSystemFigures&) const = default;
};

// The file systems by their devices, as major and minor number or any name that tells them apart.
struct FileSystems {
  std::string node_fs{};
  std::string image_fs{};
  std::optional<std::string> container_fs{};  // absent when the runtime does not report it
  // Where they differ, images count as being on a file system of their own though the device is the
  // node's. So they do where only one of the two is known; where neither is, devices decide alone.
  std::optional<FileSystemFigures> image_fs_figures{};
  std::optional<FileSystemFigures> container_fs_figures{};
};

[[nodiscard]] FileSystemLayout find_layout(const FileSystems& systems);

// The configured list, brought in line with the layout. What it lacks of the source file system it
// lacks of the containers' as well.
[[nodiscard]] std::vector<Threshold> with_container_fs(std::vector<Threshold> configured,
                                                       FileSystemLayout layout);

// For the look that finds the layout: what is configured for the containers' file system is
// overridden or dropped already; what it lacks is added from the next look on.
[[nodiscard]] std::vector<Threshold> with_container_fs_overridden(std::vector<Threshold> configured,
                                                                  FileSystemLayout layout);

// The containerfs signals that the configuration names in vain, for a warning:
// "found containerfs.available for hard eviction. ignoring".
[[nodiscard]] std::vector<std::string> ignored_container_fs(
    const std::vector<Threshold>& configured);

}  // namespace berth::eviction
