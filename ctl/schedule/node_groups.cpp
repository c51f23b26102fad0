// SPDX-License-Identifier: Apache-2.0

#include "ctl/schedule/node_groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace berth::ctl {
namespace {

using scheduling::NodeVerdict;
using scheduling::Refusal;

std::string joined(const std::vector<std::string>& texts, const char* separator) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : separator) + text;
  return all;
}

// A node's whole text except for the names in commands.
std::string said_of(const NodeVerdict& verdict) {
  std::string text;
  for (const Refusal& refusal : verdict.refusals) {
    text += refusal.plugin + "\n" + joined(refusal.values, "\n") + "\n";
  }
  return text;
}

// The shortage as a share of the request.
double shortage_of(const NodeVerdict& verdict) {
  double sum = 0;
  for (const Refusal& refusal : verdict.refusals) {
    for (const auto& one : refusal.shortages) {
      const auto asked = static_cast<double>(one.requested);
      const double free = static_cast<double>(one.capacity) - static_cast<double>(one.used);
      if (asked > 0) sum += (asked - free) / asked;
    }
  }
  return sum;
}

struct Nearness {
  std::size_t refusals = 0;
  double shortage = 0;
};

}  // namespace

std::vector<NodeGroup> group_refused(const std::vector<NodeVerdict>& nodes) {
  struct Sorted {
    const NodeVerdict* verdict = nullptr;
    Nearness nearness{};
    std::string said{};
  };
  std::map<std::pair<std::string, std::string>, std::vector<Sorted>> by_reason;
  for (const NodeVerdict& verdict : nodes) {
    if (verdict.fits()) continue;
    const Refusal& first = verdict.refusals.front();
    by_reason[{first.plugin, joined(first.reasons, ", ")}].push_back(
        {.verdict = &verdict,
         .nearness = {.refusals = verdict.refusals.size(), .shortage = shortage_of(verdict)},
         .said = said_of(verdict)});
  }
  std::vector<NodeGroup> groups;
  for (auto& [reason, sorted] : by_reason) {
    std::ranges::stable_sort(sorted, [](const Sorted& a, const Sorted& b) {
      return std::tie(a.nearness.refusals, a.nearness.shortage) <
             std::tie(b.nearness.refusals, b.nearness.shortage);
    });
    NodeGroup group{.plugin = reason.first, .reasons = reason.second, .nodes = sorted.size()};
    std::map<std::string, std::size_t> places;
    for (const Sorted& one : sorted) {
      group.for_this_alone += one.nearness.refusals == 1 ? 1 : 0;
      const auto [known, fresh] = places.emplace(one.said, group.alike.size());
      if (fresh) group.alike.emplace_back();
      group.alike[known->second].nodes.push_back(one.verdict);
    }
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(
      groups, [](const NodeGroup& a, const NodeGroup& b) { return a.nodes > b.nodes; });
  return groups;
}

}  // namespace berth::ctl
