// SPDX-License-Identifier: Apache-2.0

#include "agent/settings/config_merge.hpp"

#include <algorithm>

namespace berth::agent {

void MergedDocument::merge(const api::TreeNode& stated, const std::string& file) {
  file_ = file;
  merge_into(root_, stated, "");
}

void MergedDocument::merge_into(api::TreeNode& into, const api::TreeNode& stated,
                                const std::string& prefix) {
  for (const auto& entry : stated.entries) {
    const std::string path = prefix + entry.key;
    const auto there = std::ranges::find(into.entries, entry.key, &api::TreeEntry::key);
    const bool is_mapping = entry.value.kind == api::NodeKind::kMapping;
    if (entry.value.kind == api::NodeKind::kNull) {
      if (there != into.entries.end()) into.entries.erase(there);
      forget(path);
    } else if (there == into.entries.end()) {
      into.entries.push_back(entry);
      note(entry, path);
    } else if (is_mapping && there->value.kind == api::NodeKind::kMapping) {
      places_[path] = {.file = file_, .line = entry.line, .column = entry.column};
      merge_into(there->value, entry.value, path + ".");
    } else {
      forget(path);
      *there = entry;
      note(entry, path);
    }
  }
}

void MergedDocument::forget(const std::string& path) {
  places_.erase(path);
  std::erase_if(places_,
                [below = path + "."](const auto& place) { return place.first.starts_with(below); });
}

void MergedDocument::note(const api::TreeEntry& entry, const std::string& path) {
  places_[path] = {.file = file_, .line = entry.line, .column = entry.column};
  for (const auto& below : entry.value.entries) note(below, path + "." + below.key);
}

}  // namespace berth::agent
