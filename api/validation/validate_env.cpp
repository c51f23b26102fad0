// SPDX-License-Identifier: Apache-2.0

// Environment of a container: env, envFrom.
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

template <class Selector>
void check_key_ref(FieldErrors& errors, const FieldPath& path, const Selector& ref) {
  check_text(errors, path / "name", ref.name, grammar::dns1123_subdomain);
  check_required_text(errors, path / "key", ref.key, grammar::config_map_key);
}

void check_file_key(FieldErrors& errors, const FieldPath& path, const FileKeySelector& ref) {
  check_required_text(errors, path / "key", ref.key, grammar::env_var_name);
  check_required_text(errors, path / "volumeName", ref.volumeName, grammar::dns1123_label);
  require(errors, path / "path", ref.path);
  check_no_backsteps(errors, path / "path", ref.path);
}

void check_value_from(FieldErrors& errors, const FieldPath& path, const EnvVar& variable) {
  const EnvVarSource& from = *variable.valueFrom;
  int sources = 0;
  if (from.fieldRef) {
    ++sources;
    check_field_ref(errors, path / "fieldRef", *from.fieldRef, SelectorPlace::kEnvironment);
  }
  if (from.resourceFieldRef) {
    ++sources;
    check_resource_field_ref(errors, path / "resourceFieldRef", *from.resourceFieldRef,
                             SelectorPlace::kEnvironment);
  }
  if (from.configMapKeyRef) {
    ++sources;
    check_key_ref(errors, path / "configMapKeyRef", *from.configMapKeyRef);
  }
  if (from.secretKeyRef) {
    ++sources;
    check_key_ref(errors, path / "secretKeyRef", *from.secretKeyRef);
  }
  if (from.fileKeyRef) {
    ++sources;
    check_file_key(errors, path / "fileKeyRef", *from.fileKeyRef);
  }
  if (sources == 0) {
    errors.push_back(invalid(path, quoted(""),
                             "must specify one of: `fieldRef`, `resourceFieldRef`, "
                             "`configMapKeyRef` or `secretKeyRef`"));
  } else if (!variable.value.empty()) {
    errors.push_back(invalid(path, quoted(""), "may not be specified when `value` is not empty"));
  } else if (sources > 1) {
    errors.push_back(
        invalid(path, quoted(""), "may not have more than one field specified at a time"));
  }
}

template <class Source>
void check_from_source(FieldErrors& errors, const FieldPath& path, const Source& source) {
  if (source.name.empty()) {
    errors.push_back(required(path / "name"));
  } else {
    add_invalid(errors, path / "name", quoted(source.name),
                grammar::dns1123_subdomain(grammar::mask_trailing_dash(source.name)));
  }
}

}  // namespace

void check_env(FieldErrors& errors, const FieldPath& path, const std::vector<EnvVar>& variables) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    check_required_text(errors, path / i / "name", variables[i].name, grammar::env_var_name);
    if (variables[i].valueFrom) check_value_from(errors, path / i / "valueFrom", variables[i]);
  }
}

void check_env_from(FieldErrors& errors, const FieldPath& path,
                    const std::vector<EnvFromSource>& sources) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const EnvFromSource& source = sources[i];
    const FieldPath at = path / i;
    if (!source.prefix.empty()) {
      check_text(errors, at / "prefix", source.prefix, grammar::env_var_name);
    }
    if (source.configMapRef) check_from_source(errors, at / "configMapRef", *source.configMapRef);
    if (source.secretRef) check_from_source(errors, at / "secretRef", *source.secretRef);
    if (!source.configMapRef && !source.secretRef) {
      errors.push_back(
          invalid(path, quoted(""), "must specify one of: `configMapRef` or `secretRef`"));
    } else if (source.configMapRef && source.secretRef) {
      errors.push_back(
          invalid(path, quoted(""), "may not have more than one field specified at a time"));
    }
  }
}

void check_file_key_volumes(FieldErrors& errors, const FieldPath& path,
                            const std::vector<EnvVar>& variables, const ValidVolumes& volumes) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].valueFrom || !variables[i].valueFrom->fileKeyRef) continue;
    const std::string& name = variables[i].valueFrom->fileKeyRef->volumeName;
    const FieldPath at = path / i / "valueFrom" / "fileKeyRef" / "volumeName";
    const auto volume = volumes.find(name);
    if (volume == volumes.end()) {
      errors.push_back(not_found(at, quoted(name)));
    } else if (!volume->second->emptyDir) {
      errors.push_back(invalid(at, quoted(name), "referenced volume must be of type emptyDir"));
    }
  }
}

}  // namespace berth::api
