// SPDX-License-Identifier: Apache-2.0

#include "node/container/environment.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "node/container/field_values.hpp"

namespace berth::node {
namespace {

// A variable may be defined any number of times, each time as long as Linux takes it. Ten times
// what a process can get.
constexpr std::size_t kMostHandledBytes = 10 * kMostStringBytes;

const std::string& text_of(const std::string& value) {
  return value;
}
const std::string& text_of(const api::Bytes& value) {
  return value.data;
}

bool is_optional(const std::optional<bool>& flag) {
  return flag.value_or(false);
}

// Processes the container's env in order; the map grows as variables are defined.
class Builder {
 public:
  Builder(const api::Pod& pod, const api::Container& container, const EnvironmentSources& sources)
      : pod_(pod), container_(container), sources_(sources) {}

  Result<Variables> build() {
    if (!pod_.spec.enableServiceLinks) {
      return fail(ErrorCode::kInvalid,
                  "nil pod.spec.enableServiceLinks encountered, cannot construct envvars");
    }
    services_ = service_environment(sources_.services, pod_.metadata.namespace_,
                                    *pod_.spec.enableServiceLinks);
    for (const auto& source : container_.envFrom) {
      if (auto added = add_source(source); !added) return fail(added.error());
    }
    for (const auto& variable : container_.env) {
      auto value = value_of(variable);
      if (!value) return fail(value.error());
      if (!*value) continue;
      if (auto set = define(variable.name, std::move(**value)); !set) return fail(set.error());
    }
    // insert keeps what the container itself set.
    variables_.insert(services_.begin(), services_.end());
    return std::move(variables_);
  }

 private:
  using Value = Result<std::optional<std::string>>;  // unset if the variable is omitted

  const api::ConfigMap* config_map(const std::string& name) const {
    return sources_.objects ? sources_.objects->config_map(pod_.metadata.namespace_, name)
                            : nullptr;
  }
  const api::Secret* secret_of(const std::string& name) const {
    return sources_.objects ? sources_.objects->secret(pod_.metadata.namespace_, name) : nullptr;
  }

  Result<bool> add_source(const api::EnvFromSource& source) {
    if (source.configMapRef) {
      const auto& ref = *source.configMapRef;
      return add_data("configmaps", source.prefix, ref, config_map(ref.name));
    }
    if (source.secretRef) {
      const auto& ref = *source.secretRef;
      return add_data("secrets", source.prefix, ref, secret_of(ref.name));
    }
    return true;
  }

  template <class Reference, class Object>
  Result<bool> add_data(const char* what, const std::string& prefix, const Reference& reference,
                        const Object* object) {
    if (object == nullptr) {
      if (is_optional(reference.optional)) return true;
      return not_found(what, reference.name);
    }
    for (const auto& [key, value] : object->data)
      if (auto set = define(prefix + key, text_of(value)); !set) return set;
    return true;
  }

  Result<bool> define(const std::string& name, std::string value) {
    const std::size_t size = name.size() + value.size() + 1;  // with the '='
    if (size > kLongestString)
      return fail(ErrorCode::kInvalid,
                  fmt::format("env variable {}: it is longer than the {} bytes that Linux takes in "
                              "one string",
                              name, kLongestString));
    const auto before = variables_.find(name);
    if (before != variables_.end()) bytes_ -= name.size() + before->second.size() + 2;
    bytes_ += size + 1;
    handled_ += size;
    if (handled_ > kMostHandledBytes)
      return fail(
          ErrorCode::kInvalid,
          fmt::format("env variable {}: the definitions up to here, counting those that a later "
                      "one replaces, are longer than the {} bytes that berthd reads",
                      name, kMostHandledBytes));
    if (bytes_ > kMostStringBytes)
      return fail(ErrorCode::kInvalid,
                  fmt::format("env variable {}: up to here the environment is longer than the {} "
                              "bytes that Linux takes",
                              name, kMostStringBytes));
    variables_[name] = std::move(value);
    return true;
  }

  Value value_of(const api::EnvVar& variable) {
    if (!variable.value.empty()) {
      const Lookup lookup = [this](const std::string& name) { return defined(name); };
      auto expanded = expand_variables(variable.value, lookup);
      if (!expanded) return fail(wrap("env variable " + variable.name, expanded.error()));
      return std::move(*expanded);
    }
    if (!variable.valueFrom) return "";
    const auto& from = *variable.valueFrom;
    if (from.fieldRef) {
      const FieldSources fields{.pod_ips = sources_.pod_ips, .host_ips = sources_.host_ips};
      return as_value(field_value(pod_, *from.fieldRef, fields));
    }
    if (from.resourceFieldRef) {
      return as_value(
          resource_value(pod_, &container_, *from.resourceFieldRef, sources_.allocatable));
    }
    if (from.configMapKeyRef) {
      const auto& ref = *from.configMapKeyRef;
      return key_value("configmaps", "ConfigMap", ref, config_map(ref.name));
    }
    if (from.secretKeyRef) {
      const auto& ref = *from.secretKeyRef;
      return key_value("secrets", "Secret", ref, secret_of(ref.name));
    }
    if (from.fileKeyRef) {
      return fail(ErrorCode::kInvalid,
                  "env variable " + variable.name + ": fileKeyRef is not supported");
    }
    return "";
  }

  template <class Reference, class Object>
  Value key_value(const char* resource, const char* kind, const Reference& reference,
                  const Object* object) {
    const bool optional = is_optional(reference.optional);
    if (object == nullptr) {
      if (optional) return std::nullopt;
      return not_found(resource, reference.name);
    }
    const auto found = object->data.find(reference.key);
    if (found != object->data.end()) return text_of(found->second);
    if (optional) return std::nullopt;
    return fail(ErrorCode::kNotFound, "couldn't find key " + reference.key + " in " + kind + " " +
                                          pod_.metadata.namespace_ + "/" + reference.name);
  }

  static std::unexpected<Error> not_found(const std::string& resource, const std::string& name) {
    return fail(ErrorCode::kNotFound, resource + " \"" + name + "\" not found");
  }

  static Value as_value(Result<std::string> text) {
    if (!text) return fail(std::move(text.error()));
    return std::move(*text);
  }

  std::optional<std::string> defined(const std::string& name) const {
    for (const Variables* known : {&variables_, &services_}) {
      const auto found = known->find(name);
      if (found != known->end()) return found->second;
    }
    return std::nullopt;
  }

  const api::Pod& pod_;
  const api::Container& container_;
  const EnvironmentSources& sources_;
  Variables services_{};
  Variables variables_{};
  std::size_t bytes_ = 0;    // total size of the variables as a process gets them
  std::size_t handled_ = 0;  // size of all definitions, with those that a later one replaced
};

}  // namespace

Result<Variables> container_environment(const api::Pod& pod, const api::Container& container,
                                        const EnvironmentSources& sources) {
  return Builder(pod, container, sources).build();
}

}  // namespace berth::node
