// SPDX-License-Identifier: Apache-2.0

#include "node/container/container_config.hpp"

#include <climits>

#include <fmt/format.h>

#include "api/brief_text.hpp"
#include "api/codec.hpp"
#include "cri/stop_signals.hpp"
#include "node/container/container_resources.hpp"
#include "node/container/security_context.hpp"
#include "node/pod_paths.hpp"

namespace berth::node {
namespace {

cri::StringMap container_labels(const api::Pod& pod, const api::Container& container) {
  return {{cri::kLabelPodName, pod.metadata.name},
          {cri::kLabelPodNamespace, pod.metadata.namespace_},
          {cri::kLabelPodUid, pod.metadata.uid},
          {cri::kLabelContainerName, container.name}};
}

cri::StringMap container_annotations(const api::Pod& pod, const api::Container& container,
                                     const ContainerRequest& request) {
  cri::StringMap annotations{
      {cri::kAnnotationHash, request.hash},
      {cri::kAnnotationRestartCount, std::to_string(request.restart_count)},
      {cri::kAnnotationTerminationMessagePath, container.terminationMessagePath},
      {cri::kAnnotationTerminationMessagePolicy, container.terminationMessagePolicy},
      {kAnnotationSpecImage, container.image},
  };
  if (pod.metadata.deletionGracePeriodSeconds) {
    annotations[cri::kAnnotationPodDeletionGracePeriod] =
        std::to_string(*pod.metadata.deletionGracePeriodSeconds);
  }
  if (pod.spec.terminationGracePeriodSeconds) {
    annotations[cri::kAnnotationPodTerminationGracePeriod] =
        std::to_string(*pod.spec.terminationGracePeriodSeconds);
  }
  if (container.lifecycle && container.lifecycle->preStop) {
    annotations[cri::kAnnotationPreStopHandler] = api::to_json_text(*container.lifecycle->preStop);
  }
  if (!container.ports.empty()) {
    annotations[cri::kAnnotationPorts] = api::to_json_text(container.ports);
  }
  return annotations;
}

Result<Variables> environment_of(const NodeView& node, const api::Pod& pod,
                                 const api::Container& container, EnvironmentSources sources) {
  if (sources.allocatable.empty()) sources.allocatable = node.allocatable;
  if (sources.host_ips.empty()) sources.host_ips = node.host_ips;
  return container_environment(pod, container, sources);
}

// A runtime that does not know the field uses the image's signal, or TERM.
std::int32_t stop_signal(const NodeConfig& config, const api::Container& container) {
  if (!config.container_stop_signals) return 0;
  if (!container.lifecycle || !container.lifecycle->stopSignal) return 0;
  return cri::signal_number(*container.lifecycle->stopSignal);
}

// In the kubelet's words.
Result<std::string> checked_sub_path(const std::string& path) {
  if (path.starts_with('/')) {
    return fail(ErrorCode::kInvalid,
                fmt::format("error SubPath `{}` must not be an absolute path", path));
  }
  if (path == ".." || path.starts_with("../") || path.ends_with("/..") ||
      path.find("/../") != std::string::npos) {
    return fail(ErrorCode::kInvalid,
                fmt::format("unable to provision SubPath `{}`: must not contain '..'", path));
  }
  // Expanded, each of thousands of mounts could have the longest string there is.
  if (path.size() >= PATH_MAX) {
    return fail(ErrorCode::kInvalid,
                fmt::format("unable to provision SubPath `{}`: it is longer than the {} bytes of a "
                            "path",
                            api::brief(path), PATH_MAX - 1));
  }
  return path;
}

Result<std::vector<std::string>> expanded(const char* field, const std::vector<std::string>& words,
                                          const Variables& variables) {
  auto done = expand_command(words, variables);
  if (!done) return fail(wrap(field, std::move(done.error())));
  return done;
}

}  // namespace

Result<SubPaths> wanted_sub_paths(const NodeView& node, const api::Pod& pod,
                                  const api::Container& container,
                                  const EnvironmentSources& sources) {
  SubPaths wanted;
  std::optional<Variables> variables;
  for (std::size_t i = 0; i < container.volumeMounts.size(); ++i) {
    const auto& mount = container.volumeMounts[i];
    Result<std::string> path = mount.subPath;
    if (!mount.subPathExpr.empty()) {
      if (!variables) {
        auto environment = environment_of(node, pod, container, sources);
        if (!environment) return fail(environment.error());
        variables = std::move(*environment);
      }
      path = expand_sub_path(mount.subPathExpr, *variables);
    } else if (mount.subPath.empty()) {
      continue;
    }
    if (path) path = checked_sub_path(*path);
    if (!path) return fail(path.error());
    wanted[i] = std::move(*path);
  }
  return wanted;
}

Result<cri::ContainerConfig> container_config(const NodeView& node, const api::Pod& pod,
                                              const api::Container& container,
                                              const ContainerRequest& request) {
  auto environment = environment_of(node, pod, container, request.sources);
  if (!environment) return fail(environment.error());
  auto mounts = container_mounts(node, pod, container, request);
  if (!mounts) return fail(mounts.error());
  auto security = container_security_context(node, pod, container, request.image);
  if (!security) return fail(security.error());

  auto command = expanded("command", container.command, *environment);
  if (!command) return fail(command.error());
  auto args = expanded("args", container.args, *environment);
  if (!args) return fail(args.error());

  cri::ContainerConfig config{
      .metadata = {.name = container.name, .attempt = request.restart_count},
      .image = {.image = request.image_ref, .user_specified_image = container.image},
      .command = std::move(*command),
      .args = std::move(*args),
      .working_dir = container.workingDir,
      .mounts = std::move(*mounts),
      .labels = container_labels(pod, container),
      .annotations = container_annotations(pod, container, request),
      .log_path = container_log_path(container.name, request.restart_count),
      .stdin_open = container.stdin,
      .stdin_once = container.stdinOnce,
      .tty = container.tty,
      .resources = container_resources(node.config, node.facts, pod, container),
      .security_context = std::move(*security),
      .stop_signal = stop_signal(node.config, container),
  };
  for (auto& [name, value] : *environment) {
    config.envs.push_back({.key = name, .value = std::move(value)});
  }
  return config;
}

}  // namespace berth::node
