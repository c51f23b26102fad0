// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_news.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using Files = std::vector<std::string>;

ManifestProblem in(const std::string& file, const std::string& message = "it is broken") {
  return {.file = file, .line = 3, .path = "spec", .message = message};
}

Files files_of(const std::vector<ManifestProblem>& problems) {
  Files files;
  for (const auto& problem : problems) files.push_back(problem.file);
  return files;
}

TEST(ManifestNews, each_problem_is_new_once) {
  EXPECT_EQ(files_of(news_since({}, {in("b"), in("a")}).new_problems), (Files{"b", "a"}));
  EXPECT_EQ(files_of(news_since({in("a")}, {in("b"), in("a")}).new_problems), Files{"b"});
  EXPECT_TRUE(news_since({in("a")}, {in("a")}).new_problems.empty());
}

TEST(ManifestNews, another_place_or_text_is_another_problem_and_other_pods_are_not) {
  ManifestProblem moved = in("a");
  moved.line = 4;
  ManifestProblem keeps = in("a");
  keeps.kept_pods = {"default/web"};
  EXPECT_EQ(news_since({in("a")}, {moved}).new_problems.size(), 1U);
  EXPECT_EQ(news_since({in("a")}, {in("a", "otherwise")}).new_problems.size(), 1U);
  EXPECT_TRUE(news_since({in("a")}, {keeps}).new_problems.empty());
}

TEST(ManifestNews, a_file_without_problems_is_mended_and_warnings_break_none) {
  ManifestProblem warning = in("a");
  warning.warning = true;
  EXPECT_EQ(news_since({in("b"), in("a")}, {}).mended_files, (Files{"a", "b"}));
  EXPECT_EQ(news_since({in("a")}, {warning}).mended_files, Files{"a"});
  EXPECT_TRUE(news_since({warning}, {}).mended_files.empty());
  EXPECT_TRUE(news_since({in("a")}, {in("a", "otherwise")}).mended_files.empty());
}

// Must finish within one turn of the loop: comparing each with each would take a second.
TEST(ManifestNews, of_ten_thousand_broken_files_are_distinguished) {
  std::vector<ManifestProblem> many;
  for (int i = 0; i < 10'000; ++i) many.push_back(in("file-" + std::to_string(i)));
  EXPECT_TRUE(news_since(many, many).new_problems.empty());
  EXPECT_EQ(news_since(many, {}).mended_files.size(), many.size());
}

}  // namespace
}  // namespace berth::agent
