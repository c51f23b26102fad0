// The two sides of a recorded pass while they are compared, and what rules take out of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

namespace berth::conformance::sync_pod {

namespace json = boost::json;

inline std::string part(const json::object& call, const char* name) {
  const json::value* value = call.if_contains(name);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

inline std::string op_of(const json::value& call) {
  return part(call.as_object(), "op");
}

inline std::string name_of(const json::value& call) {
  return part(call.as_object(), "name");
}

// One side of a comparison.
struct Side {
  std::vector<json::value> calls{};
  std::vector<std::string> events{};
  std::map<std::string, json::object> results{};  // of starts, by container
};

// Both, with the input; rules take out of them what they allow.
struct Comparing {
  Side theirs{};
  Side ours{};
  const json::object& input;
  bool ended = false;                       // our worker found that the pod is over
  std::set<std::string> started_by_ours{};  // as a rule allows, where theirs refused or failed

  [[nodiscard]] const json::array& spec_list(const char* key) const {
    static const json::array kNone;
    const json::object& spec = input.at("pod").at("spec").as_object();
    const json::value* found = spec.if_contains(key);
    return found == nullptr ? kNone : found->as_array();
  }
  [[nodiscard]] std::set<std::string> names(const char* key) const {
    std::set<std::string> out;
    for (const json::value& container : spec_list(key))
      out.insert(part(container.as_object(), "name"));
    return out;
  }
  [[nodiscard]] json::array records() const {
    const json::value* found = input.at("runtime").as_object().if_contains("containers");
    return found == nullptr ? json::array() : found->as_array();
  }
};

inline void drop_calls(Side& side, const auto& which) {
  std::erase_if(side.calls, which);
}

inline void drop_event(Side& side, const std::string& line) {
  const auto found = std::ranges::find(side.events, line);
  if (found != side.events.end()) side.events.erase(found);
}

// A container's start and all that tells of it.
inline void drop_start(Side& side, const std::string& name) {
  drop_calls(side, [&](const json::value& call) {
    const std::string op = op_of(call);
    const bool start = op == "CreateContainer" || op == "StartContainer" || op == "PostStartHook";
    return start && name_of(call) == name;
  });
  drop_event(side, "Normal Created Created container: " + name);
  drop_event(side, "Normal Started Started container " + name);
  side.results.erase(name);
}

inline std::string image_of(const Comparing& at, const std::string& name) {
  for (const char* key : {"initContainers", "containers", "ephemeralContainers"})
    for (const json::value& container : at.spec_list(key))
      if (part(container.as_object(), "name") == name) return part(container.as_object(), "image");
  return {};
}

inline auto pulls_of(const Side& side, const std::string& image) {
  return std::ranges::count_if(side.calls, [&](const json::value& call) {
    return op_of(call) == "PullImage" && name_of(call) == image;
  });
}

// The last pulls of an image that the other side has not got.
inline void drop_more_pulls(Side& side, const Side& other, const std::string& image) {
  auto more = pulls_of(side, image) - pulls_of(other, image);
  for (auto call = side.calls.end(); more > 0 && call != side.calls.begin();) {
    --call;
    if (op_of(*call) != "PullImage" || name_of(*call) != image) continue;
    call = side.calls.erase(call);
    --more;
  }
}

inline std::string error_of(const Side& side, const std::string& name) {
  const auto found = side.results.find(name);
  return found == side.results.end() ? std::string() : part(found->second, "error");
}

// The stop of a container that was started in this pass, for its failed postStart.
inline void drop_failed_hook(Side& side, const std::string& name) {
  const auto started = std::ranges::find_if(side.calls, [&](const json::value& call) {
    return op_of(call) == "StartContainer" && name_of(call) == name;
  });
  if (started == side.calls.end()) return;
  const std::string id = part(started->as_object(), "id");
  drop_calls(side, [&](const json::value& call) {
    return op_of(call) == "StopContainer" && part(call.as_object(), "id") == id;
  });
  drop_event(side, "Normal Killing FailedPostStartHook");
  drop_event(side, "Warning FailedPostStartHook");
}

// A start with its pull, its refusal and its failure.
inline void drop_attempt(Side& side, const Side& other, const Comparing& at,
                         const std::string& name) {
  const std::string error = error_of(side, name);
  if (error == "PostStartHookError") drop_failed_hook(side, name);
  if (!error.empty() && error != "CrashLoopBackOff" && error != "PostStartHookError")
    drop_event(side, "Warning Failed");
  std::erase_if(side.events, [&](const std::string& line) {
    return line.starts_with("Warning BackOff Back-off restarting failed container " + name + " ");
  });
  drop_start(side, name);
  drop_more_pulls(side, other, image_of(at, name));
}

inline bool has_call(const Side& side, std::string_view op, const std::string& name) {
  return std::ranges::any_of(side.calls, [&](const json::value& call) {
    return op_of(call) == op && name_of(call) == name;
  });
}

// The newest record of a name; null: none.
inline const json::object* newest_record(const json::array& records, const std::string& name) {
  for (const json::value& record : records)
    if (part(record.as_object(), "name") == name) return &record.as_object();
  return nullptr;
}

// Nothing is compared.
inline void leave_out(Comparing& at) {
  at.theirs = {};
  at.ours = {};
}

inline bool fails(const Comparing& at, const char* call, const std::string& name) {
  const json::value* names = at.input.at("failures").as_object().if_contains(call);
  return names != nullptr && std::ranges::any_of(names->as_array(), [&](const json::value& one) {
           return one.as_string() == name;
         });
}

}  // namespace berth::conformance::sync_pod
