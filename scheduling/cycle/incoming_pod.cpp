// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/incoming_pod.hpp"

#include <algorithm>

#include "api/pod_resources.hpp"
#include "scheduling/predicates/key_text.hpp"

namespace berth::scheduling {
namespace {

void add_requirements(KeyText& key, const std::vector<api::NodeSelectorRequirement>& list) {
  for (const api::NodeSelectorRequirement& one : list) {
    key.add(one.key).add(one.operator_);
    for (const std::string& value : one.values) key.add(value);
    key.mark(';');
  }
  key.mark('|');
}

void add_term(KeyText& key, const api::NodeSelectorTerm& term) {
  add_requirements(key, term.matchExpressions);
  add_requirements(key, term.matchFields);
}

std::string tolerations_key(const api::PodSpec& spec) {
  KeyText key;
  for (const api::Toleration& toleration : spec.tolerations) {
    key.add(toleration.key).add(toleration.operator_).add(toleration.value).add(toleration.effect);
  }
  return key.text();
}

std::string affinity_key(const api::PodSpec& spec) {
  KeyText key;
  for (const auto& [name, value] : spec.nodeSelector) key.add(name).add(value);
  if (const api::NodeSelector* required = required_node_selector(spec.affinity)) {
    key.mark('&');
    for (const auto& term : required->nodeSelectorTerms) add_term(key, term);
  }
  return key.text();
}

std::string preferred_key(const api::PodSpec& spec) {
  KeyText key;
  for (const auto& term : preferred_node_terms(spec.affinity)) {
    key.add(term.weight);
    add_term(key, term.preference);
  }
  return key.text();
}

bool is_exempt(const std::string& name, const NodeResourcesFitArgs& args) {
  if (!is_extended_resource(name)) return false;
  const auto lists = [](const std::vector<std::string>& names, const std::string& one) {
    return std::find(names.begin(), names.end(), one) != names.end();
  };
  return lists(args.ignoredResources, name) ||
         lists(args.ignoredResourceGroups, name.substr(0, name.find('/')));
}

void compile_requests(IncomingPod& pod, const NodeResourcesFitArgs& args) {
  pod.requests = amounts_of(api::pod_requests(*pod.object));
  pod.filtered_requests = pod.requests;
  std::erase_if(pod.filtered_requests.scalars,
                [&](const ScalarAmount& scalar) { return is_exempt(scalar.name, args); });
  api::PodResourceOptions options{.skip_pod_level = true};
  options.missing_requests = default_container_requests();
  pod.scored_requests = amounts_of(api::pod_requests(*pod.object, options));
}

}  // namespace

std::string normalized_image(const std::string& image) {
  const auto colon = image.rfind(':');
  const auto slash = image.rfind('/');
  const bool tagged = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return tagged ? image : image + ":latest";
}

std::optional<std::vector<std::string>> narrowed_names(const api::Pod& pod) {
  const api::NodeSelector* required = required_node_selector(pod.spec.affinity);
  if (required == nullptr || required->nodeSelectorTerms.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const api::NodeSelectorTerm& term : required->nodeSelectorTerms) {
    std::optional<std::vector<std::string>> of_term;
    for (const api::NodeSelectorRequirement& field : term.matchFields) {
      if (field.key != "metadata.name" || field.operator_ != "In") continue;
      if (!of_term) {
        of_term = field.values;
        continue;
      }
      std::erase_if(*of_term, [&](const std::string& name) {
        return std::find(field.values.begin(), field.values.end(), name) == field.values.end();
      });
    }
    if (!of_term) return std::nullopt;
    names.insert(names.end(), of_term->begin(), of_term->end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

IncomingPod compile_incoming(const api::Pod& object, const Profile& profile, Cluster& cluster) {
  IncomingPod pod;
  pod.object = &object;
  CompiledPod compiled = cluster.compile(object);
  pod.info = std::move(compiled.info);
  pod.terms = &cluster.affinity_terms(pod.info.terms);
  pod.terms_problem = std::move(compiled.affinity_problem);
  compile_requests(pod, profile.fit);
  const api::PodSpec& spec = object.spec;
  pod.required_affinity = RequiredNodeAffinity(spec);
  pod.preferred_affinity = PreferredNodeTerms::parse(preferred_node_terms(spec.affinity));
  pod.spread = compile_spread(object, pod.info.labels, profile.topology_spread, cluster);
  for (const auto* containers : {&spec.initContainers, &spec.containers}) {
    for (const api::Container& container : *containers) {
      pod.images.push_back(cluster.vocabulary().name(normalized_image(container.image)));
    }
  }
  pod.tolerations_key = tolerations_key(spec);
  pod.affinity_key = affinity_key(spec);
  pod.preferred_key = preferred_key(spec);
  return pod;
}

}  // namespace berth::scheduling
