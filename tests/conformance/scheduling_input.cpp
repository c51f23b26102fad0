// SPDX-License-Identifier: Apache-2.0

#include "tests/conformance/scheduling_input.hpp"

#include <string_view>

#include "api/namespace.hpp"
#include "scheduling/configuration/read_configuration.hpp"

namespace berth::conformance {

namespace {

namespace json = boost::json;
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
        controller.selector = pairs_of(stated);
      } else {
        controller.selector = stated == nullptr ? std::optional<api::LabelSelector>()
                                                : read_object<api::LabelSelector>(*stated);
      }
      sources.set_controller(controller);
    });
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
  const json::value* stated = input.if_contains("profile");
  if (stated == nullptr) return {};
  const json::object document{{"apiVersion", "kubescheduler.config.k8s.io/v1"},
                              {"kind", "KubeSchedulerConfiguration"},
                              {"profiles", json::array{*stated}}};
  auto settings = scheduling::read_scheduler_configuration(json::serialize(document));
  if (!settings) throw std::runtime_error(api::to_string(settings.error().front()));
  return std::move(settings->profiles.front());
}

}  // namespace berth::conformance
