#include "tests/conformance/sync_pod_differences.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/conformance/adapter.hpp"
#include "tests/conformance/sync_pod_sides.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;
using namespace sync_pod;

void removed_sandboxes(Comparing& at) {
  drop_calls(at.ours, [](const json::value& call) { return op_of(call) == "RemovePodSandbox"; });
}

void removed_once(Comparing& at) {
  std::set<std::string> seen;
  drop_calls(at.theirs, [&](const json::value& call) {
    return op_of(call) == "RemoveContainer" && !seen.insert(part(call.as_object(), "id")).second;
  });
}

// Only if ours removes all that theirs does.
void trimmed_at_once(Comparing& at) {
  std::set<std::string> removed;
  for (const json::value& call : at.ours.calls)
    if (op_of(call) == "RemoveContainer") removed.insert(part(call.as_object(), "id"));
  const bool all = std::ranges::all_of(at.theirs.calls, [&](const json::value& call) {
    return op_of(call) != "RemoveContainer" || removed.contains(part(call.as_object(), "id"));
  });
  std::size_t theirs = 0;
  for (const json::value& call : at.theirs.calls)
    theirs += op_of(call) == "RemoveContainer" ? 1 : 0;
  if (!all || removed.size() == theirs) return;
  const auto removal = [](const json::value& call) { return op_of(call) == "RemoveContainer"; };
  drop_calls(at.theirs, removal);
  drop_calls(at.ours, removal);
}

void no_ephemeral_containers(Comparing& at) {
  for (const std::string& name : at.names("ephemeralContainers"))
    drop_attempt(at.theirs, at.ours, at, name);
}

void created_is_started(Comparing& at) {
  const json::array records = at.records();
  for (const char* key : {"initContainers", "containers"})
    for (const std::string& name : at.names(key)) {
      const json::object* record = newest_record(records, name);
      if (record == nullptr || part(*record, "state") != "created") continue;
      const std::string id = part(*record, "id");
      const bool started = std::ranges::any_of(at.ours.calls, [&](const json::value& call) {
        return op_of(call) == "StartContainer" && part(call.as_object(), "id") == id;
      });
      if (!started) continue;
      // Theirs stops the other one, too, if its hook fails.
      if (has_call(at.theirs, "StopContainer", name) && has_call(at.ours, "StopContainer", name)) {
        drop_failed_hook(at.theirs, name);
        drop_failed_hook(at.ours, name);
      }
      if (error_of(at.ours, name).empty()) at.started_by_ours.insert(name);
      drop_attempt(at.theirs, at.ours, at, name);
      drop_attempt(at.ours, at.theirs, at, name);
    }
}

void unknown_is_stopped(Comparing& at) {
  const json::array records = at.records();
  for (const json::value& record : records) {
    const std::string name = part(record.as_object(), "name");
    const std::string id = part(record.as_object(), "id");
    const auto stop = [&](const json::value& call) {
      return op_of(call) == "StopContainer" && part(call.as_object(), "id") == id;
    };
    if (part(record.as_object(), "state") != "unknown") continue;
    if (std::ranges::any_of(at.theirs.calls, stop)) continue;
    if (std::ranges::none_of(at.ours.calls, stop)) continue;
    drop_calls(at.ours, stop);
    drop_event(at.ours, "Normal Killing Stopping container " + name);
    if (fails(at, "stopContainer", name)) leave_out(at);  // theirs goes on
  }
}

// Removed by their pruning of init containers, kept by ours: it may be running.
void unknown_is_kept(Comparing& at) {
  const json::array records = at.records();
  for (const json::value& record : records) {
    if (part(record.as_object(), "state") != "unknown") continue;
    const auto removal = [&](const json::value& call) {
      return op_of(call) == "RemoveContainer" &&
             part(call.as_object(), "id") == part(record.as_object(), "id");
    };
    if (std::ranges::none_of(at.ours.calls, removal)) drop_calls(at.theirs, removal);
  }
}

// Only once a newer one has been started, and only what is older.
void unknown_predecessors_end(Comparing& at) {
  const json::array records = at.records();
  for (const json::value& record : records) {
    const std::string name = part(record.as_object(), "name");
    const std::string id = part(record.as_object(), "id");
    const json::object* newest = newest_record(records, name);
    if (part(record.as_object(), "state") != "unknown" || part(*newest, "id") == id) continue;
    const auto call_of = [&](const char* op) {
      return [&id, op](const json::value& call) {
        return op_of(call) == op && part(call.as_object(), "id") == id;
      };
    };
    const std::string line =
        "Normal Killing Container is in unknown state, try killing it before removal";
    if (std::ranges::find(at.ours.events, line) == at.ours.events.end()) continue;
    if (std::ranges::none_of(at.ours.calls, call_of("StopContainer"))) continue;
    if (std::ranges::any_of(at.theirs.calls, call_of("StopContainer"))) continue;
    drop_calls(at.ours, call_of("StopContainer"));
    drop_event(at.ours, line);
    if (std::ranges::none_of(at.theirs.calls, call_of("RemoveContainer")))
      drop_calls(at.ours, call_of("RemoveContainer"));
  }
}

