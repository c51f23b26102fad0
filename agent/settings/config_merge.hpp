// SPDX-License-Identifier: Apache-2.0

// Merges the documents of several files into one document of a configuration.
//
// Pure. Works as the kubelet's drop-ins (JSON merge patch, RFC 7386): fields and keys of maps are
// merged, a list replaces the earlier one, null removes a field.
#pragma once

#include <map>
#include <string>

#include "agent/settings/settings.hpp"
#include "api/codec/tree.hpp"

namespace berth::agent {

class MergedDocument {
 public:
  // Takes the main file's document; call first. Null keeps its usual meaning in it.
  void begin(const api::TreeNode& stated, const std::string& file);
  // Applies a document of the drop-in `file` over what was merged before.
  void merge(const api::TreeNode& stated, const std::string& file);

  [[nodiscard]] const api::TreeNode& root() const { return root_; }
  // Where each remaining field was stated last, by path.
  [[nodiscard]] const std::map<std::string, Place>& places() const { return places_; }

 private:
  void merge_into(api::TreeNode& into, const api::TreeNode& stated, const std::string& prefix);
  void forget(const std::string& path);
  void note(const api::TreeEntry& entry, const std::string& path);

  api::TreeNode root_{.kind = api::NodeKind::kMapping};
  std::map<std::string, Place> places_{};
  std::string file_{};  // during merge()
};

}  // namespace berth::agent
