// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/manifest_texts.hpp"

#include "agent/sources/folder_reader.hpp"

namespace berth::agent {

std::vector<ManifestText> read_texts(const std::string& path, const std::set<std::string>& files) {
  const FolderQuestion question{
      .path = path, .wanted = [&files](const std::string& name) { return files.contains(name); }};
  const FolderReading folder = read_folder(question, {});
  std::vector<ManifestText> texts;
  for (const FolderFile& file : folder.content.files)
    if (file.content) texts.push_back({.file = file.name, .content = file.content->str()});
  return texts;
}

}  // namespace berth::agent
