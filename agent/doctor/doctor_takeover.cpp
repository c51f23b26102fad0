// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_takeover.hpp"

#include <algorithm>
#include <map>
#include <variant>

#include <fmt/format.h>

#include "api/manifest/manifest.hpp"
#include "node/sandbox_config.hpp"

namespace berth::agent {
namespace {

// The document of a file that defines the pod; null if there is none.
const api::ManifestPod* document_of(const api::ManifestFile& file, const api::Pod& pod) {
  for (const auto& document : file.documents) {
    const auto* made = std::get_if<api::ManifestPod>(&document.object);
    if (made == nullptr) continue;
    const auto& meta = made->pod.metadata;
    if (meta.name == pod.metadata.name && meta.namespace_ == pod.metadata.namespace_) return made;
  }
  return nullptr;
}

// The kubelet's reason for refusing a file.
std::string refusal(const std::vector<api::ManifestProblem>& problems) {
  if (problems.empty()) return "it cannot be read";
  const auto& problem = problems.front().problem;
  return problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
}

bool finished(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

// Why a kubelet would not continue the pod; empty if it would.
std::string obstacle(const DesiredPod& desired, const std::string* content,
                     const api::ManifestOptions& kubelet) {
  const api::Pod& pod = *desired.pod;
  const std::string& file = desired.file;
  const char* ended = finished(pod) ? "would not be known to a kubelet" : "a kubelet would end it";
  if (content == nullptr) return fmt::format("{}: {} cannot be read now", ended, file);
  if (!api::is_manifest_name(file, api::ManifestRules::kKubelet))
    return fmt::format("{}: it does not read files named like {}", ended, file);
  const auto decoded = api::decode_manifest(file, *content, kubelet);
  if (!decoded) return fmt::format("{}: it refuses {}: {}", ended, file, refusal(decoded.error()));
  const api::ManifestPod* manifest = document_of(*decoded, pod);
  if (manifest == nullptr)
    return fmt::format("{}: of {} it reads the first document only; give the pod a file of its own",
                       ended, file);
  const bool keeps_uid = !manifest->stated.metadata.uid.empty() ||
                         pod.metadata.annotations.contains(node::kAnnotationAdopted);
  if (keeps_uid) return {};
  if (finished(pod))
    return fmt::format(
        "it has finished, and a kubelet would run it again: it gives the pod a uid "
        "of its own; a metadata.uid in {} prevents that",
        file);
  return fmt::format(
      "a kubelet would recreate it: it gives the pod a uid of its own; a "
      "metadata.uid in {} prevents that",
      file);
}

// A kubelet resolves no priority class for static pods; empty if that makes no difference.
std::string priority_difference(const DesiredPod& desired, const std::string* content,
                                const api::ManifestOptions& kubelet) {
  const api::PodSpec& spec = desired.pod->spec;
  const std::string name = spec.priorityClassName;
  if (content == nullptr || name.empty()) return {};
  const auto decoded = api::decode_manifest(desired.file, *content, kubelet);
  const api::ManifestPod* manifest = decoded ? document_of(*decoded, *desired.pod) : nullptr;
  if (manifest == nullptr) return {};
  const std::int32_t stated = manifest->stated.spec.priority.value_or(0);
  const std::int32_t resolved = spec.priority.value_or(0);
  if (stated == resolved) return {};
  return fmt::format(
      "its priority {} comes from priorityClassName {}, which a kubelet does not resolve: there it "
      "would have {}; a spec.priority in {} prevents that",
      resolved, name, stated, desired.file);
}

}  // namespace

std::vector<Finding> examine_takeover(const DoctorInput& input) {
  std::map<std::string, const std::string*> contents;
  for (const auto& [file, content] : input.texts) contents[file] = &content;
  const api::ManifestOptions kubelet{.node_name = input.settings.node_name,
                                     .rules = api::ManifestRules::kKubelet};
  std::vector<Finding> findings;
  for (const DesiredPod& desired : input.pods) {
    if (desired.file.empty()) continue;
    const auto found = contents.find(desired.file);
    const std::string* content = found == contents.end() ? nullptr : found->second;
    const auto& meta = desired.pod->metadata;
    for (std::string text :
         {obstacle(desired, content, kubelet), priority_difference(desired, content, kubelet)}) {
      if (text.empty()) continue;
      findings.push_back(
          Finding::note("takeover", meta.namespace_ + "/" + meta.name, std::move(text)));
    }
  }
  return findings;
}

}  // namespace berth::agent
