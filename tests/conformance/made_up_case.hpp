// SPDX-License-Identifier: Apache-2.0

// Unrecorded cases, for the tests of the comparison and of its findings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "tests/conformance/pass_model.hpp"
#include "tests/conformance/sync_pod_differences.hpp"

namespace berth::conformance {

namespace json = boost::json;

// Our predicted answer to a case, and the kubelet's as recorded or predicted.
struct Answers {
  json::object input{};
  json::object theirs{};
  json::object ours{};

  [[nodiscard]] bool excused() const {
    json::object actual = ours;
    actual["input"] = input;
    return !compare_sync_pod(theirs, actual);
  }
  [[nodiscard]] bool excused(const std::function<void(json::object&)>& change) const {
    Answers changed = *this;
    change(changed.ours);
    return changed.excused();
  }
};

inline Answers answers_to(json::object input) {
  const PassInput in = pass_input(input);
  return {.input = std::move(input),
          .theirs = answer_of(predict(in, {})),
          .ours = answer_of(predict(in, Manners::all()))};
}

inline constexpr std::int64_t kSecond = 1'000'000'000;
inline constexpr std::int64_t kBegun = 1'756'718'400 * kSecond;

// A pod "web" in namespace "default" with a ready sandbox "s1".
class Case {
 public:
  explicit Case(const char* policy) {
    pod_["metadata"] = {{"name", "web"}, {"namespace", "default"}, {"uid", "u1"}};
    spec_["restartPolicy"] = policy;
    spec_["terminationGracePeriodSeconds"] = 30;
  }
  Case& container(const char* name, json::object more = {}) {
    return add("containers", name, std::move(more));
  }
  Case& init(const char* name, json::object more = {}) {
    return add("initContainers", name, std::move(more));
  }
  Case& sidecar(const char* name, json::object more = {}) {
    more["restartPolicy"] = "Always";
    return add("initContainers", name, std::move(more));
  }
  // Newest first.
  Case& record(const char* id, const char* name, const char* state, json::object more = {}) {
    more["id"] = id;
    more["name"] = name;
    more["state"] = state;
    if (!more.contains("sandbox")) more["sandbox"] = "s1";
    more["createdAt"] = kBegun - static_cast<std::int64_t>(records_.size()) * kSecond;
    if (std::string(state) == "exited") more["finishedAt"] = kBegun + kSecond;
    records_.push_back(std::move(more));
    return *this;
  }
  Case& fails(const char* what, const char* name) {
    failures_[what] = json::array{name};
    return *this;
  }
  Case& in_backoff(const char* name) {
    in_backoff_.emplace_back(name);
    return *this;
  }
  Case& sandbox(const char* state, const char* ip) {
    sandbox_["state"] = state;
    sandbox_["ip"] = ip;
    return *this;
  }
  [[nodiscard]] json::object input() const {
    json::object pod = pod_;
    pod["spec"] = spec_;
    return {{"pod", std::move(pod)},
            {"runtime", {{"containers", records_}, {"sandboxes", json::array{sandbox_}}}},
            {"probes", json::object()},
            {"failures", failures_},
            {"inBackOff", in_backoff_},
            {"presentImages", {"app:1"}}};
  }
  [[nodiscard]] Answers answers() const { return answers_to(input()); }

 private:
  Case& add(const char* list, const char* name, json::object more) {
    more["name"] = name;
    more.emplace("image", "app:1");
    more.emplace("imagePullPolicy", "IfNotPresent");
    if (!spec_.contains(list)) spec_[list] = json::array();
    spec_[list].as_array().push_back(std::move(more));
    return *this;
  }

  json::object pod_{};
  json::object spec_{};
  json::array records_{};
  json::object failures_{};
  json::array in_backoff_{};
  json::object sandbox_{
      {"id", "s1"}, {"attempt", 0}, {"state", "ready"}, {"network", "pod"}, {"ip", "10.88.0.1"}};
};

inline std::vector<std::string> ops_of(const json::object& answer) {
  std::vector<std::string> out;
  for (const json::value& call : answer.at("calls").as_array()) {
    std::string text(call.at("op").as_string());
    for (const char* key : {"name", "id"})
      if (const json::value* of = call.as_object().if_contains(key))
        text += " " + std::string(of->as_string());
    out.push_back(std::move(text));
  }
  return out;
}

using Ops = std::vector<std::string>;
inline const json::object kProbe = {{"exec", {{"command", {"/bin/check"}}}}};
inline const json::object kHook = {{"postStart", {{"exec", {{"command", {"/bin/init"}}}}}}};

}  // namespace berth::conformance
