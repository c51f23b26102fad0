// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/doctor_takeover.hpp"

#include <algorithm>
#include <expected>
#include <map>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "api/manifest/manifest.hpp"
#include "node/sandbox_config.hpp"

namespace berth::agent {
namespace {

// What a kubelet makes of a file.
using KubeletsFile = std::expected<api::ManifestFile, std::vector<api::ManifestProblem>>;

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

// Why a kubelet would not continue the pod; empty if it would. `decoded`: its file, unset if it
// could not be read.
std::string obstacle(const DesiredPod& desired, const std::optional<KubeletsFile>& decoded) {
  const api::Pod& pod = *desired.pod;
  const std::string& file = desired.file;
  const char* ended = finished(pod) ? "would not be known to a kubelet" : "a kubelet would end it";
  if (!decoded) return fmt::format("{}: {} cannot be read now", ended, file);
  if (!api::is_manifest_name(file, api::ManifestRules::kKubelet))
    return fmt::format("{}: it does not read files named like {}", ended, file);
  if (!*decoded)
    return fmt::format("{}: it refuses {}: {}", ended, file, refusal(decoded->error()));
  const api::ManifestPod* manifest = document_of(**decoded, pod);
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
std::string priority_difference(const DesiredPod& desired,
                                const std::optional<KubeletsFile>& decoded) {
  const api::PodSpec& spec = desired.pod->spec;
  const std::string name = spec.priorityClassName;
  if (!decoded || !*decoded || name.empty()) return {};
  const api::ManifestPod* manifest = document_of(**decoded, *desired.pod);
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
  const api::ManifestOptions kubelet{.node_name = input.settings.node_name,
                                     .rules = api::ManifestRules::kKubelet};
  // Many pods may share a file, and a large one takes seconds: each is decoded once, one at a time.
  std::map<std::string, std::vector<std::size_t>> pods_of;
  for (std::size_t i = 0; i < input.pods.size(); ++i)
    if (!input.pods[i].file.empty()) pods_of[input.pods[i].file].push_back(i);
  std::vector<std::vector<std::string>> texts(input.pods.size());
  for (const auto& [file, pods] : pods_of) {
    std::optional<KubeletsFile> decoded;
    const auto text = std::ranges::find(input.texts, file, &ManifestText::file);
    if (text != input.texts.end()) decoded = api::decode_manifest(file, text->content, kubelet);
    for (const std::size_t pod : pods)
      texts[pod] = {obstacle(input.pods[pod], decoded),
                    priority_difference(input.pods[pod], decoded)};
  }
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < input.pods.size(); ++i) {
    const auto& meta = input.pods[i].pod->metadata;
    for (std::string& text : texts[i]) {
      if (text.empty()) continue;
      findings.push_back(
          Finding::note("takeover", meta.namespace_ + "/" + meta.name, std::move(text)));
    }
  }
  return findings;
}

}  // namespace berth::agent
