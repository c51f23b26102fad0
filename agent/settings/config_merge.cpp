// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/config_merge.hpp"

#include <algorithm>

namespace berth::agent {

void MergedDocument::begin(const api::TreeNode& stated, const std::string& file) {
  file_ = file;
  root_ = stated;
  for (const auto& entry : stated.entries) note(entry, entry.key);
}

void MergedDocument::merge(const api::TreeNode& stated, const std::string& file) {
  file_ = file;
  merge_into(root_, stated, "");
}

void MergedDocument::merge_into(api::TreeNode& into, const api::TreeNode& stated,
                                const std::string& prefix) {
  for (const auto& entry : stated.entries) {
    const std::string path = prefix + entry.key;
    auto there = std::ranges::find(into.entries, entry.key, &api::TreeEntry::key);
    if (entry.value.kind == api::NodeKind::kNull) {
      if (there != into.entries.end()) into.entries.erase(there);
      forget(path);
      continue;
    }
    if (there == into.entries.end())
      there = into.entries.insert(there, api::TreeEntry{.key = entry.key});
    if (entry.value.kind != api::NodeKind::kMapping) {
      forget(path);
      there->value = entry.value;
    } else {
      // Merges into an empty one as well: fields that are null in it are omitted.
      if (there->value.kind != api::NodeKind::kMapping) {
        forget(path);
        there->value = {.kind = api::NodeKind::kMapping};
      }
      merge_into(there->value, entry.value, path + ".");
    }
    places_[path] = {.file = file_, .line = entry.line, .column = entry.column};
  }
}

void MergedDocument::forget(const std::string& path) {
  places_.erase(path);
  const std::string below = path + ".";
  auto place = places_.lower_bound(below);
  while (place != places_.end() && place->first.starts_with(below)) place = places_.erase(place);
}

void MergedDocument::note(const api::TreeEntry& entry, const std::string& path) {
  places_[path] = {.file = file_, .line = entry.line, .column = entry.column};
  for (const auto& below : entry.value.entries) note(below, path + "." + below.key);
}

}  // namespace berth::agent
