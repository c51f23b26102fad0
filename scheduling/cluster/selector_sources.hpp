// SPDX-License-Identifier: Apache-2.0

// The objects that select pods: services and the controllers that own pods. Default spread
// constraints apply to the pods that these objects select.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/meta.hpp"
#include "api/pod.hpp"
#include "scheduling/cluster/interner.hpp"
#include "scheduling/predicates/label_selector.hpp"

namespace berth::scheduling {

// A controller's selector: pairs (a ReplicationController) or a label selector (ReplicaSets and
// StatefulSets).
using ControllerSelector = std::variant<Labels, std::optional<api::LabelSelector>>;

// A ReplicationController, ReplicaSet or StatefulSet, as far as it selects pods.
struct Controller {
  std::string apiVersion{};  // v1 or apps/v1
  std::string kind{};
  std::string namespace_{};
  std::string name{};
  ControllerSelector selector{};
};

class SelectorSources {
 public:
  // Replaces the service with that name. A service without a selector selects nothing.
  void set_service(std::string_view namespace_name, std::string_view name, const Labels& selector);
  void remove_service(std::string_view namespace_name, std::string_view name);
  // A controller whose label selector is absent or invalid is treated as if it did not exist.
  void set_controller(const Controller& controller);
  void remove_controller(std::string_view kind, std::string_view namespace_name,
                         std::string_view name);

  // The combined selector of the services that select the pod, and of its controller if that is
  // known; empty if there is none. For pairs with the same key the controller's value takes
  // precedence, then the last service's.
  [[nodiscard]] LabelSelector selector_for(const api::Pod& pod) const;

 private:
  struct Service {
    std::string name{};
    Labels selector{};
  };
  struct Owner {
    std::string apiVersion{};
    Labels pairs{};
    LabelSelector selector{};
  };
  [[nodiscard]] const Owner* owner_of(const api::Pod& pod) const;

  TextMap<std::vector<Service>> services_{};  // by namespace
  TextMap<Owner> controllers_{};
};

}  // namespace berth::scheduling