void sandbox_after_containers(Comparing& at) {
  const json::value* fails = at.input.at("failures").as_object().if_contains("stopContainer");
  if (fails == nullptr) return;
  const bool failed = std::ranges::any_of(fails->as_array(), [&](const json::value& name) {
    return has_call(at.ours, "StopContainer", std::string(name.as_string()));
  });
  const auto stop = [](const json::value& call) { return op_of(call) == "StopPodSandbox"; };
  if (failed && std::ranges::none_of(at.ours.calls, stop)) drop_calls(at.theirs, stop);
}

void failure_shown_with_its_wait(Comparing& at) {
  for (auto& [name, result] : at.theirs.results) {
    const auto ours = at.ours.results.find(name);
    if (ours == at.ours.results.end()) continue;
    const std::string was = part(result, "error");
    const std::string is = part(ours->second, "error");
    const bool pull = was == "ErrImagePull" && is == "ImagePullBackOff";
    const bool hook = was == "PostStartHookError" && (is == "CrashLoopBackOff" || is.empty());
    if (!pull && !hook) continue;
    if (pull) drop_event(at.ours, "Warning Failed");
    if (hook) drop_more_pulls(at.ours, at.theirs, image_of(at, name));  // of the next start
    std::erase_if(at.ours.events, [&](const std::string& line) {
      return hook &&
             line.starts_with("Warning BackOff Back-off restarting failed container " + name + " ");
    });
    ours->second = result;
  }
}

void deleted_pods_end(Comparing& at) {
  if (at.input.at("pod").at("metadata").as_object().contains("deletionTimestamp")) leave_out(at);
}

// A failure that the recording gives to a running container whose spec has no such probe.
void no_result_without_its_probe(Comparing& at) {
  const json::value* probes = at.input.if_contains("probes");
  if (probes == nullptr) return;
  const json::array records = at.records();
  for (const auto& [kind, field] :
       {std::pair("liveness", "livenessProbe"), std::pair("startup", "startupProbe")}) {
    const json::value* results = probes->as_object().if_contains(kind);
    if (results == nullptr) continue;
    for (const char* key : {"initContainers", "containers"})
      for (const json::value& container : at.spec_list(key)) {
        const json::object* record = newest_record(records, part(container.as_object(), "name"));
        if (record == nullptr || part(*record, "state") != "running") continue;
        if (container.as_object().contains(field)) continue;
        if (part(results->as_object(), part(*record, "id").c_str()) == "failure") leave_out(at);
      }
  }
}

void finished_pods_end(Comparing& at) {
  if (at.ended) leave_out(at);
}

void never_ran_starts_over(Comparing& at) {
  const json::array records = at.records();
  const bool all_created = std::ranges::all_of(records, [](const json::value& record) {
    return part(record.as_object(), "state") == "created";
  });
  const bool theirs_gave_up = std::ranges::none_of(
      at.theirs.calls, [](const json::value& call) { return op_of(call) == "RunPodSandbox"; });
  const bool never = part(at.input.at("pod").at("spec").as_object(), "restartPolicy") == "Never";
  if (all_created && theirs_gave_up && never && !records.empty()) leave_out(at);
}

void change_of_network_is_told(Comparing& at) {
  const auto line = std::string("Normal SandboxChanged");
  const auto count = [&](const Side& side) { return std::ranges::count(side.events, line); };
  if (count(at.ours) == count(at.theirs) + 1) drop_event(at.ours, line);
}

void wait_told_again(Comparing& at) {
  std::set<std::string> seen;
  std::erase_if(at.ours.events, [&](const std::string& line) {
    return line.starts_with("Warning BackOff") && !seen.insert(line).second;
  });
}

// Refused by them for an exit whose record their own pass has removed.
void removed_exit_is_forgotten(Comparing& at) {
  std::vector<std::string> names;
  for (const auto& [name, result] : at.theirs.results)
    if (part(result, "error") == "CrashLoopBackOff" &&
        has_call(at.theirs, "RemoveContainer", name) && at.ours.results.contains(name) &&
        error_of(at.ours, name) != "CrashLoopBackOff")
      names.push_back(name);
  for (const std::string& name : names) {
    if (error_of(at.ours, name).empty()) at.started_by_ours.insert(name);
    drop_attempt(at.theirs, at.ours, at, name);
    drop_attempt(at.ours, at.theirs, at, name);
  }
}

