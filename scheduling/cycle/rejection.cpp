// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/rejection.hpp"

#include <array>

namespace berth::scheduling {
namespace {

constexpr auto kResolvable = StatusCode::kUnschedulable;
constexpr auto kUnresolvable = StatusCode::kUnschedulableAndUnresolvable;

constexpr std::array<RejectionRule, 13> kRules = {{
    {Plugin::kNodeUnschedulable, kUnresolvable, "node(s) were unschedulable"},
    {Plugin::kNodeName, kUnresolvable, "node(s) didn't match the requested node name"},
    {Plugin::kTaintToleration, kUnresolvable, "node(s) had untolerated taint(s)"},
    {Plugin::kNodeAffinity, kUnresolvable, "node(s) didn't match scheduler-enforced node affinity"},
    {Plugin::kNodeAffinity, kUnresolvable, "node(s) didn't match Pod's node affinity/selector"},
    {Plugin::kNodePorts, kResolvable, "node(s) didn't have free ports for the requested pod ports"},
    {Plugin::kNodeResourcesFit, kResolvable, ""},
    {Plugin::kNodeResourcesFit, kUnresolvable, ""},
    {Plugin::kPodTopologySpread, kUnresolvable,
     "node(s) didn't match pod topology spread constraints (missing required label)"},
    {Plugin::kPodTopologySpread, kResolvable,
     "node(s) didn't match pod topology spread constraints"},
    {Plugin::kInterPodAffinity, kUnresolvable, "node(s) didn't match pod affinity rules"},
    {Plugin::kInterPodAffinity, kResolvable, "node(s) didn't match pod anti-affinity rules"},
    {Plugin::kInterPodAffinity, kResolvable,
     "node(s) didn't satisfy existing pods anti-affinity rules"},
}};

}  // namespace

std::string_view name_of(StatusCode code) {
  switch (code) {
    case StatusCode::kSuccess:
      return "Success";
    case StatusCode::kUnschedulable:
      return "Unschedulable";
    case StatusCode::kUnschedulableAndUnresolvable:
      return "UnschedulableAndUnresolvable";
    case StatusCode::kError:
      return "Error";
    case StatusCode::kSkip:
      return "Skip";
  }
  return "Error";
}

const RejectionRule& rule_of(Rejection rejection) {
  return kRules.at(static_cast<std::size_t>(rejection));
}

Rejections rejections_by(PluginSet plugins) {
  Rejections bits = bit_of(Rejection::kAbsent);
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (plugins.contains(kRules[i].plugin)) bits |= bit_of(static_cast<Rejection>(i));
  }
  return bits;
}

}  // namespace berth::scheduling
