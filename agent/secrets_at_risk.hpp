// Secrets of manifest files that are broken: what a reboot would take, or has taken.
//
// Of such a file the last good version is in force. Its Secrets are in memory alone, and the file
// cannot give them back before it is mended. Pure.
#pragma once

#include <vector>

#include "agent/manifest_report.hpp"
#include "api/manifest.hpp"
#include "api/pod.hpp"
#include "node/objects.hpp"

namespace berth::agent {

// Of one broken file: `objects` are all that are in force, `all` every pod that is wished,
// `of_file` those of this file.
struct BrokenFile {
  const api::ManifestFile& last_good;
  const node::Objects& objects;
  std::vector<const api::Pod*> all{};
  std::vector<const api::Pod*> of_file{};
};

// Those in memory as the file has them, then those that are missing, by name.
[[nodiscard]] std::vector<SecretAtRisk> secrets_at_risk(const BrokenFile& file);

}  // namespace berth::agent