void restarted_sidecar_holds_back(Comparing& at) {
  bool held = false;
  for (const char* key : {"initContainers", "containers"})
    for (const json::value& container : at.spec_list(key)) {
      const json::object& spec = container.as_object();
      const std::string name = part(spec, "name");
      if (held && !at.ours.results.contains(name)) drop_attempt(at.theirs, at.ours, at, name);
      const bool sidecar = part(spec, "restartPolicy") == "Always";
      if (sidecar && spec.contains("startupProbe") && has_call(at.theirs, "StartContainer", name))
        held = true;
    }
}

// Not because a new sandbox takes the place of the one it was in.
bool stopped_for_good(const Side& side, const std::string& name) {
  const auto made = std::ranges::find_if(
      side.calls, [](const json::value& call) { return op_of(call) == "RunPodSandbox"; });
  return std::any_of(made == side.calls.end() ? side.calls.begin() : made, side.calls.end(),
                     [&](const json::value& call) {
                       return op_of(call) == "StopContainer" && name_of(call) == name;
                     });
}

// What follows a sidecar that the pass started, and nothing else.
void goes_on_after_a_sidecar(Comparing& at) {
  std::vector<std::string> order;
  std::size_t first = 0;  // after the first sidecar that started
  for (const json::value& container : at.spec_list("initContainers")) {
    const json::object& spec = container.as_object();
    const std::string name = part(spec, "name");
    order.push_back(name);
    const bool by_theirs = at.theirs.results.contains(name) && error_of(at.theirs, name).empty();
    const bool started =
        part(spec, "restartPolicy") == "Always" && (by_theirs || at.started_by_ours.contains(name));
    if (started && first == 0) first = order.size();
  }
  if (first == 0) return;
  for (const json::value& container : at.spec_list("containers"))
    order.push_back(part(container.as_object(), "name"));
  for (std::size_t i = first; i < order.size(); ++i) {
    if (at.theirs.results.contains(order[i]) || stopped_for_good(at.theirs, order[i])) continue;
    const std::string error = error_of(at.ours, order[i]);
    // Shown by now is the wait for what comes after the failure of its hook.
    const bool hook_failed =
        has_call(at.ours, "PostStartHook", order[i]) && fails(at, "postStartHook", order[i]);
    if (hook_failed && error != "PostStartHookError") drop_failed_hook(at.ours, order[i]);
    if (error == "ImagePullBackOff") drop_event(at.ours, "Warning Failed");  // told twice
    drop_attempt(at.ours, at.theirs, at, order[i]);
  }
}

struct Rule {
  std::string_view name{};
  std::string_view why{};
  void (*apply)(Comparing&) = nullptr;
};

constexpr std::array kRules = {
    Rule{"removed-sandboxes",
         "a dead sandbox that holds nothing is removed in the same turn; the "
         "kubelet leaves it to its collection, once a minute",
         removed_sandboxes},
    Rule{"removed-once", "the kubelet asks twice for the removal of what its pruning has removed",
         removed_once},
    Rule{"unknown-predecessors-end",
         "an older instance in an unknown state is stopped and removed once a newer "
         "one was started; the kubelet leaves it to its collection, once a minute",
         unknown_predecessors_end},
    Rule{"unknown-is-kept", "an instance in an unknown state is not removed: it may be running",
         unknown_is_kept},
    Rule{"trimmed-at-once",
         "dead instances but the newest go in the same turn, of every container; "
         "the kubelet removes those of regular ones when it hears of an exit",
         trimmed_at_once},
    Rule{"no-ephemeral-containers", "pods with ephemeral containers are refused",
         no_ephemeral_containers},
    Rule{"created-is-started",
         "a container that was created in the pod's sandbox, from the same "
         "spec, is started; the kubelet leaves it and creates another",
         created_is_started},
    Rule{"unknown-is-stopped",
         "when the pod is stopped, what may be running is stopped, too; the "
         "kubelet leaves it to the sandbox, without a grace period",
         unknown_is_stopped},
    Rule{"sandbox-after-containers",
         "a sandbox is stopped once its containers have ended or their grace "
         "period is over: right after a StopContainer that failed it would kill them",
         sandbox_after_containers},
    Rule{"failure-shown-with-its-wait",
         "after a failure the next decision follows at once, so "
         "the wait shows that the kubelet shows a pass later",
         failure_shown_with_its_wait},
    Rule{"change-of-network-is-told",
         "SandboxChanged is told whenever a sandbox takes the place of "
         "another; the kubelet keeps silent if the network mode differs",
         change_of_network_is_told},
    Rule{"wait-told-again", "a wait that begins anew, after a stop, is told anew", wait_told_again},
    Rule{"removed-exit-is-forgotten",
         "an init container whose record went with its sandbox starts "
         "anew at once; the kubelet waits for a window of before once",
         removed_exit_is_forgotten},
    Rule{"restarted-sidecar-holds-back",
         "each start is decided by what is true then: a sidecar that "
         "was restarted has its startup probe before it again",
         restarted_sidecar_holds_back},
    Rule{"goes-on-after-a-sidecar",
         "what follows a started sidecar is started at once; the "
         "kubelet does so a pass later",
         goes_on_after_a_sidecar},
    Rule{"no-result-without-its-probe",
         "not compared: a container without a probe has no result of it, so "
         "nothing is stopped for one",
         no_result_without_its_probe},
    Rule{"never-ran-starts-over",
         "not compared: of a run-once pod nothing ever ran, so it starts over "
         "in a new sandbox",
         never_ran_starts_over},
    Rule{"finished-pods-end",
         "not compared: the pod is over by its status, which the kubelet finds "
         "before such a pass",
         finished_pods_end},
    Rule{"deleted-pods-end",
         "not compared: a pod that is being deleted is stopped; the kubelet never "
         "runs such a pass for one",
         deleted_pods_end},
};

