// SPDX-License-Identifier: Apache-2.0

// The images on the nodes: for each name its size and the number of nodes that have it.
//
// The size is the one that the first node reported, regardless of later reports.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/node.hpp"
#include "scheduling/cluster/vocabulary.hpp"

namespace berth::scheduling {

struct ImageState {
  std::int64_t size = 0;  // bytes
  std::int64_t nodes = 0;
};

class ImageStates {
 public:
  // Returns the names that the node lists, without duplicates.
  [[nodiscard]] std::vector<NameId> add_node(const std::vector<api::ContainerImage>& images,
                                             Vocabulary& vocabulary);
  void remove_node(const std::vector<NameId>& images);

  // Null if no node has the image.
  [[nodiscard]] const ImageState* find(NameId image) const;

 private:
  std::unordered_map<NameId, ImageState> states_{};
};

}  // namespace berth::scheduling
