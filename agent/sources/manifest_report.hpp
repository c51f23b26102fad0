// SPDX-License-Identifier: Apache-2.0

// The manifest folder's state, for `status` and `describe`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace berth::agent {

struct ManifestProblem {
  std::string file{};
  int line = 0;  // 0 if unknown
  int column = 0;
  std::string path{};  // of the field; empty for the whole document
  std::string message{};
  bool warning = false;  // the file is in force all the same
  // "namespace/name" of the pods that meanwhile run from this file's last good version.
  std::vector<std::string> kept_pods{};
  std::string reason = "InvalidManifest";  // of the event about it

  bool operator==(const ManifestProblem&) const = default;
};

// A Secret of a broken file.
enum class SecretState : std::uint8_t {
  kInMemoryOnly,  // a reboot would lose it
  kMissing,       // pods of the file need it, and nothing defines it
};

struct SecretAtRisk {
  std::string file{};
  std::string secret{};             // "namespace/name"
  std::vector<std::string> pods{};  // "namespace/name" of the pods that need it
  SecretState state = SecretState::kInMemoryOnly;

  bool operator==(const SecretAtRisk&) const = default;
};

struct ManifestReport {
  std::string path{};
  bool exists = false;
  std::string unreadable{};  // why the folder exists but cannot be read
  std::size_t files = 0;
  std::vector<ManifestProblem> problems{};
  std::vector<std::string> ignored_files{};
  std::vector<SecretAtRisk> secrets_at_risk{};  // of broken files

  bool operator==(const ManifestReport&) const = default;
};

}  // namespace berth::agent
