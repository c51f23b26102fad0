// SPDX-License-Identifier: Apache-2.0

#include "api/validation/validate_metadata.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace berth::api {

namespace {

constexpr std::size_t kMostAnnotationBytes = 262144;  // 256 KiB, keys and values together
constexpr std::size_t kMostManagerBytes = 128;
constexpr std::string_view kStandardFinalizers[] = {"kubernetes", "orphan", "foregroundDeletion"};

void check_name(FieldErrors& errors, const FieldPath& path, const ObjectMeta& meta, Scope scope,
                TextGrammar name_grammar) {
  if (!meta.generateName.empty()) {
    add_invalid(errors, path / "generateName", quoted(meta.generateName),
                name_grammar(grammar::mask_trailing_dash(meta.generateName)));
  }
  if (meta.name.empty()) {
    errors.push_back(required(path / "name", "name or generateName is required"));
  } else {
    check_text(errors, path / "name", meta.name, name_grammar);
  }
  if (scope == Scope::kNamespaced) {
    check_required_text(errors, path / "namespace", meta.namespace_, grammar::dns1123_label);
  } else if (!meta.namespace_.empty()) {
    errors.push_back(forbidden(path / "namespace", "not allowed on this type"));
  }
}

// JSON as the API prints an owner reference: its own field names, unset fields omitted.
std::string owner_json(const OwnerReference& owner) {
  std::string text = "{\"apiVersion\":" + go_json_quote(owner.apiVersion) +
                     ",\"kind\":" + go_json_quote(owner.kind) +
                     ",\"name\":" + go_json_quote(owner.name) +
                     ",\"uid\":" + go_json_quote(owner.uid);
  if (owner.controller) text += std::string(",\"controller\":") + boolean(*owner.controller).text;
  if (owner.blockOwnerDeletion) {
    text += std::string(",\"blockOwnerDeletion\":") + boolean(*owner.blockOwnerDeletion).text;
  }
  return text + "}";
}

struct GroupVersion {
  std::string_view group{};
  std::string_view version{};
};

// Both are empty if there is more than one slash.
GroupVersion group_version(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == api_version.npos) return {.version = api_version};
  if (api_version.find('/', slash + 1) != api_version.npos) return {};
  return {.group = api_version.substr(0, slash), .version = api_version.substr(slash + 1)};
}

