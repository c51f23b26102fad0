#include "lifecycle/ledger/eviction_kind.hpp"

#include <algorithm>
#include <utility>

#include "lifecycle/ledger/eviction_describe.hpp"
#include "lifecycle/ledger/eviction_record.hpp"
#include "lifecycle/ledger/record_codec.hpp"
#include "lifecycle/ledger/strict_json.hpp"

namespace berth::lifecycle {
namespace {

std::vector<api::Container> ranked_containers(const std::vector<api::Container>& containers) {
  std::vector<api::Container> parts;
  for (const api::Container& container : containers)
    parts.push_back({.name = container.name,
                     .resources = container.resources,
                     .restartPolicy = container.restartPolicy});
  return parts;
}

std::string input_json(const EvictionQuestion& question) {
  return with_digest(strict_json::write(question).get_object());
}

Result<EvictionQuestion> read_question(std::string_view text) {
  const auto input = recorded_input(text);
  if (!input) return fail(input.error());
  EvictionQuestion question;
  strict_json::Reader reader;
  reader.read(input->value, question, "");
  if (reader.problem()) return fail(ErrorCode::kInvalid, *reader.problem());
  if (auto changed = changed_inputs(*input)) return fail(std::move(*changed));
  return question;
}

}  // namespace

api::Pod ranked_part(const api::Pod& pod) {
  api::Pod part;
  part.metadata.name = pod.metadata.name;
  part.metadata.namespace_ = pod.metadata.namespace_;
  part.metadata.uid = pod.metadata.uid;
  // Where it comes from decides whether it is critical, if static pods are.
  for (const auto& [key, value] : pod.metadata.annotations)
    if (key.starts_with("kubernetes.io/config.")) part.metadata.annotations[key] = value;
  part.metadata.generation = pod.metadata.generation;
  part.spec.priority = pod.spec.priority;
  part.spec.terminationGracePeriodSeconds = pod.spec.terminationGracePeriodSeconds;
  part.spec.resources = pod.spec.resources;
  part.spec.overhead = pod.spec.overhead;
  part.spec.volumes = pod.spec.volumes;
  part.spec.containers = ranked_containers(pod.spec.containers);
  part.spec.initContainers = ranked_containers(pod.spec.initContainers);
  return part;
}

eviction::CycleDecision decide(const EvictionQuestion& question) {
  eviction::CycleInput input{
      .readings = &question.readings, .layout = question.layout, .now = question.now};
  for (const api::Pod& pod : question.pods) input.pods.push_back(&pod);
  eviction::CycleDecision decision = decide_cycle(question.config, question.before, input);
  if (decision.verdict != eviction::CycleVerdict::kReclaimOnNode) return decision;
  return decide_after_reclaim(question.config, std::move(decision), input,
                              question.after_reclaim ? &*question.after_reclaim : nullptr);
}

Result<LedgerRecord> eviction_record_of(const EvictionQuestion& question) {
  const eviction::CycleDecision decision = decide(question);
  const auto victim = std::ranges::find_if(decision.evictions, [&](const auto& eviction) {
    return eviction.pod.uid == question.victim;
  });
  if (victim == decision.evictions.end())
    return fail(ErrorCode::kInvalid, "this look does not evict pod " + question.victim);
  LedgerRecord record{.at = question.at,
                      .uid = victim->pod.uid,
                      .namespace_ = victim->pod.namespace_,
                      .pod = victim->pod.name,
                      .kind = std::string(kLedgerEviction),
                      .input = input_json(question),
                      .output = to_json_text(eviction_record(decision, *victim, question.at))};
  record.reasons.push_back({.subject = "pod",
                            .rule = std::string(victim->reason),
                            .text = eviction_sentence(decision, *victim)});
  return record;
}

Result<LedgerRecord> retake_eviction(const LedgerRecord& record) {
  const auto question = read_question(record.input);
  if (!question) return fail(question.error());
  return eviction_record_of(*question);
}

}  // namespace berth::lifecycle
