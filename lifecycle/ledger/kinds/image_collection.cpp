// SPDX-License-Identifier: Apache-2.0

// Which unused images a round of image collection removed (image_collection_question.hpp).
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/text/readable_quantity.hpp"
#include "lifecycle/ledger/image_collection_question.hpp"
#include "lifecycle/ledger/kind.hpp"

namespace berth::node {

BOOST_DESCRIBE_ENUM(ImageGcCause, kPeriodic, kDiskPressure)
BOOST_DESCRIBE_STRUCT(ImageGcPolicy, (), (high_percent, low_percent, min_age, max_age))
BOOST_DESCRIBE_STRUCT(KnownImage, (), (id, names, bytes, first_detected, last_used, pinned, in_use))
BOOST_DESCRIBE_STRUCT(ImageFileSystem, (), (capacity, available))
BOOST_DESCRIBE_STRUCT(ImageGcInput, (), (cause, policy, file_system, uptime, images, now))
BOOST_DESCRIBE_STRUCT(ImageRemoval, (), (id, error))

}  // namespace berth::node

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(ImageCollectionQuestion, (), (node, input, done))
BOOST_DESCRIBE_STRUCT(CollectedImage, (), (id, name, bytes, why, error))
BOOST_DESCRIBE_STRUCT(ImageCollection, (), (images, freed, failure))

ImageCollection decide_image_collection(const ImageCollectionQuestion& question) {
  ImageCollection collection;
  std::vector<node::ImageRemoval> done;
  for (;;) {
    const node::ImageGcStep step = node::next_image_gc_step(question.input, done);
    collection.freed = std::max(collection.freed, step.freed);
    if (step.failure) collection.failure = step.failure->message;
    if (!step.remove || done.size() == question.done.size()) return collection;
    const std::string& error = question.done[done.size()].error;
    done.push_back({.id = step.remove->id, .error = error});
    collection.images.push_back({.id = step.remove->id,
                                 .name = step.remove->name(),
                                 .bytes = step.remove->bytes,
                                 .why = step.why,
                                 .error = error});
  }
}

namespace {

std::optional<News> news(const ImageCollectionQuestion& question,
                         const ImageCollection& /*collection*/) {
  if (question.done.empty()) return std::nullopt;
  return News{};
}

Reasons reasons(const ImageCollectionQuestion& /*question*/, const ImageCollection& collection) {
  Reasons reasons;
  for (const CollectedImage& image : collection.images) {
    reasons.push_back({.subject = image.name,
                       .rule = image.error.empty() ? "ImageRemoved" : "ImageGCFailed",
                       .text = image.error.empty() ? image.why : image.error});
  }
  return reasons;
}

// One sentence for all images that were removed for the same reason, one for each that was not.
std::vector<Sentence> tell(const Told<ImageCollectionQuestion, ImageCollection>& told) {
  struct Removed {
    std::vector<std::string> names{};
    std::int64_t bytes = 0;
  };
  std::map<std::string, Removed> removed;  // by reason
  std::vector<Sentence> sentences;
  for (const CollectedImage& image : told.decision.images) {
    if (image.error.empty()) {
      Removed& group = removed[image.why];
      group.names.push_back(image.name);
      group.bytes += image.bytes;
      continue;
    }
    sentences.push_back(
        sentence_about(told.record, "node", "ImageGCFailed|" + image.name,
                       fmt::format("image {} could not be removed: {}", image.name, image.error)));
  }
  for (const auto& [why, group] : removed) {
    const bool one = group.names.size() == 1;
    sentences.push_back(sentence_about(
        told.record, "node", fmt::format("ImageRemoved|{}|{}", why, fmt::join(group.names, ",")),
        fmt::format("{} {} {} removed ({}): {}", one ? "image" : "images",
                    fmt::join(group.names, ", "), one ? "is" : "are",
                    api::readable_bytes(group.bytes), why)));
  }
  return sentences;
}

}  // namespace

template <>
const KindOf<ImageCollectionQuestion, ImageCollection>& kind_of() {
  static const RecordedKind kKind(
      Kind<ImageCollectionQuestion, ImageCollection>{.name = "imageGC",
                                                     .decide = decide_image_collection,
                                                     .reasons = reasons,
                                                     .news = news,
                                                     .tell = tell});
  return kKind;
}

}  // namespace berth::lifecycle
