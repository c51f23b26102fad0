// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_options.hpp"

namespace berth::agent {

api::ManifestOptions manifest_options(const Settings& settings) {
  api::ManifestOptions options{
      .node_name = settings.node_name,
      .max_bytes = static_cast<std::size_t>(settings.max_manifest_bytes),
      .max_documents = static_cast<std::size_t>(settings.max_manifest_documents),
      .max_values = static_cast<std::size_t>(settings.max_manifest_values)};
  if (settings.manifest_rules == ManifestRules::kKubelet) {
    options.rules = api::ManifestRules::kKubelet;
  }
  switch (settings.unknown_fields) {
    case UnknownFields::kStrict:
      options.validation = api::FieldValidation::kStrict;
      break;
    case UnknownFields::kWarn:
      options.validation = api::FieldValidation::kWarn;
      break;
    case UnknownFields::kIgnore:
      options.validation = api::FieldValidation::kIgnore;
      break;
  }
  return options;
}

}  // namespace berth::agent
