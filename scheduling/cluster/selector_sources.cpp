#include "scheduling/cluster/selector_sources.hpp"

#include <algorithm>

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

void SelectorSources::set_controller(Controller controller) {
  std::string key = controller_key(controller.kind, controller.namespace_, controller.name);
  controllers_.insert_or_assign(std::move(key), std::move(controller));
}

void SelectorSources::remove_controller(std::string_view kind, std::string_view namespace_name,
                                        std::string_view name) {
  controllers_.erase(controller_key(kind, namespace_name, name));
}

LabelSelector SelectorSources::selector_for(const api::Pod& pod) const {
  Labels pairs;
  if (const auto services = services_.find(pod.metadata.namespace_); services != services_.end()) {
    for (const Service& service : services->second) {
      if (service.selector.empty()) continue;
      if (!LabelSelector::of_pairs(service.selector).matches(pod.metadata.labels)) continue;
      for (const auto& [key, value] : service.selector) pairs[key] = value;
    }
  }
  LabelSelector selector = LabelSelector::of_pairs(pairs);
  const api::OwnerReference* owner = controller_of(pod);
  if (owner == nullptr) return selector;
  const auto controller =
      controllers_.find(controller_key(owner->kind, pod.metadata.namespace_, owner->name));
  if (controller == controllers_.end() || controller->second.apiVersion != owner->apiVersion) {
    return selector;
  }
  selector.narrow(controller->second.selector);
  return selector;
}

}  // namespace berth::scheduling
