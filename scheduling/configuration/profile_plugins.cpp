// SPDX-License-Identifier: Apache-2.0

#include "scheduling/configuration/profile_plugins.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "scheduling/configuration/plugin_catalogue.hpp"

namespace berth::scheduling {
namespace {

using api::FieldPath;
using Weights = std::map<std::string_view, std::int64_t>;  // of the enabled plugins
using PointSets = std::array<const config::PluginSet*, kExtensionPoints>;

constexpr const char* kMultiPoint = "multiPoint";

const config::PluginSet* set_of(const std::optional<config::PluginSet>& set) {
  static const config::PluginSet kNone;
  return set ? &*set : &kNone;
}

PointSets by_point(const config::Plugins& plugins) {
  return {set_of(plugins.preEnqueue), set_of(plugins.queueSort),  set_of(plugins.preFilter),
          set_of(plugins.filter),     set_of(plugins.postFilter), set_of(plugins.preScore),
          set_of(plugins.score),      set_of(plugins.reserve),    set_of(plugins.permit),
          set_of(plugins.preBind),    set_of(plugins.bind),       set_of(plugins.postBind)};
}

bool disables(const config::PluginSet& set, std::string_view name) {
  return std::ranges::any_of(set.disabled, [&](const config::Plugin& plugin) {
    return plugin.name == name || plugin.name == "*";
  });
}

const config::Plugin* enabled_in(const config::PluginSet& set, std::string_view name) {
  const auto found = std::ranges::find(set.enabled, name, &config::Plugin::name);
  return found == set.enabled.end() ? nullptr : &*found;
}

std::int64_t stated_weight(const config::Plugin& plugin) {
  const std::int64_t weight = plugin.weight.value_or(0);
  return weight == 0 ? 1 : weight;
}

Weights multi_point(const config::PluginSet& custom) {
  Weights weights;
  for (const KnownPlugin& plugin : known_plugins()) {
    if (const config::Plugin* stated = enabled_in(custom, plugin.name)) {
      weights[plugin.name] = stated_weight(*stated);
    } else if (!disables(custom, plugin.name)) {
      weights[plugin.name] = std::max<std::int64_t>(plugin.weight, 1);
    }
  }
  return weights;
}

// Whether a plugin is enabled at one of its extension points.
bool takes_part(const KnownPlugin& plugin, const config::PluginSet& set, const Weights& multi) {
  if (enabled_in(set, plugin.name) != nullptr) return true;
  return multi.contains(plugin.name) && !disables(set, plugin.name);
}

void check_enabled(const config::PluginSet& set, const std::optional<ExtensionPoint>& point,
                   const FieldPath& path, ProfileResolution& to) {
  std::set<std::string> seen;
  const bool weighs = !point || *point == ExtensionPoint::kScore;
  for (std::size_t i = 0; i < set.enabled.size(); ++i) {
    const config::Plugin& stated = set.enabled[i];
    const FieldPath at = path / "enabled" / i;
    check_plugin_name(stated.name, at / "name", to.errors);
    if (!seen.insert(stated.name).second) {
      to.errors.push_back(api::duplicate(at / "name", api::quoted(stated.name)));
    }
    if (stated.weight.value_or(0) < 0) {
      to.errors.push_back(api::invalid(at / "weight", api::number(*stated.weight),
                                       "must be greater than or equal to 0"));
    }
    if (stated.weight && !weighs) to.unused.push_back((at / "weight").to_string());
    const KnownPlugin* plugin = known_plugin(stated.name);
    if (plugin == nullptr) continue;
    if (point && !plugin->extends(*point)) {
      to.errors.push_back(
          api::invalid(at / "name", api::quoted(stated.name),
                       "the plugin does not extend " + std::string(name_of(*point))));
    }
    if (plugin->standing == PluginStanding::kAbsent) to.unused.push_back(at.to_string());
  }
}

// Reports plugins that are disabled but were never enabled.
void check_disabled(const config::PluginSet& set, const FieldPath& path, ProfileResolution& to) {
  for (std::size_t i = 0; i < set.disabled.size(); ++i) {
    const std::string& name = set.disabled[i].name;
    if (name == "*" || known_plugin(name) != nullptr) continue;
    to.unused.push_back((path / "disabled" / i).to_string());
  }
}

void apply(const KnownPlugin& plugin, ExtensionPoint point, bool in, Profile& profile) {
  if (plugin.standing == PluginStanding::kPreemption) {
    if (point == ExtensionPoint::kPostFilter) profile.preempts = in;
    return;
  }
  PluginSet* set = nullptr;
  if (point == ExtensionPoint::kPreFilter) set = &profile.pre_filters;
  if (point == ExtensionPoint::kFilter) set = &profile.filters;
  if (point == ExtensionPoint::kPreScore) set = &profile.pre_scores;
  if (point == ExtensionPoint::kScore) set = &profile.scores;
  const auto known = plugin_named(plugin.name);
  if (set == nullptr || !known) return;
  if (in) {
    set->insert(*known);
  } else {
    set->erase(*known);
  }
}

}  // namespace

void check_plugin_name(const std::string& name, const FieldPath& path, api::FieldErrors& errors) {
  if (name.empty()) {
    errors.push_back(api::required(path));
    return;
  }
  if (known_plugin(name) != nullptr) return;
  const std::string_view successor = successor_of(name);
  errors.push_back(api::invalid(
      path, api::quoted(name),
      successor.empty() ? "there is no such plugin"
                        : "was a plugin of an older version; v1 has " + std::string(successor)));
}

void resolve_plugins(const config::Plugins& plugins, const FieldPath& path, ProfileResolution& to) {
  const config::PluginSet& custom = *set_of(plugins.multiPoint);
  check_enabled(custom, std::nullopt, path / kMultiPoint, to);
  check_disabled(custom, path / kMultiPoint, to);
  const Weights multi = multi_point(custom);
  const PointSets sets = by_point(plugins);
  for (std::size_t i = 0; i < kExtensionPoints; ++i) {
    const auto point = static_cast<ExtensionPoint>(i);
    const FieldPath at = path / name_of(point);
    check_enabled(*sets[i], point, at, to);
    check_disabled(*sets[i], at, to);
    for (const KnownPlugin& plugin : known_plugins()) {
      if (!plugin.extends(point)) continue;
      const bool in = takes_part(plugin, *sets[i], multi);
      if (plugin.standing == PluginStanding::kFixed && !in) {
        to.errors.push_back(api::forbidden(at, std::string(plugin.name) + " cannot be left out"));
      }
      apply(plugin, point, in, to.profile);
    }
  }
  const config::PluginSet& scores = *sets[static_cast<std::size_t>(ExtensionPoint::kScore)];
  for (const KnownPlugin& plugin : known_plugins()) {
    const auto known = plugin_named(plugin.name);
    if (!known || !plugin.extends(ExtensionPoint::kScore)) continue;
    const config::Plugin* stated = enabled_in(scores, plugin.name);
    const auto usual = multi.find(plugin.name);
    std::int64_t& weight = to.profile.weights[static_cast<std::size_t>(*known)];
    if (usual != multi.end()) weight = usual->second;
    if (stated != nullptr) weight = stated_weight(*stated);
  }
}

}  // namespace berth::scheduling
