// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/image_states.hpp"

#include <algorithm>

namespace berth::scheduling {

std::vector<NameId> ImageStates::add_node(const std::vector<api::ContainerImage>& images,
                                          Vocabulary& vocabulary) {
  std::vector<NameId> names;
  for (const api::ContainerImage& image : images) {
    for (const std::string& text : image.names) {
      const NameId name = vocabulary.name(text);
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      names.push_back(name);
      const auto entry = states_.emplace(name, ImageState{.size = image.sizeBytes}).first;
      ++entry->second.nodes;
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ImageStates::remove_node(const std::vector<NameId>& images) {
  for (const NameId name : images) {
    const auto entry = states_.find(name);
    if (entry != states_.end() && --entry->second.nodes == 0) states_.erase(entry);
  }
}

const ImageState* ImageStates::find(NameId image) const {
  const auto entry = states_.find(image);
  return entry == states_.end() ? nullptr : &entry->second;
}

}  // namespace berth::scheduling
