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

void add_removal(ImageCollection& collection, const node::ImageGcStep& step,
                 const std::string& error) {
  const node::KnownImage& image = *step.remove;
  if (error.empty()) collection.freed += image.bytes;
  collection.images.push_back({.id = image.id,
                               .name = image.name(),
                               .bytes = image.bytes,
                               .why = step.why,
                               .error = error});
}

ImageCollection decide_image_collection(const ImageCollectionQuestion& question) {
  ImageCollection collection;
  std::vector<node::ImageRemoval> done;
  for (;;) {
    const node::ImageGcStep step = node::next_image_gc_step(question.input, done);
    if (step.failure) collection.failure = step.failure->message;
    if (step.failure || !step.remove || done.size() == question.done.size()) return collection;
    const node::ImageRemoval& removal = question.done[done.size()];
    if (removal.id != step.remove->id) return collection;
    done.push_back(removal);
    add_removal(collection, step, removal.error);
  }
}

namespace {

// The images after these are counted, not listed.
constexpr std::size_t kListed = 5;

// Images that may not be removed do not count.
ImageCollectionQuestion part(const ImageCollectionQuestion& question) {
  ImageCollectionQuestion part = question;
  std::erase_if(part.input.images,
                [](const node::KnownImage& image) { return image.in_use || image.pinned; });
  return part;
}

// A round that removes nothing is news once, as long as it fails for the same images.
std::optional<News> news(const ImageCollectionQuestion& /*question*/,
                         const ImageCollection& collection) {
  ValueHash says;
  bool removed = false;
  for (const CollectedImage& image : collection.images) {
    removed = removed || image.error.empty();
    says.add(image.id).add(image.error);
  }
  if (removed) return News{};
  if (collection.images.empty() && collection.failure.empty()) return std::nullopt;
  return News{.says = says.value()};
}

Reasons reasons(const ImageCollectionQuestion& /*question*/, const ImageCollection& collection) {
  Reasons reasons;
  for (const CollectedImage& image : collection.images) {
    const bool removed = image.error.empty();
    reasons.push_back({.subject = image.name,
                       .rule = removed ? "ImageRemoved" : "ImageGCFailed",
                       .text = removed ? image.why : image.error});
  }
  if (!collection.failure.empty())
    reasons.push_back({.subject = "images", .rule = "ImageGCFailed", .text = collection.failure});
  return reasons;
}

struct RemovedImages {
  std::vector<std::string> names{};
  std::int64_t bytes = 0;
};

Sentence removed_sentence(const LedgerRecord& record, const std::string& why,
                          const RemovedImages& removed) {
  std::vector<std::string> listed = removed.names;
  if (listed.size() > kListed + 1) {
    listed.resize(kListed);
    listed.push_back(fmt::format("{} others", removed.names.size() - kListed));
  }
  const bool one = removed.names.size() == 1;
  return sentence_about(
      record, "pod", fmt::format("ImageRemoved|{}|{}", why, fmt::join(removed.names, ",")),
      fmt::format("{} {} {} removed ({}): {}", one ? "image" : "images", fmt::join(listed, ", "),
                  one ? "is" : "are", api::readable_bytes(removed.bytes), why));
}

// One sentence for all images that were removed for the same reason, one for each that was not.
std::vector<Sentence> describe(const Decoded<ImageCollectionQuestion, ImageCollection>& decoded) {
  const LedgerRecord& record = decoded.record;
  std::map<std::string, RemovedImages> removed;  // by reason
  std::vector<Sentence> sentences;
  for (const CollectedImage& image : decoded.decision.images) {
    if (image.error.empty()) {
      RemovedImages& group = removed[image.why];
      group.names.push_back(image.name);
      group.bytes += image.bytes;
      continue;
    }
    sentences.push_back(
        sentence_about(record, "pod", "ImageGCFailed|" + image.name,
                       fmt::format("image {} was not removed: {}", image.name, image.error)));
  }
  for (const auto& [why, group] : removed)
    sentences.push_back(removed_sentence(record, why, group));
  if (!decoded.decision.failure.empty())
    sentences.push_back(
        sentence_about(record, "pod", "ImageGCFailed",
                       "removing unused images is not enough: " + decoded.decision.failure));
  return sentences;
}

}  // namespace

template <>
const KindOf<ImageCollectionQuestion, ImageCollection>& kind_of() {
  static const RecordedKind kKind(
      Kind<ImageCollectionQuestion, ImageCollection>{.name = "imageGC",
                                                     .decide = decide_image_collection,
                                                     .reasons = reasons,
                                                     .part = part,
                                                     .news = news,
                                                     .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
