// SPDX-License-Identifier: Apache-2.0

// Recorded decisions of admission: priorities, priority classes, label keys.
#include <stdexcept>

#include "api/codec.hpp"
#include "api/defaults.hpp"
#include "api/manifest/static_pod.hpp"
#include "api/validation/validate.hpp"
#include "scheduling/priority_admission.hpp"
#include "scheduling/priority_class_admission.hpp"
#include "tests/conformance/adapter.hpp"

namespace berth::conformance {

namespace {

namespace json = boost::json;

template <class T>
T read(const json::value& value) {
  Result<T> object = api::from_json<T>(value);
  if (!object) throw std::runtime_error(object.error().message);
  return std::move(*object);
}

api::PriorityClass read_class(const json::value& value) {
  auto object = read<api::PriorityClass>(value);
  api::apply_defaults(object);
  return object;
}

std::vector<api::PriorityClass> read_classes(const json::object& input) {
  std::vector<api::PriorityClass> classes;
  for (const json::value& value : input.at("priorityClasses").as_array()) {
    classes.push_back(read_class(value));
  }
  return classes;
}

json::object refused(const scheduling::AdmissionRefusal& refusal) {
  json::object out{{"allowed", false},
                   {"code", refusal.code},
                   {"reason", refusal.reason},
                   {"message", refusal.message}};
  if (refusal.causes.empty()) return out;
  json::array causes;
  for (const scheduling::AdmissionCause& cause : refusal.causes) {
    causes.push_back(
        json::object{{"reason", cause.reason}, {"message", cause.message}, {"field", cause.field}});
  }
  out["causes"] = causes;
  return out;
}

json::value run_priority_admission(const json::object& input) {
  const auto pod = read<api::Pod>(input.at("pod"));
  const auto resolved = scheduling::resolve_priority(pod, read_classes(input));
  if (!resolved) return refused(resolved.error());
  return json::object{{"allowed", true},
                      {"priority", resolved->priority},
                      {"priorityClassName", resolved->class_name},
                      {"preemptionPolicy", resolved->preemption_policy}};
}

json::value run_priority_class_admission(const json::object& input) {
  const api::PriorityClass now = read_class(input.at("newPriorityClass"));
  const std::vector<api::PriorityClass> existing = read_classes(input);
  const json::value* before = input.if_contains("oldPriorityClass");
  const auto refusal = before == nullptr ? scheduling::refuse_priority_class(now, existing)
                                         : scheduling::refuse_priority_class_update(
                                               now, read_class(*before), existing);
  if (refusal) return refused(*refusal);
  return json::object{{"allowed", true}};
}

json::value run_label_keys(const json::object& input) {
  const auto stated = read<api::Pod>(input.at("pod"));
  // As berthd turns a manifest into a pod, and then validates it.
  api::Pod pod = api::make_static_pod(stated, {.node_name = "node"}, api::ManifestRules::kBerth);
  const api::FieldErrors errors = api::validate_pod(pod);
  if (!errors.empty()) {
    std::vector<std::string> fields;
    for (const api::FieldError& error : errors) {
      fields.push_back(error.path + ": " + std::string(api::reason_of(error.type)));
    }
    return json::object{{"allowed", false}, {"invalidFields", json::value_from(fields)}};
  }
  json::object out{{"allowed", true}};
  const json::value stored = api::to_json(pod);
  const json::object& spec = stored.at("spec").as_object();
  for (const char* field : {"affinity", "topologySpreadConstraints"}) {
    if (const json::value* value = spec.if_contains(field)) out[field] = *value;
  }
  for (const api::PodCondition& condition : pod.status.conditions) {
    if (condition.reason == "SchedulingGated") out["schedulingGatedCondition"] = true;
  }
  return out;
}

}  // namespace

std::vector<Kind> scheduling_kinds() {
  return {{.name = "priority-admission", .run = run_priority_admission},
          {.name = "priorityclass-admission", .run = run_priority_class_admission},
          {.name = "label-keys", .run = run_label_keys}};
}

}  // namespace berth::conformance
