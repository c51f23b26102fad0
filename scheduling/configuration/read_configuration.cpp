// SPDX-License-Identifier: Apache-2.0

#include "scheduling/configuration/read_configuration.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "api/codec.hpp"
#include "api/field_error.hpp"
#include "api/manifest/manifest_place.hpp"
#include "scheduling/configuration/plugin_catalogue.hpp"
#include "scheduling/configuration/profile_plugins.hpp"
#include "scheduling/configuration/resolve_arguments.hpp"

namespace berth::scheduling {
namespace {

using api::FieldErrors;
using api::FieldPath;
using api::Problem;
using api::TreeNode;

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io/";

class Reading {
 public:
  explicit Reading(const TreeNode& document) : root_(document) {}

  std::expected<SchedulerSettings, std::vector<Problem>> run() &&;

 private:
  [[nodiscard]] bool is_of_this_version();
  // Decodes what is readable, even if other parts are wrong.
  template <class T>
  T decoded(const TreeNode& node, const FieldPath& path);
  void resolve(const config::KubeSchedulerConfiguration& stated);
  void resolve_profile(const config::SchedulerProfile& stated, const FieldPath& path,
                       const TreeNode* node);
  void resolve_arguments_of(const config::PluginConfig& stated, const FieldPath& path,
                            const TreeNode* node, Profile& profile);
  template <class Args>
  Args arguments(const config::PluginConfig& stated, const FieldPath& path, const TreeNode* node);
  void check_percentage(const std::optional<std::int32_t>& value, const FieldPath& path);
  void note_unused(const config::KubeSchedulerConfiguration& stated);

