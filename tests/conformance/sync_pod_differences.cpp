// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/sync_pod_differences.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/conformance/adapter.hpp"
#include "tests/conformance/pass_model.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;

struct Rule {
  Manner manner{};
  std::string_view name{};
  std::size_t cases = 0;  // number of the project's own cases in which it makes a difference
  std::string_view why{};
};

constexpr std::array<Rule, kManners> kRules = {{
    {Manner::kDecidesAnew, "decides-anew", 153,
     "after each start and each stop everything is decided anew by what is true then, so that the "
     "next step follows at once; the kubelet goes by what it saw when its pass began, and looks "
     "again a pass later"},
    {Manner::kRetriesAfterHook, "failed-hook-is-retried", 30,
     "a container that was stopped for its failed postStart hook is started again, or its wait is "
     "reported, after those that were not tried yet; the kubelet does so a pass later"},
    {Manner::kReportsPullWait, "pull-wait-is-reported", 30,
     "after a failed pull the wait for the next one is reported at once; the kubelet does so a "
     "pass later"},
    {Manner::kFinishedPodsEnd, "finished-pods-end", 6,
     "a pod whose phase, computed from the records, is final is brought to its end; the kubelet "
     "finds so before such a pass"},
    {Manner::kDeletedPodsEnd, "deleted-pods-end", 43,
     "a pod that is being deleted is stopped and removed; the kubelet never runs such a pass for "
     "one"},
    {Manner::kTrimsAtOnce, "trimmed-at-once", 77,
     "of each container the dead instances but the newest go in the same turn; the kubelet removes "
     "those of regular ones when it hears of an exit"},
    {Manner::kRemovesOnce, "removed-once", 13,
     "the kubelet asks twice for the removal of what goes for a new sandbox"},
    {Manner::kEndsUnknownPredecessors, "unknown-predecessors-end", 6,
     "an older instance in an unknown state is stopped and removed once a newer one was started; "
     "the kubelet leaves it to its collection, once a minute"},
    {Manner::kKeepsUnknown, "unknown-is-kept", 6,
     "an instance in an unknown state is not removed unstopped: it may be running"},
    {Manner::kStopsUnknown, "unknown-is-stopped", 47,
     "when the pod is stopped, what is in an unknown state and may be running is stopped, too; the "
     "kubelet leaves it to the sandbox, without a grace period"},
    {Manner::kStartsCreated, "created-is-started", 63,
     "a container that was created in the sandbox in use, from the same spec, is started; the "
     "kubelet leaves it and creates another"},
    {Manner::kForgetsRemovedExits, "removed-exit-is-forgotten", 13,
     "an init container whose record went with its sandbox starts anew at once; the kubelet waits "
     "for a window of before once"},
    {Manner::kCreatedElsewhereIsNothing, "created-elsewhere-is-nothing", 4,
     "what was created in a sandbox that is not ready, or beside one of its name that runs, is as "
     "good as nothing; the kubelet takes it for a sign that the pod has begun, gives a run-once "
     "pod up for it and skips init containers"},
    {Manner::kSandboxAfterContainers, "sandbox-after-containers", 11,
     "a sandbox is stopped once its containers have ended or their grace period is over: right "
     "after a StopContainer that failed it would kill them"},
    {Manner::kReportsNetworkChange, "change-of-network-is-reported", 16,
     "SandboxChanged is reported whenever a sandbox takes the place of another; the kubelet keeps "
     "silent if the network mode differs"},
    {Manner::kNoEphemeralContainers, "no-ephemeral-containers", 32,
     "pods with ephemeral containers are refused"},
    {Manner::kResultsNeedProbes, "no-result-without-its-probe", 4,
     "a container that does not run or has no such probe has no result of it, so nothing is "
     "stopped for one"},
    {Manner::kRenumbers, "counts-grow", 33,
     "an older instance with as high a restart count as a newer one cannot be, so the newer ones "
     "are counted on from it"},
}};

std::array<std::size_t, kManners> counted{};
std::size_t alike = 0;

