// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/placement_warnings.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "scheduling/explain/first_names.hpp"

namespace berth::scheduling {
namespace {

class Warnings {
 public:
  explicit Warnings(const Scheduler& scheduler)
      : cluster_(scheduler.cluster()), pod_(*scheduler.pod().object), incoming_(scheduler.pod()) {}

  void look_at_spread(const std::vector<SpreadTable>& tables) {
    for (const SpreadTable& table : tables) {
      const bool hard = table.when_unsatisfiable == "DoNotSchedule";
      missing_key(table.topology_key, table.field,
                  hard ? "they cannot take the pod and are not counted" : "they score 0 for it");
      if (table.selector == "<none>") {
        add("{}: without labelSelector it selects no pod and has no effect", table.field);
      } else if (table.selector == "<all>") {
        add("{}: an empty labelSelector counts no existing pod; select the pods to spread",
            table.field);
      } else if (!table.counts_itself && table.field != "default constraint") {
        add("{}: labelSelector {} does not select this pod, so it does not spread pods like this "
            "one",
            table.field, table.selector);
      }
      if (hard && table.domains.size() == 1) {
        add("{}: {}={} is the only domain, so there is nothing to spread over", table.field,
            table.topology_key, table.domains.front().value);
      }
    }
  }

  void look_at_affinity() {
    if (!pod_.spec.affinity) return;
    const auto& near = pod_.spec.affinity->podAffinity;
    const auto& away = pod_.spec.affinity->podAntiAffinity;
    if (near) look_at(*near, incoming_.terms->required_affinity, "podAffinity", true);
    if (away) look_at(*away, incoming_.terms->required_anti_affinity, "podAntiAffinity", false);
  }

  void look_at_what_is_not_decided_here() {
    for (const api::Volume& volume : pod_.spec.volumes) {
      if (!volume.persistentVolumeClaim && !volume.ephemeral) continue;
      add("volume {} is a claim: Kubernetes also checks where its volume is; this explanation does "
          "not",
          volume.name);
    }
    if (!pod_.spec.resourceClaims.empty()) {
      add("spec.resourceClaims: Kubernetes also checks devices; this explanation does not");
    }
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(warnings_); }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    warnings_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  template <class Terms>
  void look_at(const Terms& stated, const std::vector<AffinityTerm>& required, const char* name,
               bool near) {
    const auto& terms = stated.requiredDuringSchedulingIgnoredDuringExecution;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::string field = fmt::format("{}, required term {}", name, i + 1);
      missing_key(terms[i].topologyKey, field,
                  near ? "they cannot take the pod" : "the term does not apply to them");
      check_selector(terms[i], field);
      if (near && i < required.size()) check_namespaces(required[i], field);
    }
    const auto& preferred = stated.preferredDuringSchedulingIgnoredDuringExecution;
    for (std::size_t i = 0; i < preferred.size(); ++i) {
      const std::string field = fmt::format("{}, preferred term {}", name, i + 1);
      missing_key(preferred[i].podAffinityTerm.topologyKey, field, "they get no score from it");
      check_selector(preferred[i].podAffinityTerm, field);
    }
  }

  void check_selector(const api::PodAffinityTerm& term, const std::string& field) {
    if (!term.labelSelector) {
      add("{}: without labelSelector it selects no pod; {{}} selects all", field);
    }
  }

  // Listed namespaces without any pod.
  void check_namespaces(const AffinityTerm& term, const std::string& field) {
    for (const NameId name : term.namespaces) {
      if (name == incoming_.info.namespace_ || holds_pods(name)) continue;
      add("{}: namespace {} has no pods", field, cluster_.vocabulary().text_of(name));
    }
  }

  [[nodiscard]] bool holds_pods(NameId name) const {
    const auto& nodes = cluster_.node_order();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex node) {
      const auto& pods = cluster_.node(node).pods;
      return std::any_of(pods.begin(), pods.end(),
                         [&](const NodePod& pod) { return pod.namespace_ == name; });
    });
  }

  void missing_key(const std::string& key, const std::string& field, std::string_view effect) {
    FirstNames lacking;
    for (const NodeIndex index : cluster_.node_order()) {
      const NodeInfo& node = cluster_.node(index);
      if (!node.facts.labels.contains(key)) lacking.add(node.name);
    }
    if (lacking.empty()) return;
    const std::size_t number = lacking.number();
    const std::size_t all = cluster_.node_order().size();
    add("{}: {} of {} node{} lack{} label {} ({}): {}", field, number, all, all == 1 ? "" : "s",
        number == 1 ? "s" : "", key, lacking.text(), effect);
  }

  const Cluster& cluster_;
  const api::Pod& pod_;
  const IncomingPod& incoming_;
  std::vector<std::string> warnings_{};
};

}  // namespace

std::vector<std::string> placement_warnings(const Scheduler& scheduler,
                                            const std::vector<SpreadTable>& spread) {
  Warnings warnings(scheduler);
  warnings.look_at_spread(spread);
  warnings.look_at_affinity();
  warnings.look_at_what_is_not_decided_here();
  return warnings.take();
}

}  // namespace berth::scheduling
