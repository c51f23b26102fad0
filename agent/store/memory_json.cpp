// SPDX-License-Identifier: Apache-2.0

#include "agent/store/memory_json.hpp"

#include <array>
#include <chrono>
#include <utility>

#include "agent/store/stored_memory.hpp"

namespace berth::agent {
namespace {

using lifecycle::Afterwards;
using lifecycle::EndCause;
using lifecycle::Verdict;

// The words in the file; they must never change.
constexpr std::array<std::pair<Verdict, std::string_view>, 5> kVerdicts{{
    {Verdict::kNone, "none"},
    {Verdict::kRejected, "rejected"},
    {Verdict::kCompleted, "completed"},
    {Verdict::kEnded, "ended"},
    {Verdict::kCollected, "collected"},
}};
constexpr std::array<std::pair<EndCause, std::string_view>, 9> kCauses{{
    {EndCause::kCollected, "collected"},
    {EndCause::kManifestRemoved, "manifestRemoved"},
    {EndCause::kDeleted, "deleted"},
    {EndCause::kUnknownPod, "unknownPod"},
    {EndCause::kActiveDeadline, "activeDeadline"},
    {EndCause::kEvicted, "evicted"},
    {EndCause::kPreempted, "preempted"},
    {EndCause::kNodeShutdown, "nodeShutdown"},
    {EndCause::kReturns, "returns"},
}};

constexpr std::array<std::pair<lifecycle::ProbeResult, std::string_view>, 3> kResults{{
    {lifecycle::ProbeResult::kUnknown, "unknown"},
    {lifecycle::ProbeResult::kSuccess, "success"},
    {lifecycle::ProbeResult::kFailure, "failure"},
}};

template <class Words, class Value>
std::string_view word_of(const Words& words, Value value) {
  for (const auto& [known, word] : words) {
    if (known == value) return word;
  }
  return {};
}

template <class Words>
auto value_of(const Words& words, std::string_view text, std::string_view what)
    -> Result<std::remove_cvref_t<decltype(words[0].first)>> {
  for (const auto& [value, word] : words) {
    if (word == text) return value;
  }
  return fail(ErrorCode::kInvalid,
              std::string(what) + " \"" + std::string(text) + "\" is none that this berthd knows");
}

constexpr std::array<std::pair<lifecycle::StartAgain, std::string_view>, 3> kStartsAgain{{
    {lifecycle::StartAgain::kByPolicy, "byPolicy"},
    {lifecycle::StartAgain::kDecided, "decided"},
    {lifecycle::StartAgain::kStopped, "stopped"},
}};

std::int64_t nanoseconds(WallTime at) {
  return at.time_since_epoch().count();
}

WallTime wall_time(std::int64_t since_1970) {
  return WallTime{Nanoseconds{since_1970}};
}

StoredEnd stored_end(const lifecycle::EndInForce& end) {
  const auto& [ending, grace_seconds] = end;
  const auto& [cause, grace, then, failure, requested_at] = ending;
  StoredEnd out{.cause = std::string(word_of(kCauses, cause)),
                .requestedAt = nanoseconds(requested_at),
                .graceSeconds = grace_seconds,
                .forced = then == Afterwards::kRemoveUnseen};
  if (grace) out.graceOverrideSeconds = grace->count();
  if (failure && !failure->whatever_exits) {
    const auto& [reason, message, disruption, whatever_exits] = *failure;
    out.failure = {.reason = reason, .message = message, .disruption = disruption};
  }
  return out;
}

StoredStart stored_start(const lifecycle::StartMemory& start) {
  const auto& [container_id, last_exit, at] = start;
  StoredStart out{.containerId = container_id, .at = nanoseconds(at)};
  if (last_exit) out.lastExit = nanoseconds(*last_exit);
  return out;
}

StoredPull stored_pull(const std::pair<std::string, std::string>& key,
                       const lifecycle::ImagePullBackoff::Entry& entry) {
  const auto& [window, last_failure, reason, message] = entry;
  return {.uid = key.first,
          .image = key.second,
          .window = window.count(),
          .lastFailure = nanoseconds(last_failure),
          .reason = reason,
          .message = message};
}

std::map<std::string, std::string> stored_results(const lifecycle::ResultsById& results) {
  std::map<std::string, std::string> out;
  for (const auto& [id, result] : results) out[id.str()] = word_of(kResults, result);
  return out;
}

std::optional<StoredProbes> stored_probes(const lifecycle::ProbeResults& probes) {
  const auto& [liveness, readiness, startup] = probes;
  if (probes == lifecycle::ProbeResults{}) return std::nullopt;
  return StoredProbes{.liveness = stored_results(liveness),
                      .readiness = stored_results(readiness),
                      .startup = stored_results(startup)};
}

Result<lifecycle::ResultsById> read_results(const std::map<std::string, std::string>& stored) {
  lifecycle::ResultsById out;
  for (const auto& [id, word] : stored) {
    const auto result = value_of(kResults, word, "probes: result");
    if (!result) return fail(result.error());
    out[cri::ContainerId{id}] = *result;
  }
  return out;
}

Result<lifecycle::ProbeResults> read_probes(const StoredProbes& stored) {
  auto liveness = read_results(stored.liveness);
  if (!liveness) return fail(liveness.error());
  auto readiness = read_results(stored.readiness);
  if (!readiness) return fail(readiness.error());
  auto startup = read_results(stored.startup);
  if (!startup) return fail(startup.error());
  return lifecycle::ProbeResults{.liveness = std::move(*liveness),
                                 .readiness = std::move(*readiness),
                                 .startup = std::move(*startup)};
}

Result<lifecycle::EndInForce> read_end(const StoredEnd& stored, Afterwards then) {
  const auto cause = value_of(kCauses, stored.cause, "end.cause");
  if (!cause) return fail(cause.error());
  lifecycle::EndInForce end{
      .ending = {.cause = *cause, .then = then, .requested_at = wall_time(stored.requestedAt)},
      .grace_seconds = stored.graceSeconds};
  if (stored.graceOverrideSeconds) {
    end.ending.grace = std::chrono::seconds{*stored.graceOverrideSeconds};
  }
  if (stored.failure) {
    end.ending.failure = {.reason = stored.failure->reason,
                          .message = stored.failure->message,
                          .disruption = stored.failure->disruption};
  }
  return end;
}

// Combines `end`, `kept` and `deadlineExceeded` into the one value that they represent.
Result<std::optional<lifecycle::EndInForce>> read_ending(const StoredMemory& stored) {
  std::optional<lifecycle::EndInForce> ending;
  const auto* one = stored.end ? &*stored.end : stored.kept ? &*stored.kept : nullptr;
  if (one != nullptr) {
    const Afterwards then = !stored.end   ? Afterwards::kKeep
                            : one->forced ? Afterwards::kRemoveUnseen
                                          : Afterwards::kRemove;
    auto read = read_end(*one, then);
    if (!read) return fail(read.error());
    ending = std::move(*read);
  }
  if (!stored.deadlineExceeded || (ending && ending->ending.failure)) return ending;
  const lifecycle::Ending deadline = lifecycle::active_deadline({});
  if (ending)
    ending->ending.failure = deadline.failure;
  else
    ending = lifecycle::EndInForce{.ending = deadline};
  return ending;
}

// Stores the ending in such a way that an older berthd, which knows fewer endings, treats the pod
// correctly, too.
void store_ending(const lifecycle::EndInForce& end, Verdict verdict, StoredMemory& out) {
  const bool keeps = !lifecycle::removes(end.ending);
  const bool open = keeps && end.ending.failure && verdict == Verdict::kNone;
  out.deadlineExceeded = lifecycle::past_deadline(end) || open;
  (keeps ? out.kept : out.end) = stored_end(end);
}

Result<std::map<std::string, lifecycle::StartAgain>> read_starts_again(
    const std::map<std::string, std::string>& stored) {
  std::map<std::string, lifecycle::StartAgain> out;
  for (const auto& [id, word] : stored) {
    const auto again = value_of(kStartsAgain, word, "startAgain");
    if (!again) return fail(again.error());
    out[id] = *again;
  }
  return out;
}

void read_histories(StoredMemory& stored, lifecycle::PodMemory& memory) {
  for (const auto& [id, stop] : stored.stops) {
    memory.stops[id] = {.begun_at = wall_time(stop.begunAt),
                        .kill_at = wall_time(stop.killAt),
                        .pre_stop = stop.preStop};
  }
  memory.next_attempts = std::move(stored.nextAttempts);
  for (auto& [name, start] : stored.pendingStarts) {
    auto& pending = memory.pending_starts[name];
    pending = {.container_id = std::move(start.containerId), .at = wall_time(start.at)};
    if (start.lastExit) pending.last_exit = wall_time(*start.lastExit);
  }
  for (const auto& [key, entry] : stored.restarts) {
    memory.restarts.entries[key] = {.window = Nanoseconds{entry.window},
                                    .last_start = wall_time(entry.lastStart)};
  }
  for (auto& pull : stored.pulls) {
    memory.pulls.entries[{std::move(pull.uid), std::move(pull.image)}] = {
        .window = Nanoseconds{pull.window},
        .last_failure = wall_time(pull.lastFailure),
        .reason = std::move(pull.reason),
        .message = std::move(pull.message)};
  }
}

}  // namespace

std::string_view verdict_word(Verdict verdict) {
  return word_of(kVerdicts, verdict);
}

// Structured bindings, so that a new member cannot be forgotten here.
std::string memory_text(const lifecycle::PodMemory& memory) {
  const auto& [uid, incarnation, pod, verdict, status, end, stops, start_again, next_attempts,
               pending_starts, restarts, pulls, sandboxes, probes] = memory;
  StoredMemory out{.uid = uid,
                   .incarnation = incarnation,
                   .verdict = std::string(verdict_word(verdict)),
                   .status = status,
                   .nextAttempts = next_attempts,
                   .probes = stored_probes(probes),
                   .sandboxes = {sandboxes.begin(), sandboxes.end()}};
  if (pod) out.pod = *pod;
  if (end) store_ending(*end, verdict, out);
  for (const auto& [id, stop] : stops) {
    const auto& [begun_at, kill_at, pre_stop] = stop;
    out.stops[id] = {
        .begunAt = nanoseconds(begun_at), .killAt = nanoseconds(kill_at), .preStop = pre_stop};
  }
  for (const auto& [id, again] : start_again) out.startAgain[id] = word_of(kStartsAgain, again);
  for (const auto& [name, start] : pending_starts) out.pendingStarts[name] = stored_start(start);
  for (const auto& [key, entry] : restarts.entries) {
    const auto& [window, last_start] = entry;
    out.restarts[key] = {.window = window.count(), .lastStart = nanoseconds(last_start)};
  }
  for (const auto& [key, entry] : pulls.entries) out.pulls.push_back(stored_pull(key, entry));
  return stored_text(out);
}

Result<lifecycle::PodMemoryPtr> read_memory(std::string_view text) {
  auto stored = read_stored(text);
  if (!stored) return fail(stored.error());
  if (stored->uid.empty()) return fail(ErrorCode::kInvalid, "uid: missing");
  if (!stored->pod) return fail(ErrorCode::kInvalid, "pod: missing");
  const auto verdict = value_of(kVerdicts, stored->verdict, "verdict");
  if (!verdict) return fail(verdict.error());
  auto memory = std::make_shared<lifecycle::PodMemory>();
  memory->uid = std::move(stored->uid);
  memory->incarnation = stored->incarnation;
  memory->pod = std::make_shared<const api::Pod>(std::move(*stored->pod));
  memory->verdict = *verdict;
  if (stored->status) memory->status = std::move(*stored->status);
  auto ending = read_ending(*stored);
  if (!ending) return fail(ending.error());
  memory->end = std::move(*ending);
  read_histories(*stored, *memory);
  auto starts_again = read_starts_again(stored->startAgain);
  if (!starts_again) return fail(starts_again.error());
  memory->start_again = std::move(*starts_again);
  if (stored->probes) {
    auto probes = read_probes(*stored->probes);
    if (!probes) return fail(probes.error());
    memory->probes = std::move(*probes);
  }
  memory->sandboxes = {stored->sandboxes.begin(), stored->sandboxes.end()};
  return lifecycle::PodMemoryPtr(std::move(memory));
}

}  // namespace berth::agent
