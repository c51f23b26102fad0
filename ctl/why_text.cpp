// SPDX-License-Identifier: Apache-2.0

#include "ctl/why_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/time.hpp"
#include "base/text.hpp"

namespace berth::ctl {
namespace {

// Lengths of date and time in "2006-01-02T15:04:05Z".
constexpr std::size_t kDate = 10;
constexpr std::size_t kClock = 8;

std::string short_time(const std::string& time, const std::string& today) {
  if (time.size() < kDate + 1 + kClock) return time;
  const std::string clock = time.substr(kDate + 1, kClock);
  if (time.substr(0, kDate) == today.substr(0, kDate)) return clock;
  return time.substr(0, kDate) + " " + clock;
}

}  // namespace

std::string why_text(const WhyStory& story, WallTime now) {
  const std::string today = api::Time{now}.to_string();
  const std::string subject = story.namespace_.empty()
                                  ? "Node " + story.name
                                  : fmt::format("Pod {}/{}", story.namespace_, story.name);
  std::string text = fmt::format("{}\n{}\n", subject, story.present);
  text += "\nWhat happened (times in UTC):\n";
  if (story.happened.empty()) text += "  Nothing was recorded.\n";
  std::vector<std::string> times;
  std::size_t width = 0;
  for (const WhySentence& sentence : story.happened) {
    times.push_back(short_time(sentence.time, today));
    width = std::max(width, times.back().size());
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    text += fmt::format("  {:<{}}  {}\n", times[i], width, one_line(story.happened[i].text));
  }
  text += "\nWhat comes next:\n";
  for (const std::string& sentence : story.coming) text += "  " + one_line(sentence) + "\n";
  return text;
}

}  // namespace berth::ctl