std::array<std::size_t, kRules.size()> needed{};
std::size_t exact = 0;

// Neighbouring stops form a set, and so do neighbouring removals: sorted by name, then id.
json::array with_sets_sorted(std::vector<json::value> calls) {
  const auto key = [](const json::value& call) {
    return std::pair(name_of(call), part(call.as_object(), "id"));
  };
  for (std::size_t begin = 0; begin < calls.size();) {
    std::size_t end = begin + 1;
    const std::string op = op_of(calls[begin]);
    while (end < calls.size() && op_of(calls[end]) == op) ++end;
    if (op == "StopContainer" || op == "RemoveContainer" || op == "StopPodSandbox") {
      std::stable_sort(calls.begin() + static_cast<std::ptrdiff_t>(begin),
                       calls.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const auto& a, const auto& b) { return key(a) < key(b); });
    }
    begin = end;
  }
  return json::array(calls.begin(), calls.end());
}

json::object shown(const Side& side) {
  json::array events;
  for (const std::string& line : side.events) events.emplace_back(line);
  json::object results;
  for (const auto& [name, result] : side.results) results[name] = result;
  return {{"calls", with_sets_sorted(side.calls)},
          {"events", std::move(events)},
          {"results", std::move(results)}};
}

// Of the recorded results those of starts; the others say what the calls say already. The texts of
// failed pulls do not bind, and those of hooks are the recording's stand-in's.
Side side_of(const json::object& in) {
  Side side;
  for (const json::value& call : in.at("calls").as_array()) side.calls.push_back(call);
  for (const json::value& line : in.at("events").as_array())
    side.events.emplace_back(line.as_string());
  for (const json::value& item : in.at("results").as_array()) {
    const json::object& result = item.as_object();
    if (part(result, "action") != "StartContainer") continue;
    const std::string error = part(result, "error");
    json::object kept{{"error", error}};
    const bool made_up = error == "ErrImagePull" || error == "PostStartHookError";
    if (!made_up) kept["message"] = result.at("message");
    side.results[part(result, "target")] = std::move(kept);
  }
  return side;
}

}  // namespace

std::optional<std::string> compare_sync_pod(const json::value& expected,
                                            const json::value& actual) {
  Comparing at{.theirs = side_of(expected.as_object()),
               .ours = side_of(actual.as_object()),
               .input = actual.at("input").as_object(),
               .ended = actual.at("ended").as_bool()};
  for (const auto& [name, by] : actual.at("renumbered").as_object())
    for (json::value& call : at.theirs.calls)
      if (op_of(call) == "CreateContainer" && name_of(call) == name)
        call.as_object()["attempt"] = call.at("attempt").as_int64() + by.as_int64();
  auto difference = compare_values(shown(at.theirs), shown(at.ours));
  if (!difference) {
    ++exact;
    return std::nullopt;
  }
  std::array<std::size_t, kRules.size()> used{};
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    const json::value theirs = shown(at.theirs);
    const json::value ours = shown(at.ours);
    kRules[i].apply(at);
    used[i] = shown(at.theirs) == theirs && shown(at.ours) == ours ? 0 : 1;
    if (!compare_values(shown(at.theirs), shown(at.ours))) break;
  }
  difference = compare_values(shown(at.theirs), shown(at.ours));
  if (difference) return difference;
  for (std::size_t i = 0; i < kRules.size(); ++i) needed[i] += used[i];
  return std::nullopt;
}

void report_sync_pod(std::ostream& out) {
  out << "    " << exact
      << " without any difference; allowed differences, and cases that need them:\n";
  for (std::size_t i = 0; i < kRules.size(); ++i)
    out << "    " << needed[i] << "  " << kRules[i].name << ": " << kRules[i].why << "\n";
  needed.fill(0);
  exact = 0;
}

}  // namespace berth::conformance
