// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/selector_sources.hpp"

#include <algorithm>
#include <utility>

namespace berth::scheduling {
namespace {

std::string controller_key(std::string_view kind, std::string_view namespace_name,
                           std::string_view name) {
  std::string key(kind);
  return key.append(1, '/').append(namespace_name).append(1, '/').append(name);
}

const api::OwnerReference* controller_of(const api::Pod& pod) {
  for (const api::OwnerReference& owner : pod.metadata.ownerReferences) {
    if (owner.controller.value_or(false)) return &owner;
  }
  return nullptr;
}

}  // namespace

void SelectorSources::set_service(std::string_view namespace_name, std::string_view name,
                                  const Labels& selector) {
  remove_service(namespace_name, name);
  services_[std::string(namespace_name)].push_back(
      {.name = std::string(name), .selector = selector});
}

void SelectorSources::remove_service(std::string_view namespace_name, std::string_view name) {
  const auto services = services_.find(namespace_name);
  if (services == services_.end()) return;
  std::erase_if(services->second, [&](const Service& service) { return service.name == name; });
}

void SelectorSources::set_controller(const Controller& controller) {
  Owner owner{.apiVersion = controller.apiVersion};
  if (const auto* pairs = std::get_if<Labels>(&controller.selector)) {
    owner.pairs = *pairs;
  } else if (const auto& stated = std::get<1>(controller.selector)) {
    if (auto compiled = LabelSelector::compile(stated)) owner.selector = std::move(*compiled);
  }
  controllers_.insert_or_assign(
      controller_key(controller.kind, controller.namespace_, controller.name), std::move(owner));
}

void SelectorSources::remove_controller(std::string_view kind, std::string_view namespace_name,
                                        std::string_view name) {
  controllers_.erase(controller_key(kind, namespace_name, name));
}

const SelectorSources::Owner* SelectorSources::owner_of(const api::Pod& pod) const {
  const api::OwnerReference* reference = controller_of(pod);
  if (reference == nullptr) return nullptr;
  const auto owner =
      controllers_.find(controller_key(reference->kind, pod.metadata.namespace_, reference->name));
  const bool known =
      owner != controllers_.end() && owner->second.apiVersion == reference->apiVersion;
  return known ? &owner->second : nullptr;
}

LabelSelector SelectorSources::selector_for(const api::Pod& pod) const {
  Labels pairs;
  const auto merge = [&](const Labels& more) {
    for (const auto& [key, value] : more) pairs[key] = value;
  };
  if (const auto services = services_.find(pod.metadata.namespace_); services != services_.end()) {
    for (const Service& service : services->second) {
      if (service.selector.empty()) continue;
      if (LabelSelector::of_pairs(service.selector).matches(pod.metadata.labels)) {
        merge(service.selector);
      }
    }
  }
  const Owner* owner = owner_of(pod);
  if (owner == nullptr) return LabelSelector::of_pairs(pairs);
  merge(owner->pairs);
  LabelSelector selector = LabelSelector::of_pairs(pairs);
  selector.narrow(owner->selector);
  return selector;
}

}  // namespace berth::scheduling
