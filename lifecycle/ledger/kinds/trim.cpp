// SPDX-License-Identifier: Apache-2.0

// Which dead instances of a container are removed (node/container_gc.hpp).
#include <fmt/format.h>

#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/trim_question.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "node/container_gc.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(DeadInstance, (), (id, created))
BOOST_DESCRIBE_STRUCT(TrimQuestion, (), (pod, container, instances, keep))
BOOST_DESCRIBE_STRUCT(TrimDecision, (), (remove))

TrimDecision decide_trim(const TrimQuestion& question) {
  std::vector<node::GcContainer> dead;
  for (const DeadInstance& instance : question.instances)
    dead.push_back(
        {.id = instance.id, .state = cri::ContainerState::kExited, .created = instance.created});
  return {.remove = node::dead_instances_to_trim(dead, question.keep)};
}

namespace {

// A removal that fails is decided again.
std::optional<News> news(const TrimQuestion& question, const TrimDecision& decision) {
  if (decision.remove.empty()) return std::nullopt;
  return News{.subject = question.container, .says = value_hash(decision.remove)};
}

Reasons reasons(const TrimQuestion& question, const TrimDecision& decision) {
  if (decision.remove.empty()) return {};
  return {{.subject = question.container,
           .rule = "Trimmed",
           .text = fmt::format(
               "{} of its {} instances that have ended are removed with their logs; the newest "
               "stays",
               decision.remove.size(), question.instances.size())}};
}

// One sentence is enough for a container that is restarted again and again.
std::vector<Sentence> describe(const Decoded<TrimQuestion, TrimDecision>& decoded) {
  const std::string& name = decoded.question.container;
  return {sentence_about(
      decoded.record, name, "Trimmed",
      fmt::format("what is left of an earlier instance of {} is removed: the runtime keeps the "
                  "newest that has ended",
                  container_text(decoded.context.so_far.spec(), name)))};
}

}  // namespace

template <>
const KindOf<TrimQuestion, TrimDecision>& kind_of() {
  static const RecordedKind kKind(
      Kind<TrimQuestion, TrimDecision>{.name = "trim",
                                       .decide = decide_trim,
                                       .reasons = reasons,
                                       .part = with_pod_part<TrimQuestion>,
                                       .news = news,
                                       .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
