// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_news.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

namespace berth::agent {
namespace {

auto complaint(const ManifestProblem& problem) {
  return std::tuple<std::string_view, int, std::string_view, std::string_view>(
      problem.file, problem.line, problem.path, problem.message);
}

std::set<std::string_view> broken_files(const std::vector<ManifestProblem>& problems) {
  std::set<std::string_view> files;
  for (const auto& problem : problems)
    if (!problem.warning) files.insert(problem.file);
  return files;
}

}  // namespace

ManifestNews news_since(const std::vector<ManifestProblem>& before,
                        const std::vector<ManifestProblem>& now) {
  std::set<decltype(complaint(now.front()))> known;
  for (const auto& problem : before) known.insert(complaint(problem));
  ManifestNews news;
  std::ranges::copy_if(
      now, std::back_inserter(news.new_problems),
      [&known](const ManifestProblem& problem) { return !known.contains(complaint(problem)); });
  const auto broken = broken_files(now);
  for (const auto& file : broken_files(before))
    if (!broken.contains(file)) news.mended_files.emplace_back(file);
  return news;
}

}  // namespace berth::agent
