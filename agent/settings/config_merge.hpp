// SPDX-License-Identifier: Apache-2.0

// One document of a configuration out of those that several files state.
//
// Pure. As the kubelet's drop-ins (JSON merge patch, RFC 7386): fields and keys of maps are merged,
// a list replaces the earlier one, null takes a field away again.
#pragma once

#include <map>
#include <string>

#include "agent/settings/settings.hpp"
#include "api/tree.hpp"

namespace berth::agent {

class MergedDocument {
 public:
  // The main file's document, first of all: null in it is what it is in any other.
  void begin(const api::TreeNode& stated, const std::string& file);
  // A document of the drop-in `file` applies over what was merged before.
  void merge(const api::TreeNode& stated, const std::string& file);

  [[nodiscard]] const api::TreeNode& root() const { return root_; }
  // Of every field that is left, by path: where it was stated last.
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