  const TreeNode& root_;
  SchedulerSettings settings_{.profiles = {}};
  std::vector<Problem> problems_{};
  FieldErrors errors_{};
};

template <class T>
T Reading::decoded(const TreeNode& node, const FieldPath& path) {
  const std::string prefix = path == FieldPath() ? "" : path.to_string();
  auto strict = api::decode<T>(node, api::FieldValidation::kStrict, prefix);
  if (strict) return std::move(strict->object);
  problems_.insert(problems_.end(), strict.error().begin(), strict.error().end());
  auto known = api::decode<T>(node, api::FieldValidation::kIgnore, prefix);
  return known ? std::move(known->object) : T{};
}

bool Reading::is_of_this_version() {
  const std::string version(root_.string_at("apiVersion"));
  const std::string kind(root_.string_at("kind"));
  if (version == config::kApiVersion && kind == config::kKind) return true;
  const bool other_version = version.starts_with(kGroup) && kind == config::kKind;
  problems_.push_back({.path = other_version ? "apiVersion" : "",
                       .line = root_.line,
                       .column = root_.column,
                       .message = other_version
                                      ? version + " is not supported; use " + config::kApiVersion
                                      : "apiVersion \"" + version + "\", kind \"" + kind +
                                            "\" is no configuration of a scheduler; use " +
                                            config::kApiVersion + " " + config::kKind});
  return false;
}

void Reading::check_percentage(const std::optional<std::int32_t>& value, const FieldPath& path) {
  if (!value || (*value >= 0 && *value <= 100)) return;
  errors_.push_back(api::invalid(path, api::number(*value), "not in valid range [0-100]"));
}

void Reading::note_unused(const config::KubeSchedulerConfiguration& stated) {
  const auto note = [&](bool is_stated, const char* field) {
    if (is_stated) settings_.unused.emplace_back(field);
  };
  note(stated.leaderElection.has_value(), "leaderElection");
  note(stated.clientConnection.has_value(), "clientConnection");
  note(stated.enableProfiling.has_value(), "enableProfiling");
  note(stated.enableContentionProfiling.has_value(), "enableContentionProfiling");
  note(stated.delayCacheUntilActive.has_value(), "delayCacheUntilActive");
}

void Reading::resolve(const config::KubeSchedulerConfiguration& stated) {
  note_unused(stated);
  const std::int64_t initial = stated.podInitialBackoffSeconds.value_or(1);
  const std::int64_t longest = stated.podMaxBackoffSeconds.value_or(10);
  settings_.backoff = {.initial = std::chrono::seconds(initial),
                       .longest = std::chrono::seconds(longest)};
  if (stated.parallelism.value_or(16) <= 0) {
    errors_.push_back(api::invalid(FieldPath("parallelism"), api::number(*stated.parallelism),
                                   "should be an integer value greater than zero"));
  }
  const TreeNode* profiles = root_.find("profiles");
  for (std::size_t i = 0; i < stated.profiles.size(); ++i) {
    const bool has_node = profiles != nullptr && i < profiles->items.size();
    resolve_profile(stated.profiles[i], FieldPath("profiles") / i,
                    has_node ? &profiles->items[i] : nullptr);
  }
  if (stated.profiles.empty()) settings_.profiles.emplace_back();
  for (std::size_t i = 0; i < settings_.profiles.size(); ++i) {
    Profile& profile = settings_.profiles[i];
    profile.parallelism = stated.parallelism.value_or(16);
    const bool own = i < stated.profiles.size() && stated.profiles[i].percentageOfNodesToScore;
    if (!own) profile.percentageOfNodesToScore = stated.percentageOfNodesToScore.value_or(0);
    const auto first =
        std::ranges::find(settings_.profiles, profile.schedulerName, &Profile::schedulerName);
    const auto same = static_cast<std::size_t>(first - settings_.profiles.begin());
    if (same < i && !profile.schedulerName.empty()) {
      errors_.push_back(api::duplicate(
          FieldPath("profiles") / i / "schedulerName",
          api::quoted((FieldPath("profiles") / same / "schedulerName").to_string())));
    }
  }
  check_percentage(stated.percentageOfNodesToScore, FieldPath("percentageOfNodesToScore"));
  if (initial <= 0) {
    errors_.push_back(api::invalid(FieldPath("podInitialBackoffSeconds"), api::number(initial),
                                   "must be greater than 0"));
  }
  if (longest < initial) {
    errors_.push_back(api::invalid(FieldPath("podMaxBackoffSeconds"), api::number(longest),
                                   "must be greater than or equal to PodInitialBackoffSeconds"));
  }
  if (!stated.extenders.empty()) {
    errors_.push_back(
        api::forbidden(FieldPath("extenders"), "berth calls no extenders; leave the field out"));
  }
}

void Reading::resolve_profile(const config::SchedulerProfile& stated, const FieldPath& path,
                              const TreeNode* node) {
  Profile profile;
  // A single profile may omit its name.
  const bool single = root_.find("profiles")->items.size() == 1;
  if (stated.schedulerName || !single) profile.schedulerName = stated.schedulerName.value_or("");
  if (profile.schedulerName.empty()) errors_.push_back(api::required(path / "schedulerName"));
  check_percentage(stated.percentageOfNodesToScore, path / "percentageOfNodesToScore");
  profile.percentageOfNodesToScore = stated.percentageOfNodesToScore.value_or(0);
  ProfileResolution resolution{.profile = profile, .errors = errors_, .unused = settings_.unused};
  if (stated.plugins) resolve_plugins(*stated.plugins, path / "plugins", resolution);

  const TreeNode* configs = node == nullptr ? nullptr : node->find("pluginConfig");
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < stated.pluginConfig.size(); ++i) {
    const config::PluginConfig& one = stated.pluginConfig[i];
    const FieldPath at = path / "pluginConfig" / i;
    if (seen[one.name]++ > 0) errors_.push_back(api::duplicate(at, api::quoted(one.name)));
    const bool has_node = configs != nullptr && i < configs->items.size();
    resolve_arguments_of(one, at, has_node ? configs->items[i].find("args") : nullptr, profile);
  }
  settings_.profiles.push_back(std::move(profile));
}

template <class Args>
Args Reading::arguments(const config::PluginConfig& stated, const FieldPath& path,
                        const TreeNode* node) {
  if (node == nullptr || node->kind == api::NodeKind::kNull) return {};
  Args args = decoded<Args>(*node, path);
  const bool right_version = args.apiVersion.empty() || args.apiVersion == config::kApiVersion;
  const bool right_kind = args.kind.empty() || args.kind == stated.name + "Args";
  if (!right_version || !right_kind) {
    errors_.push_back(api::invalid(path, api::quoted(args.apiVersion + ", Kind=" + args.kind),
                                   "has to match plugin args"));
  }
  return args;
}

void Reading::resolve_arguments_of(const config::PluginConfig& stated, const FieldPath& path,
                                   const TreeNode* node, Profile& profile) {
  const FieldPath args = path / "args";
  const auto take = [&]<class Args>(Args&& read) {
    resolve_arguments(read, args, profile, errors_);
  };
  const std::string& name = stated.name;
  if (name == "NodeResourcesFit") {
    take(arguments<config::NodeResourcesFitArgs>(stated, args, node));
  } else if (name == "NodeResourcesBalancedAllocation") {
    take(arguments<config::NodeResourcesBalancedAllocationArgs>(stated, args, node));
  } else if (name == "PodTopologySpread") {
    take(arguments<config::PodTopologySpreadArgs>(stated, args, node));
  } else if (name == "InterPodAffinity") {
    take(arguments<config::InterPodAffinityArgs>(stated, args, node));
  } else if (name == "NodeAffinity") {
    take(arguments<config::NodeAffinityArgs>(stated, args, node));
  } else if (name == "DefaultPreemption") {
    take(arguments<config::DefaultPreemptionArgs>(stated, args, node));
  } else {
    // Plugins that berth does not implement, or that take no arguments.
    if (name == "DynamicResources") arguments<config::DynamicResourcesArgs>(stated, args, node);
    if (name == "VolumeBinding") arguments<config::VolumeBindingArgs>(stated, args, node);
    check_plugin_name(name, path / "name", errors_);
    if (known_plugin(name) != nullptr) settings_.unused.push_back(path.to_string());
  }
}

std::expected<SchedulerSettings, std::vector<Problem>> Reading::run() && {
  if (is_of_this_version()) resolve(decoded<config::KubeSchedulerConfiguration>(root_, {}));
  for (const api::FieldError& error : errors_) {
    const api::Place place = api::place_of(root_, error.path);
    problems_.push_back({.path = error.path,
                         .line = place.line,
                         .column = place.column,
                         .message = error.message()});
  }
  if (!problems_.empty()) return std::unexpected(std::move(problems_));
  return std::move(settings_);
}

}  // namespace

