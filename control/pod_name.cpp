// SPDX-License-Identifier: Apache-2.0

#include "control/pod_name.hpp"

#include <algorithm>

#include "api/nearest_name.hpp"

namespace berth::control {
namespace {

constexpr std::string_view kDefaultNamespace = "default";

std::string short_name(const std::string& name, std::string_view node_name) {
  const auto suffix = "-" + std::string(node_name);
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

std::string not_found(const std::vector<PodName>& pods, const PodName& want,
                      std::string_view node_name) {
  std::string message =
      "pod \"" + want.name + "\" not found in namespace \"" + want.namespace_ + "\"";
  std::vector<std::string> names;
  for (const auto& pod : pods) {
    const auto brief = short_name(pod.name, node_name);
    if (pod.namespace_ == want.namespace_) {
      names.push_back(brief);
    } else if (pod.name == want.name || brief == want.name) {
      return message + "; there is one in namespace \"" + pod.namespace_ + "\" (use -n " +
             pod.namespace_ + ")";
    }
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (const auto near = api::nearest_name(want.name, known))
    message += "; did you mean \"" + std::string(*near) + "\"?";
  return message;
}

}  // namespace

PodName typed_pod_name(std::string_view namespace_, std::string_view name) {
  for (const std::string_view prefix : {"pod/", "pods/", "po/"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  if (const auto slash = name.find('/'); slash != std::string_view::npos) {
    namespace_ = name.substr(0, slash);
    name.remove_prefix(slash + 1);
  }
  if (namespace_.empty()) namespace_ = kDefaultNamespace;
  return {.namespace_ = std::string(namespace_), .name = std::string(name)};
}

Result<PodName> resolve_pod_name(const std::vector<PodName>& pods, std::string_view namespace_,
                                 std::string_view name, std::string_view node_name) {
  const auto want = typed_pod_name(namespace_, name);
  if (want.name.empty()) {
    return fail(ErrorCode::kInvalid, "a pod's name is missing; use NAME or NAMESPACE/NAME");
  }
  if (std::ranges::find(pods, want) != pods.end()) return want;
  const PodName whole{.namespace_ = want.namespace_,
                      .name = want.name + "-" + std::string(node_name)};
  if (std::ranges::find(pods, whole) != pods.end()) return whole;
  return fail(ErrorCode::kNotFound, not_found(pods, want, node_name));
}

}  // namespace berth::control
