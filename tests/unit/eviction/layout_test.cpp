// SPDX-License-Identifier: Apache-2.0

// Where images are stored, and whose thresholds apply to the containers' file system.
#include "eviction/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "eviction/node_reclaim.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using enum FileSystemLayout;

TEST(Layout, follows_from_the_devices) {
  EXPECT_EQ(find_layout({.node_fs = "8:1", .image_fs = "8:1"}), kSingle);
  EXPECT_EQ(find_layout({.node_fs = "8:1", .image_fs = "8:1", .container_fs = "8:1"}), kSingle);
  EXPECT_EQ(find_layout({.node_fs = "8:1", .image_fs = "8:2"}), kDedicatedImageFs);
  EXPECT_EQ(find_layout({.node_fs = "8:1", .image_fs = "8:2", .container_fs = "8:2"}),
            kDedicatedImageFs);
  EXPECT_EQ(find_layout({.node_fs = "8:1", .image_fs = "8:2", .container_fs = "8:1"}),
            kSplitImageFs);
}

TEST(Layout, has_images_of_their_own_where_the_runtimes_figures_differ_on_one_device) {
  const FileSystemFigures some{.available = 1, .capacity = 10, .inodes_used = 3};
  const FileSystemFigures others{.available = 1, .capacity = 10, .inodes_used = 4};
  struct Case {
    std::optional<FileSystemFigures> image{};
    std::optional<FileSystemFigures> container{};
    FileSystemLayout expected{};
  };
  const Case cases[] = {
      {some, some, kSingle},
      {some, others, kDedicatedImageFs},
      {some, std::nullopt, kDedicatedImageFs},
      {std::nullopt, some, kDedicatedImageFs},
      {std::nullopt, std::nullopt, kSingle},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(find_layout({.node_fs = "8:1",
                           .image_fs = "8:1",
                           .image_fs_figures = one.image,
                           .container_fs_figures = one.container}),
              one.expected);
  }
}

std::vector<Threshold> of(const std::vector<Threshold>& list, Signal signal) {
  std::vector<Threshold> out;
  std::ranges::copy_if(list, std::back_inserter(out),
                       [&](const Threshold& one) { return one.signal == signal; });
  return out;
}

TEST(ContainerFs, has_the_thresholds_of_the_file_system_that_it_is) {
  const std::vector<Threshold> configured = {
      with_reclaim(threshold(kNodeFsAvailable, "1Gi"), "2Gi"), threshold(kImageFsAvailable, "3Gi"),
      threshold(kImageFsAvailable, "5Gi", std::chrono::seconds(60))};
  for (const auto layout : {kSingle, kSplitImageFs}) {
    EXPECT_EQ(
        of(with_container_fs(configured, layout), kContainerFsAvailable),
        (std::vector<Threshold>{with_reclaim(threshold(kContainerFsAvailable, "1Gi"), "2Gi")}));
  }
  EXPECT_EQ(
      of(with_container_fs(configured, kDedicatedImageFs), kContainerFsAvailable),
      (std::vector<Threshold>{threshold(kContainerFsAvailable, "3Gi"),
                              threshold(kContainerFsAvailable, "5Gi", std::chrono::seconds(60))}));
}

TEST(ContainerFs, what_is_configured_for_it_does_not_count_even_if_nothing_takes_its_place) {
  const std::vector<Threshold> configured = {threshold(kContainerFsAvailable, "7Gi"),
                                             threshold(kContainerFsInodesFree, "7k"),
                                             threshold(kNodeFsAvailable, "1Gi")};
  const auto derived = with_container_fs(configured, kSingle);
  EXPECT_EQ(of(derived, kContainerFsAvailable),
            std::vector<Threshold>{threshold(kContainerFsAvailable, "1Gi")});
  EXPECT_TRUE(of(derived, kContainerFsInodesFree).empty());
  EXPECT_EQ(ignored_container_fs(configured),
            (std::vector<std::string>{"found containerfs.available for hard eviction. ignoring",
                                      "found containerfs.inodesFree for hard eviction. ignoring"}));
}

TEST(ContainerFs, what_is_configured_for_it_is_overridden_before_anything_is_added) {
  const std::vector<Threshold> configured = {
      threshold(kContainerFsAvailable, "7Gi"), threshold(kContainerFsInodesFree, "7k"),
      threshold(kNodeFsAvailable, "1Gi"),
      threshold(kNodeFsAvailable, "2Gi", std::chrono::seconds(60))};
  EXPECT_EQ(with_container_fs_overridden(configured, kSingle),
            (std::vector<Threshold>{threshold(kContainerFsAvailable, "1Gi"),
                                    threshold(kNodeFsAvailable, "1Gi"),
                                    threshold(kNodeFsAvailable, "2Gi", std::chrono::seconds(60))}));
}

TEST(NodeReclaim, is_what_lies_on_the_signals_file_system) {
  using enum NodeReclaim;
  using Reclaims = std::vector<NodeReclaim>;
  const Reclaims both = {kDeadContainers, kUnusedImages};
  struct Case {
    FileSystemLayout layout{};
    Signal signal{};
    Reclaims expected{};
  };
  const Case cases[] = {
      {kSingle, kNodeFsAvailable, both},
      {kSingle, kImageFsInodesFree, both},
      {kSingle, kContainerFsAvailable, both},
      {kDedicatedImageFs, kNodeFsInodesFree, {}},
      {kDedicatedImageFs, kImageFsAvailable, both},
      {kDedicatedImageFs, kContainerFsInodesFree, both},
      {kSplitImageFs, kNodeFsAvailable, {kDeadContainers}},
      {kSplitImageFs, kImageFsAvailable, {kUnusedImages}},
      {kSplitImageFs, kContainerFsAvailable, {kDeadContainers}},
      {kSingle, kMemoryAvailable, {}},
      {kSingle, kPidAvailable, {}},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(node_reclaims(one.signal, one.layout), one.expected) << to_string(one.signal);
  }
}

}  // namespace
}  // namespace berth::eviction
