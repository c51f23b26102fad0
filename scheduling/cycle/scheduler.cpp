// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/scheduler.hpp"

#include <algorithm>
#include <utility>

#include "scheduling/cycle/failure_text.hpp"
#include "scheduling/cycle/sampling.hpp"

namespace berth::scheduling {
namespace {

constexpr const char* kNoNodes = "no nodes available to schedule pods";

Decision failed(std::string message, std::size_t start) {
  return {.outcome = Decision::Outcome::kError, .message = std::move(message), .next_start = start};
}

Status left_out(Plugin plugin) {
  return {.code = StatusCode::kUnschedulableAndUnresolvable,
          .reasons = {"node(s) didn't satisfy plugin(s) [" + std::string(name_of(plugin)) + "]"}};
}

}  // namespace

Scheduler::Scheduler(Cluster& cluster, Profile profile)
    : cluster_(cluster), profile_(std::move(profile)), filtering_(profile_), scoring_(profile_) {}

// Keeps columns as long as they are likely to be needed again.
void Scheduler::trim() {
  cluster_.drop_unused();
  filtering_.trim();
  scoring_.trim();
  spread_columns_.trim();
  const bool other_ids = generation_ != cluster_.generation();
  generation_ = cluster_.generation();
  if (!other_ids && !topologies_.holds_too_much(cluster_.node_slots())) return;
  filtering_.clear_by_id();
  scoring_.clear_by_id();
  spread_columns_.clear();
  topologies_.clear();
}

Decision Scheduler::decide(const api::Pod& pod, std::size_t start) {
  trim();
  feasible_.clear();
  rejected_.clear();
  absent_ = {};
  pod_ = compile_incoming(pod, profile_, cluster_);
  filtering_.prepare(cluster_, pod_, topologies_, spread_columns_);
  if (cluster_.node_order().empty()) return failed(kNoNodes, start);
  const PreFilterResult& before = filtering_.pre_filter();
  if (before.status.code == StatusCode::kError) return failed(before.status.reasons.front(), start);

  Decision decision{.next_start = start};
  if (before.status.code != StatusCode::kSuccess) {
    absent_ = before.status;
  } else if (!is_taken_by_nomination()) {
    if (before.narrowed) absent_ = left_out(Plugin::kNodeAffinity);
    decision.next_start = search(start);
  }
  decision.feasible = feasible_.size();
  if (feasible_.empty()) {
    decision.message = failure_text(*this, {});
    return decision;
  }
  score(decision);
  return decision;
}

// If the pod's nominated node still fits, only that node is considered.
bool Scheduler::is_taken_by_nomination() {
  const std::string& name = pod_.object->status.nominatedNodeName;
  if (name.empty()) return false;
  const auto node = cluster_.find_node(name);
  if (!node) return false;
  if (filtering_.rejections()[*node] != 0) {
    rejected_.push_back(*node);
    return false;
  }
  feasible_.push_back(*node);
  return true;
}

std::vector<NodeIndex> Scheduler::narrowed_nodes() const {
  std::vector<NodeIndex> nodes;
  for (const std::string& name : *filtering_.pre_filter().narrowed) {
    if (const auto node = cluster_.find_node(name)) nodes.push_back(*node);
  }
  return nodes;
}

std::size_t Scheduler::search(std::size_t start) {
  if (filtering_.pre_filter().narrowed) return search(narrowed_nodes(), start);
  return search(cluster_.node_order(), start);
}

std::size_t Scheduler::search(const std::vector<NodeIndex>& nodes, std::size_t start) {
  const auto all = static_cast<std::int64_t>(nodes.size());
  if (all == 0) return start;
  std::int64_t wanted = feasible_nodes_wanted(all, profile_.percentageOfNodesToScore);
  if (profile_.scores == PluginSet{}) wanted = 1;
  const std::int64_t portion = portion_of_nodes(all, profile_.parallelism);
  const std::span<const Rejections> rejections = filtering_.rejections();
  std::int64_t found = 0;
  std::int64_t at = 0;
  std::size_t place = start % nodes.size();
  // A search ends once one more node is found than wanted, at the end of the current portion.
  while (at < all && found <= wanted) {
    const std::int64_t end = std::min(all, at + portion);
    for (; at < end; ++at) {
      const NodeIndex node = nodes[place];
      if (++place == nodes.size()) place = 0;
      if (rejections[node] != 0) {
        // The first may be the nominated node, which was already rejected.
        if (rejected_.empty() || rejected_.front() != node) rejected_.push_back(node);
      } else if (++found <= wanted) {
        feasible_.push_back(node);
      }
    }
  }
  return (start + feasible_.size() + rejected_.size()) % cluster_.node_order().size();
}

void Scheduler::score(Decision& decision) {
  decision.outcome = Decision::Outcome::kPlaced;
  if (feasible_.size() == 1) {
    decision.best = feasible_;
    return;
  }
  if (!run_scores(profile_.scores)) {
    decision = failed(scoring_.error(), decision.next_start);
    decision.feasible = feasible_.size();
    return;
  }
  decision.best = scoring_.best(feasible_);
  decision.total = scoring_.total(decision.best.front());
}

bool Scheduler::run_scores(PluginSet plugins) {
  return scoring_.run(cluster_, pod_, feasible_, plugins, filtering_.columns(), topologies_,
                      spread_columns_);
}

bool Scheduler::score_by_all() {
  return run_scores(PluginSet::all());
}

}  // namespace berth::scheduling
