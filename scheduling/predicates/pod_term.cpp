// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/pod_term.hpp"

#include <utility>

namespace berth::scheduling {

std::expected<PodTerm, std::string> compile_pod_term(const api::PodAffinityTerm& stated,
                                                     const std::string& owner_namespace) {
  auto selector = LabelSelector::compile(stated.labelSelector);
  if (!selector) return std::unexpected(std::move(selector.error()));
  auto namespaces = LabelSelector::compile(stated.namespaceSelector);
  if (!namespaces) return std::unexpected(std::move(namespaces.error()));
  PodTerm term{.topology_key = stated.topologyKey,
               .selector = std::move(*selector),
               .namespaces = {stated.namespaces.begin(), stated.namespaces.end()},
               .namespace_selector = std::move(*namespaces)};
  if (stated.namespaces.empty() && !stated.namespaceSelector) {
    term.namespaces.insert(owner_namespace);
  }
  return term;
}

}  // namespace berth::scheduling