std::expected<SchedulerSettings, std::vector<Problem>> read_scheduler_configuration(
    std::string_view text) {
  const auto trees = api::parse_documents(text);
  if (!trees) return std::unexpected(trees.error());
  if (trees->size() > 1) {
    const TreeNode& second = (*trees)[1].root;
    return std::unexpected(std::vector<Problem>{
        {.line = second.line, .column = second.column, .message = "a second document"}});
  }
  const TreeNode empty;
  return read_scheduler_configuration(trees->empty() ? empty : trees->front().root);
}

std::expected<SchedulerSettings, std::vector<Problem>> read_scheduler_configuration(
    const TreeNode& document) {
  return Reading(document).run();
}

const Profile* profile_for(const SchedulerSettings& settings, std::string_view scheduler_name) {
  const std::string_view name = scheduler_name.empty() ? "default-scheduler" : scheduler_name;
  const auto found = std::ranges::find(settings.profiles, name, &Profile::schedulerName);
  return found == settings.profiles.end() ? nullptr : &*found;
}

QueueSettings queue_settings(const SchedulerSettings& settings, const SelectorSources& selectors) {
  QueueSettings queue{.backoff = settings.backoff, .profiles = {}, .selectors = &selectors};
  for (const Profile& profile : settings.profiles) {
    HintArguments& arguments = queue.profiles[profile.schedulerName];
    arguments.default_constraints = default_constraints(profile.topology_spread);
    // Soft constraints do not make a pod wait.
    std::erase_if(arguments.default_constraints, [](const auto& constraint) {
      return constraint.whenUnsatisfiable != "DoNotSchedule";
    });
    const auto& added = profile.node_affinity.addedAffinity;
    if (added && added->requiredDuringSchedulingIgnoredDuringExecution) {
      arguments.added_affinity.emplace(*added->requiredDuringSchedulingIgnoredDuringExecution);
    }
  }
  return queue;
}

}  // namespace berth::scheduling
