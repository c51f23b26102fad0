// SPDX-License-Identifier: Apache-2.0

// Where images and writable layers of containers are stored, and what follows for thresholds.
//
// Pure. The layout is determined once. The containers' file system has no thresholds of its own: it
// uses those of the file system that it is on, and anything configured for it is ignored.
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
  kDedicatedImageFs,  // images and writable layers on a file system of their own
  kSplitImageFs,      // images on a file system of their own, writable layers on the node's
};

[[nodiscard]] inline bool has_dedicated_image_fs(FileSystemLayout layout) {
  return layout != FileSystemLayout::kSingle;
}

// A file system's size as the runtime reports it: bytes and inodes.
struct FileSystemFigures {
  std::optional<std::int64_t> available{};
  std::optional<std::int64_t> capacity{};
  std::optional<std::int64_t> inodes{};
  std::optional<std::int64_t> inodes_free{};
  std::optional<std::int64_t> inodes_used{};

  bool operator==(const FileSystemFigures&) const = default;
};

// The file systems by device, as major and minor number or any distinguishing name.
struct FileSystems {
  std::string node_fs{};
  std::string image_fs{};
  std::optional<std::string> container_fs{};  // unset if the runtime does not report it
  // If the two differ, images count as being on a file system of their own although the device is
  // the node's; also if only one of the two is known. If neither is, devices alone decide.
  std::optional<FileSystemFigures> image_fs_figures{};
  std::optional<FileSystemFigures> container_fs_figures{};
};

[[nodiscard]] FileSystemLayout find_layout(const FileSystems& systems);

// The configured list, adjusted to the layout. If the source file system has no threshold, the
// containers' has none either.
[[nodiscard]] std::vector<Threshold> with_container_fs(std::vector<Threshold> configured,
                                                       FileSystemLayout layout);

// For the pass that determines the layout: thresholds configured for the containers' file system
// are already overridden or dropped; missing ones are added from the next pass on.
[[nodiscard]] std::vector<Threshold> with_container_fs_overridden(std::vector<Threshold> configured,
                                                                  FileSystemLayout layout);

// The containerfs signals that the configuration names without effect, for a warning: "found
// containerfs.available for hard eviction. ignoring".
[[nodiscard]] std::vector<std::string> ignored_container_fs(
    const std::vector<Threshold>& configured);

}  // namespace berth::eviction
