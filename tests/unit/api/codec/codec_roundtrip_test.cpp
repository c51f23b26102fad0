// SPDX-License-Identifier: Apache-2.0

// Recorded objects of a kubelet stay the same when they are read and written again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <boost/json.hpp>

#include "api/codec.hpp"
#include "api/lists.hpp"
#include "tests/test_paths.hpp"

namespace berth::api {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class Recording : public testing::TestWithParam<const char*> {};

TEST_P(Recording, is_the_same_after_reading_and_writing) {
  const auto file = test_data() / "cri-recordings" / GetParam();
  const std::string text = contents(file);
  const auto tree = parse_first_document(text);
  ASSERT_TRUE(tree);
  const auto list = decode<PodList>(*tree, FieldValidation::kStrict);
  ASSERT_TRUE(list) << to_string(list.error().front());
  EXPECT_FALSE(list->object.items.empty());
  EXPECT_EQ(to_json(list->object), boost::json::parse(text));

  // The same through YAML, which must be read as intended.
  const auto yaml = parse_first_document(to_yaml(list->object));
  ASSERT_TRUE(yaml) << to_string(yaml.error().front());
  const auto again = decode<PodList>(*yaml, FieldValidation::kStrict);
  ASSERT_TRUE(again) << to_string(again.error().front());
  EXPECT_EQ(again->object, list->object);
}

INSTANTIATE_TEST_SUITE_P(Recordings, Recording,
                         testing::Values("pods-running.json", "pods-terminating.json"));

}  // namespace
}  // namespace berth::api
