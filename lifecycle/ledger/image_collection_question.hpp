// SPDX-License-Identifier: Apache-2.0

// A round of image collection (node/image_gc.hpp) as one decision: which images were removed, in
// which order, and why.
//
// A round is decided step by step, and each step depends on the outcome of the earlier removals;
// the question holds all of them, so that the round can be decided again as a whole. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "node/image_gc.hpp"

namespace berth::lifecycle {

struct ImageCollectionQuestion {
  std::string node{};  // its name
  node::ImageGcInput input{};
  std::vector<node::ImageRemoval> done{};  // all removals of the round, in order
};

struct CollectedImage {
  std::string id{};
  std::string name{};
  std::int64_t bytes = 0;
  std::string why{};    // a clause
  std::string error{};  // why it was not removed; empty if it was
};

struct ImageCollection {
  std::vector<CollectedImage> images{};  // that were to be removed, in order
  std::int64_t freed = 0;                // bytes, by the sizes that the runtime reports
  std::string failure{};                 // empty if the round achieved what it wanted
};

[[nodiscard]] ImageCollection decide_image_collection(const ImageCollectionQuestion& question);

// Adds the removal that a step asked for. `error`: why it failed; empty if it did not.
void add_removal(ImageCollection& collection, const node::ImageGcStep& step,
                 const std::string& error);

}  // namespace berth::lifecycle
