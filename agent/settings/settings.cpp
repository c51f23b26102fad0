// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/settings.hpp"

#include <algorithm>

#include "agent/settings/settings_check.hpp"
#include "agent/shutdown/shutdown_settings.hpp"
#include "api/validation/validate_grammar.hpp"
#include "node/node_object.hpp"

namespace berth::agent {

const char* const kDefaultConfigFile = BERTH_CONFIG_DIR "/config.yaml";

std::string ConfigProblem::to_string() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (column > 0) text += ":" + std::to_string(column);
  if (!path.empty()) text += (text.empty() ? "" : ": ") + path;
  return text + (text.empty() ? "" : ": ") + message;
}

namespace {

void resolve_eviction_settings(const ConfigDocuments& documents, SettingsCheck& check,
                               Settings& settings) {
  auto resolved = resolve_eviction(documents.kubelet, documents.berth,
                                   settings.static_pods_are_critical, settings.images.high_percent);
  resolved.settings.recreate = settings.eviction.recreate;
  settings.eviction = std::move(resolved.settings);
  for (auto& problem : resolved.problems) check.refuse(problem.field, std::move(problem.message));
  for (auto& warning : resolved.warnings) settings.warnings.push_back(std::move(warning));
}

void resolve_shutdown_settings(const ConfigDocuments& documents, SettingsCheck& check,
                               Settings& settings) {
  auto resolved = resolve_shutdown(documents.kubelet);
  settings.shutdown = std::move(resolved.configured);
  for (auto& problem : resolved.problems) check.refuse(problem.field, std::move(problem.message));
}

void resolve_allocatable_settings(const ConfigDocuments& documents, SettingsCheck& check,
                                  Settings& settings) {
  auto resolved = resolve_allocatable(documents.kubelet);
  settings.reserved = std::move(resolved.reserved);
  if (resolved.cpus) {
    settings.pods.system_reserved["cpu"] = std::to_string(*resolved.cpus);
    settings.pods.kube_reserved.erase("cpu");
  }
  for (auto& problem : resolved.problems) check.refuse(problem.field, std::move(problem.message));
}

}  // namespace

Settings resolve_settings(const ConfigDocuments& documents, const FlagSettings& flags,
                          const std::string& host_name, std::vector<ConfigProblem>& problems) {
  Settings settings{.node_name = host_name,
                    .config_file = documents.file,
                    .drop_ins = documents.drop_ins,
                    .warnings = documents.warnings};
  SettingsCheck check(documents.file, documents.places, problems);
  resolve_kubelet(documents.kubelet, check, settings);
  resolve_berth(documents.berth, check, settings);
  resolve_eviction_settings(documents, check, settings);
  resolve_shutdown_settings(documents, check, settings);
  resolve_allocatable_settings(documents, check, settings);
  const auto is_problem = [&problems](const std::string& field) {
    return std::ranges::find(problems, field, &ConfigProblem::path) != problems.end();
  };
  for (const auto& field : documents.kubelet_fields)
    if (!kubelet_field_is_used(field) && !is_problem(field))
      settings.unused_fields.push_back(field);
  settings.scheduler = documents.scheduler;
  for (const auto& field : documents.scheduler.unused)
    settings.unused_fields.push_back(field + " (of KubeSchedulerConfiguration)");

  const std::map<std::string, Place> no_places;
  SettingsCheck flag_check("flags", no_places, problems);
  flag_check.set_path(settings.paths.root, "--root-dir", flags.root_directory);
  flag_check.set(settings.node_name, flags.node_name);
  for (const auto& [key, value] : flags.node_labels) settings.node_labels[key] = value;

  settings.node_name = node::node_name(settings.node_name);
  for (const auto& complaint : api::grammar::dns1123_subdomain(settings.node_name)) {
    check.refuse(flags.node_name ? "--hostname-override" : "hostnameOverride",
                 "the node's name \"" + settings.node_name + "\" will not do: " + complaint);
  }
  for (const auto& problem :
       node::node_label_problems(settings.node_labels, settings.node_taints)) {
    const auto end = problem.find(": ");  // of its path
    check.refuse(problem.substr(0, end), problem.substr(end + 2));
  }
  return settings;
}

}  // namespace berth::agent
