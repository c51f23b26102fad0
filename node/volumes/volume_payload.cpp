// SPDX-License-Identifier: Apache-2.0

#include "node/volumes/volume_payload.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "node/container/field_values.hpp"

namespace berth::node {
namespace {

// The kubelet's limit for every path that it writes.
constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kLongestName = 255;

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const auto slash = path.find('/', begin);
    parts.push_back(path.substr(begin, slash - begin));
    if (slash == std::string::npos) return parts;
    begin = slash + 1;
  }
}

// Removes empty parts and "."; keeps "..", which is then refused.
std::string cleaned(const std::string& path) {
  std::string out = path.starts_with('/') ? "/" : "";
  for (const auto& part : split(path)) {
    if (part.empty() || part == ".") continue;
    if (!out.empty() && out != "/") out += '/';
    out += part;
  }
  return out;
}

// Empty if the path is valid in a volume.
std::string path_problem(const std::string& path) {
  if (path.empty()) return "invalid path: must not be empty: \"\"";
  if (path.starts_with('/')) return "invalid path: must be relative path: " + path;
  if (path.size() > kLongestPath) {
    return fmt::format("invalid path: must be less than or equal to {} characters", kLongestPath);
  }
  const auto parts = split(path);
  for (const auto& part : parts) {
    if (part == "..") return "invalid path: must not contain '..': " + path;
    if (part.size() > kLongestName) {
      return fmt::format("invalid path: filenames must be less than or equal to {} characters",
                         kLongestName);
    }
  }
  return parts[0].starts_with("..") ? "invalid path: must not start with '..': " + path : "";
}

const std::string* find_key(const api::ConfigMap& map, const std::string& key) {
  if (const auto text = map.data.find(key); text != map.data.end()) return &text->second;
  const auto binary = map.binaryData.find(key);
  return binary == map.binaryData.end() ? nullptr : &binary->second.data;
}

const std::string* find_key(const api::Secret& secret, const std::string& key) {
  const auto found = secret.data.find(key);
  return found == secret.data.end() ? nullptr : &found->second.data;
}

std::vector<std::string> keys_of(const api::ConfigMap& map) {
  std::vector<std::string> keys;
  keys.reserve(map.data.size() + map.binaryData.size());
  for (const auto& [key, value] : map.data) keys.push_back(key);
  for (const auto& [key, value] : map.binaryData) keys.push_back(key);
  return keys;
}

std::vector<std::string> keys_of(const api::Secret& secret) {
  std::vector<std::string> keys;
  keys.reserve(secret.data.size());
  for (const auto& [key, value] : secret.data) keys.push_back(key);
  return keys;
}

std::string missing_key(const api::ConfigMap&, const std::string& key) {
  return "configmap references non-existent config key: " + key;
}

std::string missing_key(const api::Secret&, const std::string& key) {
  return "references non-existent secret key: " + key;
}

// Collects files and all problems, which are reported together.
class Collector {
 public:
  Collector(const api::Pod& pod, const Objects& objects, const api::ResourceList& allocatable,
            const std::optional<std::int32_t>& default_mode)
      : pod_(pod),
        objects_(objects),
        allocatable_(allocatable),
        default_mode_(static_cast<std::uint32_t>(default_mode.value_or(0644))) {}

  void config_map(const std::string& name, const std::vector<api::KeyToPath>& items,
                  const std::optional<bool>& optional) {
    add("configmap", name, objects_.config_map(pod_.metadata.namespace_, name), items, optional);
  }

  void secret(const std::string& name, const std::vector<api::KeyToPath>& items,
              const std::optional<bool>& optional) {
    add("secret", name, objects_.secret(pod_.metadata.namespace_, name), items, optional);
  }

  void downward(const std::vector<api::DownwardAPIVolumeFile>& items) {
    for (const auto& item : items) {
      auto text = downward_text(item);
      if (text) {
        put(item.path, std::move(*text), item.mode);
      } else {
        problems_.push_back(text.error().message);
      }
    }
  }

  Result<Payload> take() {
    if (problems_.empty()) return std::move(files_);
    if (problems_.size() == 1) return fail(ErrorCode::kInvalid, problems_.front());
    return fail(ErrorCode::kInvalid, fmt::format("[{}]", fmt::join(problems_, ", ")));
  }

 private:
  template <class Object>
  void add(std::string_view kind, const std::string& name, const Object* object,
           const std::vector<api::KeyToPath>& items, const std::optional<bool>& optional) {
    const bool may_miss = optional.value_or(false);
    if (object == nullptr) {
      if (!may_miss) problems_.push_back(fmt::format("{} \"{}\" not found", kind, name));
      return;
    }
    if (items.empty()) {
      for (const auto& key : keys_of(*object)) put(key, *find_key(*object, key), std::nullopt);
      return;
    }
    for (const auto& item : items) {
      const std::string* value = find_key(*object, item.key);
      if (value != nullptr) {
        put(item.path, *value, item.mode);
      } else if (!may_miss) {
        // One problem is enough: the source then provides no files.
        problems_.push_back(missing_key(*object, item.key));
        return;
      }
    }
  }

