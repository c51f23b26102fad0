// SPDX-License-Identifier: Apache-2.0

// Recorded decisions about objects: manifest files and folders, a pod's requests.
#include <algorithm>
#include <stdexcept>

#include "agent/sources/blocking_update.hpp"
#include "agent/sources/manifest_folder.hpp"
#include "api/codec.hpp"
#include "api/manifest/manifest.hpp"
#include "api/pod_resources.hpp"
#include "tests/conformance/adapter.hpp"

namespace berth::conformance {

namespace {

namespace json = boost::json;

std::string text(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

// The recordings were made with the kubelet's rules.
api::ManifestOptions kubelet_options(const json::object& input) {
  return api::ManifestOptions{.node_name = text(input, "nodeName"),
                              .rules = api::ManifestRules::kKubelet};
}

const api::ManifestPod& pod_of(const api::ManifestFile& file) {
  return std::get<api::ManifestPod>(file.documents.at(0).object);
}

json::value run_manifest_decode(const json::object& input) {
  const auto file =
      api::decode_manifest("pod.yaml", text(input, "content"), kubelet_options(input));
  if (!file) {
    std::string message;
    for (const api::ManifestProblem& problem : file.error()) message += to_string(problem) + "\n";
    return json::object{{"error", true}, {"uidGenerated", false}, {"message", message}};
  }
  const api::ManifestPod& manifest = pod_of(*file);
  api::Pod pod = manifest.pod;
  json::object out{{"error", false}};
  const auto hash = pod.metadata.annotations.extract(std::string(api::kConfigHash));
  if (hash.empty() || hash.mapped() != pod.metadata.uid || pod.metadata.uid.empty()) {
    throw std::runtime_error("uid and hash annotation differ");
  }
  const bool generated = manifest.stated.metadata.uid.empty();
  out["uidGenerated"] = generated;
  if (generated) {
    pod.metadata.uid.clear();
  } else {
    pod.metadata.annotations.emplace(api::kConfigHash, pod.metadata.uid);
  }
  // Objects are recorded without their kinds.
  pod.kind.clear();
  pod.apiVersion.clear();
  out["pod"] = api::to_json(pod);
  return out;
}

// Reads through the folder's own state, as berthd does.
json::value run_manifest_dir(const json::object& input) {
  agent::FolderContent content{.path = "manifests", .exists = true};
  for (const json::value& value : input.at("files").as_array()) {
    const json::object& file = value.as_object();
    const json::value* directory = file.if_contains("isDirectory");
    if (directory != nullptr && directory->as_bool()) {
      content.others.push_back(text(file, "name"));
    } else {
      content.files.push_back({.name = text(file, "name"), .content = text(file, "content")});
    }
  }
  agent::ManifestFolder folder(kubelet_options(input));
  const auto outcome = agent::update_blocking(folder, std::move(content), WallTime{});
  json::array pods;
  json::array files;
  for (const agent::PodPtr& pod : outcome.desired) {
    const api::ObjectMeta& meta = pod->metadata;
    pods.push_back(json::object{{"namespace", meta.namespace_}, {"name", meta.name}});
    files.push_back(json::string(folder.file_of(meta.uid)));
  }
  return json::object{{"pods", pods}, {"acceptedFiles", files}};
}

json::value amounts(const api::ResourceList& list) {
  json::object out;
  for (const auto& [name, amount] : list) out[name] = amount.to_string();
  return out;
}

json::value run_pod_resources(const json::object& input) {
  const Result<api::Pod> read = api::from_json<api::Pod>(input.at("pod"));
  if (!read) throw std::runtime_error(read.error().message);
  const api::Pod& pod = *read;
  return json::object{
      {"requests", amounts(api::pod_requests(pod))},
      {"limits", amounts(api::pod_limits(pod))},
      {"requestsNoPodLevel", amounts(api::pod_requests(pod, {.skip_pod_level = true}))},
      {"requestsNoOverhead", amounts(api::pod_requests(pod, {.exclude_overhead = true}))},
      {"limitsNoOverhead", amounts(api::pod_limits(pod, {.exclude_overhead = true}))},
      {"requestsUseStatus", amounts(api::pod_requests(pod, {.use_status = true}))},
      {"limitsUseStatus", amounts(api::pod_limits(pod, {.use_status = true}))},
      {"cpuRequestMilli", api::ranked_request(pod, "cpu").milli_value()},
      {"memoryRequestBytes", api::ranked_request(pod, "memory").value()},
      {"ephemeralStorageRequestBytes", api::ranked_request(pod, "ephemeral-storage").value()}};
}

// Quantities compare by value, however they are written.
std::optional<std::string> compare_amounts(const json::value& expected, const json::value& actual) {
  const auto plain = [](const json::value& value) {
    json::object out = value.as_object();
    for (auto& member : out) {
      if (!member.value().is_object()) continue;
      for (auto& amount : member.value().as_object()) {
        const auto parsed = api::Quantity::parse(std::string(amount.value().as_string()));
        if (!parsed) throw std::runtime_error(parsed.error().message);
        // The same notation for all.
        amount.value() =
            (api::Quantity::from_int(1) + *parsed - api::Quantity::from_int(1)).to_string();
      }
    }
    return out;
  };
  return compare_values(plain(expected), plain(actual));
}

}  // namespace

std::vector<Kind> api_kinds() {
  return {{.name = "manifest_decode", .run = run_manifest_decode},
          {.name = "manifest_dir", .run = run_manifest_dir},
          {.name = "pod_resources", .run = run_pod_resources, .compare = compare_amounts}};
}

}  // namespace berth::conformance