std::string part(const json::value& in, const char* key) {
  const json::value* value = in.as_object().if_contains(key);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

// Neighbours of one of these kinds form a set: sorts them by the two keys.
json::array with_sets_sorted(const json::array& in, const char* kind,
                             const std::set<std::string>& sets,
                             const std::pair<const char*, const char*>& keys) {
  std::vector<json::value> items(in.begin(), in.end());
  const auto key = [&](const json::value& item) {
    return std::pair(part(item, keys.first), part(item, keys.second));
  };
  for (auto begin = items.begin(); begin != items.end();) {
    const std::string of = part(*begin, kind);
    const auto end =
        std::find_if(begin, items.end(), [&](const auto& item) { return part(item, kind) != of; });
    if (sets.contains(of))
      std::stable_sort(begin, end, [&](const auto& a, const auto& b) { return key(a) < key(b); });
    begin = end;
  }
  return json::array(items.begin(), items.end());
}

// Results that belong to a call. The texts of failed pulls and sandboxes are not binding, and those
// of hooks are the recording's substitutes. Starts come last: the order of the calls determines
// which call they belong to.
json::array results_of(const json::object& answer, bool with_steps) {
  static const std::set<std::string> kFreeTexts = {"ErrImagePull", "ImagePullBackOff",
                                                   "PostStartHookError", "CreatePodSandboxError"};
  const auto& calls = answer.at("calls").as_array();
  const bool stops = std::ranges::any_of(
      calls, [](const json::value& call) { return part(call, "op") == "StopPodSandbox"; });
  json::array kept;
  json::array starts;
  for (const json::value& item : answer.at("results").as_array()) {
    json::object result = item.as_object();
    const std::string action = part(item, "action");
    const bool step = action == "ConfigPodSandbox" || (action == "KillPodSandbox" && !stops);
    if (step && !with_steps) continue;
    if (kFreeTexts.contains(part(item, "error"))) result.erase("message");
    (action == "StartContainer" ? starts : kept).push_back(std::move(result));
  }
  kept = with_sets_sorted(kept, "action", {"KillContainer"}, {"target", "error"});
  kept.insert(kept.end(), starts.begin(), starts.end());
  return kept;
}

// `with_steps`: includes the kubelet's steps without a call of their own, which only it has.
json::value comparable(const json::object& answer, bool with_steps) {
  return json::object{{"calls", with_sets_sorted(answer.at("calls").as_array(), "op",
                                                 {"StopContainer", "RemoveContainer",
                                                  "StopPodSandbox", "RemovePodSandbox"},
                                                 {"name", "id"})},
                      {"events", answer.at("events")},
                      {"results", results_of(answer, with_steps)},
                      {"syncError", answer.at("syncError")}};
}

std::optional<std::string> said(const char* whose, const std::optional<std::string>& difference) {
  if (!difference) return std::nullopt;
  return std::string(whose) + " is not the one predicted: " + *difference;
}

}  // namespace

std::optional<std::string> compare_sync_pod(const json::value& expected,
                                            const json::value& actual) {
  PassInput input = pass_input(actual.at("input").as_object());
  for (const json::value& call : expected.at("calls").as_array())
    if (part(call, "op") == "StopContainer") input.stopped_by_kubelet.insert(part(call, "id"));
  const json::object theirs = answer_of(predict(input, {}));
  const auto first =
      compare_values(comparable(theirs, true), comparable(expected.as_object(), true));
  if (first) return said("the kubelet's pass", first);
  const json::value ours = comparable(answer_of(predict(input, Manners::all())), false);
  const auto second = compare_values(ours, comparable(actual.as_object(), false));
  if (second) return said("our pass", second);

  if (!compare_values(comparable(theirs, false), ours)) ++alike;
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    const Manners others = Manners::all().without(kRules[i].manner);
    if (compare_values(comparable(answer_of(predict(input, others)), false), ours)) ++counted[i];
  }
  return std::nullopt;
}

bool report_sync_pod(std::ostream& out, bool own_cases) {
  out << "    " << alike
      << " without any difference; allowed differences, and cases in which they make one:\n";
  bool as_stated = true;
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    out << "    " << counted[i] << "  " << kRules[i].name << ": " << kRules[i].why << "\n";
    if (!own_cases || counted[i] == kRules[i].cases) continue;
    as_stated = false;
    out << "    FAILED: " << kRules[i].name << " is to make a difference in " << kRules[i].cases
        << " of these cases, not in " << counted[i] << "\n";
  }
  counted.fill(0);
  alike = 0;
  return as_stated;
}

}  // namespace berth::conformance
