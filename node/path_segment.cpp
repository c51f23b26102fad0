// SPDX-License-Identifier: Apache-2.0

#include "node/path_segment.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/assertion.hpp"

namespace berth::node {
namespace {

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-_.:@+~").find(c) != std::string_view::npos;
}

bool stays_in_its_folder(std::string_view segment) {
  return !segment.empty() && segment.front() != '.' && segment.find('/') == segment.npos;
}

}  // namespace

PathSegment::PathSegment(std::string_view text) : PathSegment(text, "") {}

PathSegment::PathSegment(std::string_view text, std::string_view ending) {
  fill(text, ending);
  assert_that(stays_in_its_folder(text_), "a path segment stays in its folder", text_);
}

void PathSegment::fill(std::string_view text, std::string_view ending) {
  if (text.empty() && ending.empty()) text_ += '%';
  add(text);
  const std::string_view::size_type before = text_.size();
  add(ending);
  if (text_.size() <= kLongestFileName) return;
  const auto room = kLongestFileName - std::min(kLongestFileName, text_.size() - before);
  text_.erase(room, before - room);
  text_.resize(std::min(kLongestFileName, text_.size()));
}

void PathSegment::add(std::string_view text) {
  // A leading dot could lead upwards, or hide the name.
  for (const char c : text) {
    if (is_plain(c) && !(text_.empty() && c == '.'))
      text_ += c;
    else
      text_ += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
}

std::string operator/(std::string folder, const PathSegment& segment) {
  return std::move(folder) + "/" + segment.str();
}

bool is_path_segment(std::string_view text) {
  return PathSegment(text).str() == text;
}

}  // namespace berth::node