void check_owners(FieldErrors& errors, const FieldPath& path,
                  const std::vector<OwnerReference>& owners) {
  const OwnerReference* controller = nullptr;
  for (const OwnerReference& owner : owners) {
    const GroupVersion type = group_version(owner.apiVersion);
    if (type.version.empty()) {
      errors.push_back(
          invalid(path / "apiVersion", quoted(owner.apiVersion), "version must not be empty"));
    }
    const std::pair<std::string_view, const std::string*> fields[] = {
        {"kind", &owner.kind}, {"name", &owner.name}, {"uid", &owner.uid}};
    for (const auto& [name, value] : fields) {
      if (value->empty()) errors.push_back(invalid(path / name, quoted(""), "must not be empty"));
    }
    if (type.group.empty() && type.version == "v1" && owner.kind == "Event") {
      errors.push_back(invalid(path, json_text(owner_json(owner)),
                               "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (!owner.controller.value_or(false)) continue;
    if (controller != nullptr) {
      std::vector<std::string> all;
      for (const OwnerReference& one : owners) all.push_back(owner_json(one));
      errors.push_back(invalid(
          path, json_text("[" + join(all, ",") + "]"),
          "Only one reference can have Controller set to true. Found \"true\" in references for " +
              controller->kind + "/" + controller->name + " and " + owner.kind + "/" + owner.name));
    } else {
      controller = &owner;
    }
  }
}

void check_finalizers(FieldErrors& errors, const FieldPath& path,
                      const std::vector<std::string>& finalizers) {
  for (const std::string& finalizer : finalizers) {
    check_text(errors, path, finalizer, grammar::qualified_name);
  }
  const auto has = [&](std::string_view name) {
    return std::find(finalizers.begin(), finalizers.end(), name) != finalizers.end();
  };
  if (has("orphan") && has("foregroundDeletion")) {
    errors.push_back(invalid(path, json_strings(finalizers),
                             "finalizer orphan and foregroundDeletion cannot be both set"));
  }
}

// Go's unicode.IsPrint: %q shows exactly such characters as they are, but for two it escapes.
bool is_print(std::string_view character) {
  return character == "\"" || character == "\\" ||
         go_quote(character) == "\"" + std::string(character) + "\"";
}

// "U+200B" for one UTF-8 character.
std::string code_point_name(std::string_view character) {
  auto code = static_cast<unsigned>(static_cast<unsigned char>(character.front()));
  if (character.size() > 1) code &= 0x7FU >> character.size();
  for (const char byte : character.substr(1)) {
    code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "U+%04X", code);
  return text.data();
}

void check_manager(FieldErrors& errors, const FieldPath& path, std::string_view manager) {
  const auto continues = [&](std::size_t i) {
    return i < manager.size() && (static_cast<unsigned char>(manager[i]) & 0xC0U) == 0x80U;
  };
  for (std::size_t begin = 0, end = 0; begin < manager.size(); begin = end) {
    end = begin + 1;
    while (end - begin < 4 && continues(end)) ++end;
    const std::string_view character = manager.substr(begin, end - begin);
    if (is_print(character)) continue;
    errors.push_back(invalid(path, quoted(manager),
                             "invalid character " + code_point_name(character) + " (at position " +
                                 std::to_string(begin) + ")"));
  }
}

void check_managed_fields(FieldErrors& errors, const FieldPath& path,
                          const std::vector<ManagedFieldsEntry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ManagedFieldsEntry& entry = entries[i];
    const FieldPath at = path / i;
    if (entry.operation != "Apply" && entry.operation != "Update") {
      errors.push_back(
          invalid(at / "operation", json_string(entry.operation), "must be `Apply` or `Update`"));
    }
    if (!entry.fieldsType.empty() && entry.fieldsType != "FieldsV1") {
      errors.push_back(invalid(at / "fieldsType", quoted(entry.fieldsType), "must be `FieldsV1`"));
    }
    if (entry.manager.size() > kMostManagerBytes) {
      errors.push_back(too_long(at / "manager", kMostManagerBytes));
    }
    check_manager(errors, at / "manager", entry.manager);
  }
}

void check_finalizer_names(FieldErrors& errors, const FieldPath& path,
                           const std::vector<std::string>& finalizers) {
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string& name = finalizers[i];
    const bool standard = std::find(std::begin(kStandardFinalizers), std::end(kStandardFinalizers),
                                    name) != std::end(kStandardFinalizers);
    if (standard || name.find('/') != std::string::npos) continue;
    errors.push_back(
        invalid(path / i, quoted(name),
                "name is neither a standard finalizer name nor is it fully qualified"));
  }
}

}  // namespace

void check_annotations(FieldErrors& errors, const FieldPath& path,
                       const std::map<std::string, std::string>& annotations) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : annotations) {
    add_invalid(errors, path, quoted(key), grammar::qualified_name(to_lower(key)));
    bytes += key.size() + value.size();
  }
  if (bytes > kMostAnnotationBytes) errors.push_back(too_long(path, kMostAnnotationBytes));
}

void check_metadata(FieldErrors& errors, const FieldPath& path, const ObjectMeta& meta, Scope scope,
                    TextGrammar name_grammar) {
  check_name(errors, path, meta, scope, name_grammar);
  check_non_negative(errors, path / "generation", meta.generation);
  check_labels(errors, path / "labels", meta.labels);
  check_annotations(errors, path / "annotations", meta.annotations);
  check_owners(errors, path / "ownerReferences", meta.ownerReferences);
  check_finalizers(errors, path / "finalizers", meta.finalizers);
  check_managed_fields(errors, path / "managedFields", meta.managedFields);
  check_finalizer_names(errors, path / "finalizers", meta.finalizers);
}

void check_metadata_update(FieldErrors& errors, const FieldPath& path, const ObjectMeta& now,
                           const ObjectMeta& before) {
  const auto immutable = [&](std::string_view name, const std::string& value,
                             const std::string& old) {
    if (value != old) {
      errors.push_back(invalid(path / name, quoted(value), "field is immutable"));
    }
  };
  if (now.resourceVersion.empty()) {
    errors.push_back(
        invalid(path / "resourceVersion", quoted(""), "must be specified for an update"));
  }
  immutable("name", now.name, before.name);
  immutable("namespace", now.namespace_, before.namespace_);
  immutable("uid", now.uid, before.uid);
}

grammar::Details path_segment_name(std::string_view name) {
  if (name == "." || name == "..") return {"may not be '" + std::string(name) + "'"};
  grammar::Details details;
  for (const char bad : {'/', '%'}) {
    if (name.find(bad) != name.npos) {
      details.push_back(std::string("may not contain '") + bad + "'");
    }
  }
  return details;
}

}  // namespace berth::api
