#include "tests/conformance/scheduling_input.hpp"

#include <string_view>

#include "api/namespace.hpp"

namespace berth::conformance {

namespace {

namespace json = boost::json;
using scheduling::Plugin;
using scheduling::PluginSet;
using scheduling::Profile;

template <class Visit>
void for_each(const json::object& input, std::string_view key, Visit&& visit) {
  const json::value* list = input.if_contains(key);
  if (list == nullptr || list->is_null()) return;
  for (const json::value& value : list->as_array()) visit(value.as_object());
}

std::string text_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

scheduling::Labels pairs_of(const json::value* value) {
  scheduling::Labels pairs;
  if (value == nullptr || value->is_null()) return pairs;
  for (const auto& [key, one] : value->as_object()) {
    pairs.emplace(std::string(key), std::string(one.as_string()));
  }
  return pairs;
}

void read_services(const json::object& input, scheduling::SelectorSources& sources) {
  for_each(input, "services", [&](const json::object& service) {
    const json::object& metadata = service.at("metadata").as_object();
    const json::value* spec = service.if_contains("spec");
    const json::value* selector =
        spec == nullptr ? nullptr : spec->as_object().if_contains("selector");
    sources.set_service(text_at(metadata, "namespace"), text_at(metadata, "name"),
                        pairs_of(selector));
  });
}

api::LabelSelector read_selector(const json::value& value) {
  api::PodAffinityTerm term;
  const json::object& object = value.as_object();
  api::LabelSelector selector;
  selector.matchLabels = pairs_of(object.if_contains("matchLabels"));
  for_each(object, "matchExpressions", [&](const json::object& expression) {
    api::LabelSelectorRequirement requirement{.key = text_at(expression, "key"),
                                              .operator_ = text_at(expression, "operator")};
    if (const json::value* values = expression.if_contains("values")) {
      requirement.values = json::value_to<std::vector<std::string>>(*values);
    }
    selector.matchExpressions.push_back(std::move(requirement));
  });
  return selector;
}

void read_controllers(const json::object& input, scheduling::SelectorSources& sources) {
  struct Source {
    const char* list;
    const char* apiVersion;
    const char* kind;
  };
  for (const Source& source : {Source{"replicationControllers", "v1", "ReplicationController"},
                               Source{"replicaSets", "apps/v1", "ReplicaSet"},
                               Source{"statefulSets", "apps/v1", "StatefulSet"}}) {
    for_each(input, source.list, [&](const json::object& object) {
      const json::object& metadata = object.at("metadata").as_object();
      scheduling::Controller controller{.apiVersion = source.apiVersion,
                                        .kind = source.kind,
                                        .namespace_ = text_at(metadata, "namespace"),
                                        .name = text_at(metadata, "name")};
      const json::value* spec = object.if_contains("spec");
      const json::value* stated =
          spec == nullptr ? nullptr : spec->as_object().if_contains("selector");
      // A ReplicationController's selector is pairs, the others' a label selector.
      if (std::string_view(source.kind) == "ReplicationController") {
        controller.selector = scheduling::LabelSelector::of_pairs(pairs_of(stated));
      } else if (stated != nullptr) {
        controller.selector = scheduling::LabelSelector::compile(read_selector(*stated)).value();
      }
      sources.set_controller(std::move(controller));
    });
  }
}

void read_plugin_set(const json::object& plugins, const char* point, PluginSet& set,
                     Profile* weights) {
  const json::value* stated = plugins.if_contains(point);
  if (stated == nullptr) return;
  const json::object& object = stated->as_object();
  for_each(object, "disabled", [&](const json::object& one) {
    const std::string name = text_at(one, "name");
    if (name == "*") set = {};
    if (const auto plugin = scheduling::plugin_named(name)) set.erase(*plugin);
  });
  for_each(object, "enabled", [&](const json::object& one) {
    const auto plugin = scheduling::plugin_named(text_at(one, "name"));
    if (!plugin) return;
    set.insert(*plugin);
    const json::value* weight = one.if_contains("weight");
    if (weights != nullptr && weight != nullptr) {
      weights->weights[static_cast<std::size_t>(*plugin)] = weight->to_number<std::int64_t>();
    }
  });
}

std::vector<scheduling::ResourceSpec> read_resources(const json::object& object) {
  std::vector<scheduling::ResourceSpec> resources;
  for_each(object, "resources", [&](const json::object& one) {
    const json::value* weight = one.if_contains("weight");
    resources.push_back({.name = text_at(one, "name"),
                         .weight = weight == nullptr ? 1 : weight->to_number<std::int64_t>()});
  });
  return resources.empty() ? scheduling::cpu_and_memory() : resources;
}

std::vector<std::string> read_names(const json::object& object, const char* key) {
  const json::value* names = object.if_contains(key);
  if (names == nullptr) return {};
  return json::value_to<std::vector<std::string>>(*names);
}

void read_fit(const json::object& args, scheduling::NodeResourcesFitArgs& fit) {
  fit.ignoredResources = read_names(args, "ignoredResources");
  fit.ignoredResourceGroups = read_names(args, "ignoredResourceGroups");
  const json::value* stated = args.if_contains("scoringStrategy");
  if (stated == nullptr) return;
  const json::object& strategy = stated->as_object();
  using scheduling::ScoringStrategyType;
  const std::string type = text_at(strategy, "type");
  auto& out = fit.scoringStrategy;
  if (type == "MostAllocated") out.type = ScoringStrategyType::kMostAllocated;
  if (type == "RequestedToCapacityRatio") {
    out.type = ScoringStrategyType::kRequestedToCapacityRatio;
    for_each(
        strategy.at("requestedToCapacityRatio").as_object(), "shape",
        [&](const json::object& point) {
          const auto number = [&](const char* key) {
            const json::value* value = point.if_contains(key);
            return value == nullptr ? 0 : value->to_number<std::int32_t>();
          };
          out.shape.push_back({.utilization = number("utilization"), .score = number("score")});
        });
  }
  out.resources = read_resources(strategy);
}

void read_spread(const json::object& args, scheduling::PodTopologySpreadArgs& spread) {
  if (text_at(args, "defaultingType") == "List") {
    spread.defaultingType = scheduling::DefaultingType::kList;
  }
  // Constraints are read as those of a pod are.
  const json::value* constraints = args.if_contains("defaultConstraints");
  if (constraints == nullptr) return;
  json::object spec{{"topologySpreadConstraints", *constraints}};
  spread.defaultConstraints =
      read_object<api::Pod>(json::object{{"spec", std::move(spec)}}).spec.topologySpreadConstraints;
}

void read_arguments(const std::string& plugin, const json::object& args, Profile& profile) {
  if (plugin == "NodeResourcesFit") read_fit(args, profile.fit);
  if (plugin == "PodTopologySpread") read_spread(args, profile.topology_spread);
  if (plugin == "NodeResourcesBalancedAllocation") {
    profile.balanced_allocation.resources = read_resources(args);
  }
  if (plugin == "NodeAffinity") {
    if (const json::value* added = args.if_contains("addedAffinity")) {
      json::object affinity{{"nodeAffinity", *added}};
      json::object spec{{"affinity", std::move(affinity)}};
      profile.node_affinity.addedAffinity =
          read_object<api::Pod>(json::object{{"spec", std::move(spec)}})
              .spec.affinity->nodeAffinity;
    }
  }
  if (plugin == "InterPodAffinity") {
    auto& out = profile.inter_pod_affinity;
    if (const json::value* weight = args.if_contains("hardPodAffinityWeight")) {
      out.hardPodAffinityWeight = weight->to_number<std::int32_t>();
    }
    if (const json::value* ignore = args.if_contains("ignorePreferredTermsOfExistingPods")) {
      out.ignorePreferredTermsOfExistingPods = ignore->as_bool();
    }
  }
}

}  // namespace

void read_cluster(const json::object& input, scheduling::Cluster& cluster) {
  for_each(input, "namespaces", [&](const json::object& object) {
    cluster.set_namespace(read_object<api::Namespace>(object));
  });
  for_each(input, "nodes",
           [&](const json::object& object) { cluster.set_node(read_object<api::Node>(object)); });
  for_each(input, "pods", [&](const json::object& object) {
    const auto pod = read_object<api::Pod>(object);
    cluster.add_pod(cluster.compile(pod).info, pod.spec.nodeName);
  });
  for_each(input, "nominatedPods", [&](const json::object& object) {
    const auto pod = read_object<api::Pod>(object);
    cluster.nominate(cluster.compile(pod).info, pod.status.nominatedNodeName);
  });
  read_services(input, cluster.selector_sources());
  read_controllers(input, cluster.selector_sources());
}

Profile read_profile(const json::object& input) {
  Profile profile;
  const json::value* stated = input.if_contains("profile");
  if (stated == nullptr) return profile;
  const json::object& object = stated->as_object();
  if (const json::value* percentage = object.if_contains("percentageOfNodesToScore")) {
    profile.percentageOfNodesToScore = percentage->to_number<std::int32_t>();
  }
  if (const json::value* plugins = object.if_contains("plugins")) {
    const json::object& points = plugins->as_object();
    read_plugin_set(points, "preFilter", profile.pre_filters, nullptr);
    read_plugin_set(points, "filter", profile.filters, nullptr);
    read_plugin_set(points, "preScore", profile.pre_scores, nullptr);
    read_plugin_set(points, "score", profile.scores, &profile);
  }
  for_each(object, "pluginConfig", [&](const json::object& config) {
    read_arguments(text_at(config, "name"), config.at("args").as_object(), profile);
  });
  return profile;
}

}  // namespace berth::conformance
