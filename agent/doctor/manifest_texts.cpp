// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/manifest_texts.hpp"

#include <utility>

#include "agent/sources/folder_reader.hpp"

namespace berth::agent {

std::vector<ManifestText> read_texts(const std::string& path, const std::set<std::string>& files) {
  FolderContent folder = read_folder(path);
  std::vector<ManifestText> texts;
  for (FolderFile& file : folder.files)
    if (file.content && files.contains(file.name))
      texts.push_back({.file = file.name, .content = std::move(*file.content)});
  return texts;
}

}  // namespace berth::agent
