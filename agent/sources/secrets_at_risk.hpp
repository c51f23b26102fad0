// SPDX-License-Identifier: Apache-2.0

// Secrets of broken manifest files: what a reboot would lose, or has lost.
//
// The last good version of such a file is in force. Its Secrets are in memory alone, and the file
// cannot provide them before it is fixed. Pure.
#pragma once

#include <vector>

#include "agent/sources/manifest_report.hpp"
#include "api/manifest/manifest.hpp"
#include "api/pod.hpp"
#include "node/objects.hpp"

namespace berth::agent {

// One broken file: `objects` are all that are in force, `all` every wanted pod, `of_file` those of
// this file.
struct BrokenFile {
  const api::ManifestFile& last_good;
  const node::Objects& objects;
  std::vector<const api::Pod*> all{};
  std::vector<const api::Pod*> of_file{};
};

// First the file's Secrets in memory, then the missing ones, by name.
[[nodiscard]] std::vector<SecretAtRisk> secrets_at_risk(const BrokenFile& file);

}  // namespace berth::agent
