// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/kubelets_pod.hpp"

#include <fmt/core.h>

#include "api/manifest/static_pod.hpp"
#include "cri/stop_signals.hpp"
#include "lifecycle/container_identity.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"

namespace berth::simulation {
namespace {

cri::StringMap labels_of(const std::string& name, const std::string& namespace_,
                         const std::string& uid) {
  return {
      {cri::kLabelPodName, name}, {cri::kLabelPodNamespace, namespace_}, {cri::kLabelPodUid, uid}};
}

}  // namespace

KubeletsPod kubelets_pod(const api::Pod& manifest, const std::string& uid) {
  const auto& namespace_ = manifest.metadata.namespace_;
  const auto name = fmt::format("{}-{}", manifest.metadata.name, kNodeName);
  KubeletsPod made;
  made.sandbox.metadata = {.name = name, .uid = uid, .namespace_ = namespace_};
  made.sandbox.log_directory = fmt::format("/var/log/pods/{}_{}_{}", namespace_, name, uid);
  made.sandbox.labels = labels_of(name, namespace_, uid);
  made.sandbox.annotations = {{std::string(api::kConfigSource), "file"},
                              {"kubernetes.io/config.hash", uid},
                              {std::string(api::kConfigSeen), "2027-01-15T07:00:00.000000000Z"}};
  made.sandbox.security_context.namespace_options.network =
      manifest.spec.hostNetwork ? cri::NamespaceMode::kNode : cri::NamespaceMode::kPod;
  for (const api::Container& spec : manifest.spec.containers) {
    cri::ContainerConfig config;
    config.metadata = {.name = spec.name, .attempt = 0};
    config.image = {.image = spec.image, .user_specified_image = spec.image};
    config.command = spec.command;
    config.labels = labels_of(name, namespace_, uid);
    config.labels[cri::kLabelContainerName] = spec.name;
    config.annotations = {
        {cri::kAnnotationHash, lifecycle::kubelet_container_hash_text(spec.name, spec.image)},
        {cri::kAnnotationRestartCount, "0"},
        {cri::kAnnotationTerminationMessagePath, spec.terminationMessagePath},
        {cri::kAnnotationTerminationMessagePolicy, spec.terminationMessagePolicy}};
    config.log_path = fmt::format("{}/0.log", spec.name);
    if (const auto signal = stop_signal_of(manifest.spec, spec.name))
      config.stop_signal = cri::signal_number(*signal);
    made.containers.push_back(std::move(config));
  }
  return made;
}

}  // namespace berth::simulation
