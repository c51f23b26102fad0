// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/pod_question.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "api/defaults.hpp"
#include "api/label_keys.hpp"
#include "api/manifest/manifest_place.hpp"
#include "api/validation/validate.hpp"
#include "scheduling/explain/first_names.hpp"
#include "scheduling/priority_admission.hpp"

namespace berth::scheduling {
namespace {

using api::FieldError;
using api::FieldErrorType;

std::string path_in_file(const StatedPod& stated, const std::string& path) {
  std::string text;
  if (stated.place.item) text = "items[" + std::to_string(*stated.place.item) + "].";
  return text + stated.field + (stated.field.empty() ? "" : ".") + path;
}

InputProblem problem_at(const StatedPod& stated, const std::string& path, std::string message,
                        std::string way_out) {
  const api::Place place = api::place_of(stated.tree, path);
  InputProblem problem{.file = stated.file,
                       .document = stated.place.document,
                       .problem = {.path = path_in_file(stated, path),
                                   .line = place.line,
                                   .column = place.column,
                                   .message = std::move(message)},
                       .way_out = std::move(way_out)};
  stated.place.to_file(problem.problem);
  return problem;
}

constexpr std::size_t kPodsNamed = 5;

std::string kinds_of(const ReadObjects& read) {
  std::string text;
  for (const auto& [kind, number] : read.passed_over) text += (text.empty() ? "" : ", ") + kind;
  return text;
}

const api::Pod& pod_of(const StatedPod& stated) {
  return stated.pod;
}
const api::Pod& pod_of(const api::Pod& pod) {
  return pod;
}

// The pod with that name, which may include the namespace. The error lists the pods that exist.
template <class Pods>
std::expected<const typename Pods::value_type*, std::string> meant(const Pods& pods,
                                                                   const PodChoice& choice) {
  FirstNames names(kPodsNamed);
  for (const auto& one : pods) names.add(pod_of(one).metadata.name);
  if (choice.name.empty() && pods.size() == 1) return &pods.front();
  if (choice.name.empty())
    return std::unexpected("contains several pods; name one of " + names.text());
  for (const auto& one : pods) {
    const api::ObjectMeta& meta = pod_of(one).metadata;
    const std::string& space = meta.namespace_.empty() ? choice.namespace_ : meta.namespace_;
    const bool named = meta.name == choice.name && space == choice.namespace_;
    if (named || space + "/" + meta.name == choice.name) return &one;
  }
  return std::unexpected("no pod \"" + choice.name + "\" in namespace " + choice.namespace_ +
                         (names.empty() ? "" : ", but " + names.text()));
}

std::expected<StatedPod, std::string> find(const ReadObjects& read, const PodChoice& choice) {
  if (choice.among == PodAmong::kObjects) {
    const auto found = meant(read.objects.pods, choice);
    if (!found) return std::unexpected(found.error());
    return StatedPod{.pod = **found, .file = choice.file, .exists = true};
  }
  if (read.stated.empty()) {
    const std::string kinds = kinds_of(read);
    return std::unexpected(kinds.empty()
                               ? "contains no Pod"
                               : "contains no Pod, but " + kinds +
                                     "; give one of its pods: kubectl get pod NAME -o yaml");
  }
  const auto found = meant(read.stated, choice);
  if (!found) return std::unexpected(found.error());
  return **found;
}

// Generates the name as the API server would.
void name_it(api::Pod& pod) {
  api::ObjectMeta& meta = pod.metadata;
  if (meta.name.empty() && !meta.generateName.empty()) meta.name = meta.generateName + "x";
}

void check_priority(const StatedPod& stated, const ReadObjects& read, PodQuestion& question,
                    std::vector<InputProblem>& problems) {
  api::Pod& pod = question.pod;
  if (pod.spec.priority && stated.exists) return;
  const auto classes = with_built_in(read.objects.priority_classes);
  if (const auto resolved = resolve_priority(pod, classes)) {
    apply_priority(pod, *resolved);
    if (!resolved->class_name.empty()) {
      question.notes.push_back("priority " + std::to_string(resolved->priority) + ": " +
                               resolved->why);
    }
    return;
  } else {
    const bool unknown = resolved.error().field == "spec.priorityClassName";
    problems.push_back(
        problem_at(stated, resolved.error().field, resolved.error().message,
                   unknown ? "add the class to the files: kubectl get priorityclasses -o yaml"
                           : "remove the field; the class decides"));
  }
}

void free_from_its_node(const StatedPod& stated, PodQuestion& question) {
  api::Pod& pod = question.pod;
  if (pod.spec.nodeName.empty()) return;
  if (stated.exists) {
    question.notes.push_back("the pod is on node " + pod.spec.nodeName +
                             "; explained as if it had no node yet");
    pod.spec.nodeName.clear();
    pod.status = {};
  } else {
    question.notes.push_back(
        "spec.nodeName names " + pod.spec.nodeName +
        ": such a pod bypasses the scheduler, its node alone admits or rejects it");
  }
}

}  // namespace

std::string way_out_of(const FieldError& error) {
  const std::string_view path = error.path;
  const auto ends = [&](std::string_view end) { return path.ends_with(end); };
  const auto holds = [&](std::string_view part) { return path.find(part) != path.npos; };
  const bool spread = holds("topologySpreadConstraints[");
  if (ends("matchLabelKeys") && error.type == FieldErrorType::kForbidden) {
    return "add labelSelector: {}, which the keys then narrow";
  }
  if (spread && ends("whenUnsatisfiable") && error.value == "\"\"") {
    return "there is no default; DoNotSchedule is usual, ScheduleAnyway is only a preference";
  }
  if (spread && ends("maxSkew")) return "there is no default; 1 is usual";
  if (spread && ends("minDomains") && error.type == FieldErrorType::kInvalid) {
    return "remove minDomains, or set whenUnsatisfiable: DoNotSchedule";
  }
  if (spread && ends("{topologyKey, whenUnsatisfiable}")) {
    return "merge the two constraints; the smaller maxSkew is the stricter one";
  }
  if (ends("topologyKey")) {
    return "for example kubernetes.io/hostname or topology.kubernetes.io/zone";
  }
  if (holds("odAffinity") && ends("operator")) {
    return "use In, NotIn, Exists or DoesNotExist; Gt and Lt work for node affinity only";
  }
  return {};
}

std::expected<PodQuestion, std::vector<InputProblem>> ask_about(const ReadObjects& read,
                                                                const PodChoice& choice) {
  const auto found = find(read, choice);
  if (!found) {
    return std::unexpected(
        std::vector{InputProblem{.file = choice.file, .problem = {.message = found.error()}}});
  }
  const StatedPod& stated = *found;
  PodQuestion question{.pod = stated.pod};
  api::Pod& pod = question.pod;
  if (pod.metadata.namespace_.empty()) pod.metadata.namespace_ = choice.namespace_;
  name_it(pod);
  if (!stated.field.empty()) {
    question.notes.push_back("this is the next pod of " + pod.metadata.ownerReferences[0].kind +
                             " " + pod.metadata.name);
  }
  std::vector<InputProblem> problems;
  if (!stated.exists) {
    api::prepare_new_pod(pod);
    for (const FieldError& error : api::validate_pod(pod)) {
      problems.push_back(problem_at(stated, error.path, error.message(), way_out_of(error)));
    }
  }
  check_priority(stated, read, question, problems);
  free_from_its_node(stated, question);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return question;
}

}  // namespace berth::scheduling
