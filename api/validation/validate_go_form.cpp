// SPDX-License-Identifier: Apache-2.0

#include "api/validation/validate_go_form.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/field_error.hpp"

namespace berth::api {

namespace {

constexpr std::string_view kNull = "null";

using Members = std::vector<std::pair<std::string_view, std::string>>;

std::string object(const Members& members) {
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (text.size() > 1) text += ',';
    text += go_json_quote(name) + ":" + value;
  }
  return text + "}";
}

std::string text_of(const std::string& value) {
  return go_json_quote(value);
}

std::string text_of(const std::vector<std::string>& values) {
  return values.empty() ? std::string(kNull) : json_strings(values).text;
}

std::string text_of(bool value) {
  return boolean(value).text;
}
std::string text_of(std::int64_t value) {
  return number(value).text;
}

std::string text_of(const IntOrString& value) {
  return value.is_int() ? number(value.int_value()).text : go_json_quote(value.string_value());
}

std::string text_of(const Capabilities& value) {
  return object({{"Add", text_of(value.add)}, {"Drop", text_of(value.drop)}});
}

std::string text_of(const SELinuxOptions& value) {
  return object({{"User", text_of(value.user)},
                 {"Role", text_of(value.role)},
                 {"Type", text_of(value.type)},
                 {"Level", text_of(value.level)}});
}

template <class T>
std::string text_of(const std::optional<T>& value);

std::string text_of(const WindowsSecurityContextOptions& value) {
  return object({{"GMSACredentialSpecName", text_of(value.gmsaCredentialSpecName)},
                 {"GMSACredentialSpec", text_of(value.gmsaCredentialSpec)},
                 {"RunAsUserName", text_of(value.runAsUserName)},
                 {"HostProcess", text_of(value.hostProcess)}});
}

std::string text_of(const SeccompProfile& value) {
  return go_form(value);
}
std::string text_of(const LabelSelector& value) {
  return go_form(value);
}
std::string text_of(const Time& value) {
  return go_json_quote(value.to_string());
}

std::string text_of(const AppArmorProfile& value) {
  return object(
      {{"Type", text_of(value.type)}, {"LocalhostProfile", text_of(value.localhostProfile)}});
}

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : std::string(kNull);
}

}  // namespace

std::string go_form(const SecurityContext& context) {
  return object({{"Capabilities", text_of(context.capabilities)},
                 {"Privileged", text_of(context.privileged)},
                 {"SELinuxOptions", text_of(context.seLinuxOptions)},
                 {"WindowsOptions", text_of(context.windowsOptions)},
                 {"RunAsUser", text_of(context.runAsUser)},
                 {"RunAsGroup", text_of(context.runAsGroup)},
                 {"RunAsNonRoot", text_of(context.runAsNonRoot)},
                 {"ReadOnlyRootFilesystem", text_of(context.readOnlyRootFilesystem)},
                 {"AllowPrivilegeEscalation", text_of(context.allowPrivilegeEscalation)},
                 {"ProcMount", text_of(context.procMount)},
                 {"SeccompProfile", text_of(context.seccompProfile)},
                 {"AppArmorProfile", text_of(context.appArmorProfile)}});
}

std::string go_form(const SeccompProfile& profile) {
  return object(
      {{"Type", text_of(profile.type)}, {"LocalhostProfile", text_of(profile.localhostProfile)}});
}

std::string go_form(const PodResourceClaim& claim) {
  return object({{"Name", text_of(claim.name)},
                 {"ResourceClaimName", text_of(claim.resourceClaimName)},
                 {"ResourceClaimTemplateName", text_of(claim.resourceClaimTemplateName)}});
}

std::string go_form(const ClusterTrustBundleProjection& bundle) {
  return object({{"Name", text_of(bundle.name)},
                 {"SignerName", text_of(bundle.signerName)},
                 {"LabelSelector", text_of(bundle.labelSelector)},
                 {"Optional", text_of(bundle.optional)},
                 {"Path", text_of(bundle.path)}});
}

std::string go_form(const PodDisruptionBudgetSpec& spec) {
  return object({{"MinAvailable", text_of(spec.minAvailable)},
                 {"Selector", text_of(spec.selector)},
                 {"MaxUnavailable", text_of(spec.maxUnavailable)},
                 {"UnhealthyPodEvictionPolicy", text_of(spec.unhealthyPodEvictionPolicy)}});
}

std::string go_form(const Taint& taint) {
  return object({{"Key", text_of(taint.key)},
                 {"Value", text_of(taint.value)},
                 {"Effect", text_of(taint.effect)},
                 {"TimeAdded", text_of(taint.timeAdded)}});
}

std::string go_form(const LabelSelector& selector) {
  Members members;
  if (!selector.matchLabels.empty()) {
    Members labels;
    for (const auto& [key, value] : selector.matchLabels) labels.emplace_back(key, text_of(value));
    members.emplace_back("matchLabels", object(labels));
  }
  if (!selector.matchExpressions.empty()) {
    std::string list = "[";
    for (const LabelSelectorRequirement& one : selector.matchExpressions) {
      Members parts = {{"key", text_of(one.key)}, {"operator", text_of(one.operator_)}};
      if (!one.values.empty()) parts.emplace_back("values", text_of(one.values));
      if (list.size() > 1) list += ',';
      list += object(parts);
    }
    members.emplace_back("matchExpressions", list + "]");
  }
  return object(members);
}

}  // namespace berth::api