  Result<std::string> downward_text(const api::DownwardAPIVolumeFile& item) {
    if (item.fieldRef) {
      // Addresses and the like are for the environment only: in a file they would become stale.
      if (!item.fieldRef->fieldPath.starts_with("metadata.")) {
        return fail(ErrorCode::kInvalid, "unsupported fieldPath: " + item.fieldRef->fieldPath);
      }
      return field_value(pod_, *item.fieldRef, {});
    }
    if (item.resourceFieldRef) {
      return resource_value(pod_, nullptr, *item.resourceFieldRef, allocatable_);
    }
    return "";
  }

  void put(const std::string& path, std::string data, const std::optional<std::int32_t>& mode) {
    const std::string clean = cleaned(path);
    if (auto problem = path_problem(clean); !problem.empty()) {
      problems_.push_back(std::move(problem));
      return;
    }
    const std::uint32_t bits = mode ? static_cast<std::uint32_t>(*mode) : default_mode_;
    files_.insert_or_assign(clean, PayloadFile{.data = std::move(data), .mode = bits});
  }

  const api::Pod& pod_;
  const Objects& objects_;
  const api::ResourceList& allocatable_;
  std::uint32_t default_mode_;
  Payload files_{};
  std::vector<std::string> problems_{};
};

template <class Visit>
void for_each_container(const api::Pod& pod, Visit visit) {
  for (const auto* list : {&pod.spec.initContainers, &pod.spec.containers}) {
    for (const auto& container : *list) visit(container);
  }
}

}  // namespace

bool has_payload(const api::Volume& volume) {
  return volume.configMap || volume.secret || volume.downwardAPI || volume.projected;
}

Result<Payload> volume_payload(const api::Pod& pod, const api::Volume& volume,
                               const Objects& objects, const api::ResourceList& allocatable) {
  if (volume.configMap) {
    const auto& source = *volume.configMap;
    Collector files(pod, objects, allocatable, source.defaultMode);
    files.config_map(source.name, source.items, source.optional);
    return files.take();
  }
  if (volume.secret) {
    const auto& source = *volume.secret;
    Collector files(pod, objects, allocatable, source.defaultMode);
    files.secret(source.secretName, source.items, source.optional);
    return files.take();
  }
  if (volume.downwardAPI) {
    Collector files(pod, objects, allocatable, volume.downwardAPI->defaultMode);
    files.downward(volume.downwardAPI->items);
    return files.take();
  }
  if (!volume.projected) {
    return fail(ErrorCode::kInvalid, "a volume of this kind is made of no files");
  }
  Collector files(pod, objects, allocatable, volume.projected->defaultMode);
  for (const auto& source : volume.projected->sources) {
    if (source.configMap) {
      files.config_map(source.configMap->name, source.configMap->items, source.configMap->optional);
    }
    if (source.secret) {
      files.secret(source.secret->name, source.secret->items, source.secret->optional);
    }
    if (source.downwardAPI) files.downward(source.downwardAPI->items);
  }
  return files.take();
}

std::vector<std::string> nested_mount_points(const api::Pod& pod, const std::string& volume) {
  std::vector<std::string> nested;
  for_each_container(pod, [&](const api::Container& container) {
    std::vector<std::string> points;
    for (const auto& mount : container.volumeMounts) points.push_back(cleaned(mount.mountPath));
    std::ranges::sort(points);
    for (const auto& mount : container.volumeMounts) {
      if (mount.name != volume) continue;
      const std::string own = cleaned(mount.mountPath) + "/";
      std::string covered;  // content below a nested mount is that volume's own
      for (const auto& point : points) {
        if (!point.starts_with(own)) continue;
        if (!covered.empty() && point.starts_with(covered)) continue;
        covered = point + "/";
        const std::string relative = point.substr(own.size());
        if (path_problem(relative).empty()) nested.push_back(relative);
      }
    }
  });
  std::ranges::sort(nested);
  nested.erase(std::unique(nested.begin(), nested.end()), nested.end());
  return nested;
}

bool is_mounted(const api::Pod& pod, const std::string& volume) {
  bool found = false;
  for_each_container(pod, [&](const api::Container& container) {
    for (const auto& mount : container.volumeMounts) found = found || mount.name == volume;
  });
  return found;
}

}  // namespace berth::node
