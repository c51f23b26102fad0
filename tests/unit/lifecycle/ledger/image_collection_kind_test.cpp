// SPDX-License-Identifier: Apache-2.0

// The record of a round of image collection: the round decided again, and its sentences.
#include <gtest/gtest.h>

#include "lifecycle/ledger/image_collection_question.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/ledger/kind_checks.hpp"

namespace berth::lifecycle::test {
namespace {

constexpr std::int64_t kMega = 1 << 20;

node::KnownImage image(const std::string& name, std::int64_t bytes) {
  return {.id = "sha256:" + name, .names = {"localhost/" + name}, .bytes = bytes};
}

// The disk is 90 % full; 30 Mi have to go, which the first two free.
ImageCollectionQuestion full_disk(std::vector<node::ImageRemoval> done) {
  return {.node = "node1",
          .input = {.file_system = {.capacity = 300 * kMega, .available = 30 * kMega},
                    .images = {image("a:1", 20 * kMega), image("b:1", 20 * kMega),
                               image("c:1", 20 * kMega)},
                    .now = SteadyTime{std::chrono::hours(1)}},
          .done = std::move(done)};
}

LedgerRecord record_of(const ImageCollectionQuestion& question) {
  return decision_record(question, decide_image_collection(question), at(10));
}

Lines sentences(const ImageCollectionQuestion& question) {
  Lines lines;
  for (const WhyLine& line : why({.records = {record_of(question)}, .now = at(60)}).happened)
    lines.push_back(line.text);
  return lines;
}

TEST(ImageCollectionKind, is_a_record_about_the_node_that_is_decided_again_as_a_whole) {
  const auto question = full_disk({{.id = "sha256:a:1"}, {.id = "sha256:b:1"}});
  const LedgerRecord record = record_of(question);
  EXPECT_EQ(record.uid, "node/node1");
  EXPECT_EQ(record.pod, "");
  EXPECT_EQ(record_id(record), "imageGC-1700000010000000000-node/node1");
  EXPECT_EQ(record_place(record_id(record)), (RecordPlace{.at = at(10), .uid = "node/node1"}));
  ASSERT_EQ(record.reasons.size(), 2U);
  EXPECT_EQ(record.reasons[1].subject, "localhost/b:1");
  EXPECT_EQ(record.reasons[1].rule, "ImageRemoved");
  EXPECT_EQ(decide_image_collection(question).freed, 40 * kMega);
  EXPECT_EQ(decide_image_collection(question).failure, "");
  expect_decided_again(record);
}

TEST(ImageCollectionKind, names_all_images_that_went_for_one_reason_in_one_sentence) {
  EXPECT_EQ(sentences(full_disk({{.id = "sha256:a:1"}, {.id = "sha256:b:1"}})),
            Lines{"images localhost/a:1, localhost/b:1 are removed (40Mi): unused, and the images' "
                  "file system is 90 % full (imageGCHighThresholdPercent 85)"});
}

TEST(ImageCollectionKind, names_each_image_that_could_not_be_removed) {
  const auto question = full_disk({{.id = "sha256:a:1", .error = "in use"},
                                   {.id = "sha256:b:1"},
                                   {.id = "sha256:c:1", .error = "no such image"}});
  EXPECT_EQ(sentences(question),
            (Lines{"image localhost/a:1 was not removed: in use",
                   "image localhost/c:1 was not removed: no such image",
                   "image localhost/b:1 is removed (20Mi): unused, and the images' file system is "
                   "90 % full (imageGCHighThresholdPercent 85)",
                   "removing unused images is not enough: wanted to free 31457280 bytes, but freed "
                   "20971520 bytes space with errors in image deletion: [in use, no such image]"}));
  EXPECT_EQ(decide_image_collection(question).freed, 20 * kMega);
  expect_decided_again(record_of(question));
}

TEST(ImageCollectionKind, many_images_are_counted) {
  ImageCollectionQuestion question = full_disk({});
  question.input.images.clear();
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    question.input.images.push_back(image(name, 4 * kMega));
    question.done.push_back({.id = std::string("sha256:") + name});
  }
  EXPECT_TRUE(sentences(question).at(0).starts_with(
      "images localhost/a, localhost/b, localhost/c, localhost/d, localhost/e, 3 others are "
      "removed (32Mi): "));
}

TEST(ImageCollectionKind, images_that_may_not_be_removed_are_not_part_of_the_record) {
  ImageCollectionQuestion question = full_disk({{.id = "sha256:a:1"}, {.id = "sha256:b:1"}});
  question.input.images.push_back(image("used:1", kMega));
  question.input.images.back().in_use = true;
  EXPECT_EQ(record_of(question).input.find("used:1"), std::string::npos);
  expect_decided_again(record_of(question));
}

TEST(ImageCollectionKind, is_written_when_images_go_and_once_while_they_cannot) {
  ledger_test::RetakingLedger ledger;
  PodLedger book(&ledger);
  const auto written = [&](const ImageCollectionQuestion& question) {
    book.decided(question, decide_image_collection(question), at(10));
    return ledger.records().size();
  };
  ImageCollectionQuestion quiet = full_disk({});
  quiet.input.file_system.available = 200 * kMega;
  EXPECT_EQ(written(quiet), 0U);
  ImageCollectionQuestion nothing_left = full_disk({});
  nothing_left.input.images.clear();
  EXPECT_EQ(written(nothing_left), 1U);
  EXPECT_EQ(written(nothing_left), 1U);
  const auto removal = full_disk({{.id = "sha256:a:1"}, {.id = "sha256:b:1"}});
  EXPECT_EQ(written(removal), 2U);
  EXPECT_EQ(written(removal), 3U);
  EXPECT_EQ(ledger.problems(), std::vector<std::string>{});
}

}  // namespace
}  // namespace berth::lifecycle::test
