// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/failure_text.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "scheduling/cycle/histogram.hpp"
#include "scheduling/cycle/scheduler.hpp"

namespace berth::scheduling {

namespace {

// Most nodes share a few reasons, each with one text; only shortages differ in text.
void add_rejected(ReasonHistogram& histogram, const Scheduler& scheduler) {
  const Filtering& filtering = scheduler.filtering();
  std::map<Rejection, std::size_t> alike;
  for (const NodeIndex node : scheduler.rejected()) {
    const Rejection first = first_of(filtering.rejections()[node]);
    if (rule_of(first).reason.empty()) {
      histogram.add(filtering.status_of(node), 1);
    } else {
      ++alike[first];
    }
  }
  for (const auto& [rejection, nodes] : alike) {
    histogram.add({.reasons = {std::string(rule_of(rejection).reason)}}, nodes);
  }
}

}  // namespace

std::string failure_text(const Scheduler& scheduler, const std::string& post_filter) {
  const std::size_t all = scheduler.cluster().node_order().size();
  const PreFilterResult& before = scheduler.filtering().pre_filter();
  std::string text = "0/" + std::to_string(all) + " nodes are available:";
  if (before.status.code != StatusCode::kSuccess) {
    for (const std::string& reason : before.status.reasons) text += " " + reason + ".";
  } else {
    ReasonHistogram histogram;
    add_rejected(histogram, scheduler);
    histogram.add(scheduler.absent_status(), all - scheduler.rejected().size());
    text += histogram.to_string();
  }
  if (!post_filter.empty()) text += " " + post_filter;
  return text;
}

std::string event_text(const std::string& message) {
  constexpr std::size_t kMost = 1024;
  constexpr const char* kCut = " ...";
  if (message.size() <= kMost) return message;
  return message.substr(0, kMost - 4) + kCut;
}

}  // namespace berth::scheduling
