// SPDX-License-Identifier: Apache-2.0

// The manifest folder's state: from the content of its files to the wanted pods.
//
// A value with memory, and no I/O: `now` and the decoded files are passed in, so that a simulation
// runs the same code. It remembers each file's last good version (a broken file keeps its pods
// under berth's rules), which file defines each object (under them a second file never takes it
// over), and how many incarnations were made of each manifest. A pod stays the same value until its
// manifest changes: later changes of priority classes do not affect existing pods.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/sources/classes_in_force.hpp"
#include "agent/sources/found_pods.hpp"
#include "agent/sources/manifest_decoding.hpp"
#include "agent/sources/manifest_report.hpp"
#include "agent/sources/uid_owners.hpp"
#include "api/manifest/manifest.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/pods/beginning/incarnation_choice.hpp"
#include "node/objects.hpp"

namespace berth::agent {

using PodPtr = std::shared_ptr<const api::Pod>;

class ManifestFolder {
 public:
  explicit ManifestFolder(api::ManifestOptions options) : options_(std::move(options)) {}

  // Call once, before the first update: what already runs keeps its incarnation and its age.
  void recover(std::vector<FoundPod> found);

  struct Outcome {
    std::vector<PodPtr> desired{};                // by file, then by place in it
    std::vector<ManifestProblem> new_problems{};  // not reported before
    std::vector<std::string> mended_files{};      // were broken and no longer are
  };
  Outcome update(DecodedFolder content, WallTime now);

  // A new incarnation replacing `ended`, wanted from now on; null if no manifest wants it.
  PodPtr next_incarnation(const api::Pod& ended, WallTime now);

  // Forgets which pods there were, so that the memory of a folder that is edited for years stays
  // bounded: a manifest that is gone, once nothing is left of its pods, and what `recover` passed
  // in of pods that are gone. If such a manifest comes back, its first incarnation begins, as after
  // a restart of berthd. `is_left`: whether anything of the pod with this uid is left, or it is
  // desired.
  void forget_gone(const std::function<bool(const std::string& uid)>& is_left);

  // Which incarnation a pod is, with the question that led to it.
  struct Chosen {
    PodPtr pod{};
    lifecycle::IncarnationQuestion question{};  // without its pod
    lifecycle::IncarnationChoice choice{};
  };
  // What was chosen since the last call.
  [[nodiscard]] std::vector<Chosen> collect_choices();

  // How files are decoded here.
  [[nodiscard]] const api::ManifestOptions& options() const { return options_; }
  // Each file's text as it was used last: what need not be decoded again. A file that could not be
  // read is not in it.
  [[nodiscard]] KnownTexts known() const;
  [[nodiscard]] const ManifestReport& report() const { return report_; }
  // The file that wants the pod with this uid; empty if none does.
  [[nodiscard]] std::string file_of(const std::string& uid) const;
  // The wanted pods, by file.
  [[nodiscard]] std::map<std::string, std::vector<PodPtr>> pods_by_file() const;
  // Why a pod with this uid, if it were new, would be refused for its priority class; empty if it
  // would not.
  [[nodiscard]] std::string class_refusal(const std::string& uid) const;
  // The part of each file's last good version that is to be persisted; nothing under the kubelet's
  // rules, where a broken file has no such version.
  [[nodiscard]] LastGoodTexts good_texts() const;
  // Changes whenever a last good version does.
  [[nodiscard]] std::uint64_t good_version() const { return good_version_; }
  // The folder's objects other than pods: ConfigMaps, Secrets, PriorityClasses …
  [[nodiscard]] std::vector<const api::ManifestObject*> objects() const;
  // The objects of one kind.
  template <class Object>
  [[nodiscard]] std::vector<Object> stated() const {
    std::vector<Object> found;
    for (const api::ManifestObject* object : objects())
      if (const auto* one = std::get_if<Object>(object)) found.push_back(*one);
    return found;
  }
  // The folder's ConfigMaps and Secrets; the same pointer as long as none of them changes.
  [[nodiscard]] const node::ObjectsPtr& pod_objects() const { return pod_objects_; }

 private:
  struct File {
    std::optional<SharedText> text{};         // as last read; unset if it could not be
    std::optional<api::ManifestFile> good{};  // the version in force
    LastGoodTexts texts{};                    // of that version
    std::vector<ManifestProblem> problems{};
    bool broken = false;
  };
  // A manifest's pod; its key is the uid of its first incarnation, so an edit makes another entry.
  struct Entry {
    std::string file{};
    std::uint32_t incarnation = 1;
    PodPtr pod{};  // null if its priority class was refused
    bool present = false;
    std::set<std::string> former{};  // uids of earlier pods of which something may be left
    std::optional<std::string> adopted_uid{};  // given by a kubelet
    std::optional<Chosen> choice{};            // until there is a pod
  };

  // A file that defines an object.
  struct Claim {
    std::string file{};
    int line = 0;
    const api::ManifestPod* pod = nullptr;  // null if it is not a pod
  };

  // The manifest of the desired pod with this uid; null if there is none.
  struct DesiredManifest {
    const api::ManifestPod* manifest = nullptr;
    std::string key{};
  };
  [[nodiscard]] DesiredManifest desired_manifest(const std::string& uid) const;
  // The pod of a document, unless another one has its uid.
  struct Granted {
    PodPtr pod{};
    std::string key{};
    std::string file{};
    int line = 0;
  };
  void take_files(DecodedFolder& content);
  void take(const std::string& name, FileDecoded& read, File& file);
  [[nodiscard]] std::string why_all_stays(const DecodedFolder& content) const;
  void settle_ownership(std::vector<ManifestProblem>& problems);
  [[nodiscard]] ManifestProblem second_claim(const std::string& identity, const Claim& claim,
                                             const std::string& owner) const;
  [[nodiscard]] const std::string& first_owner(const std::vector<Claim>& claimants) const;
  [[nodiscard]] bool owns(const std::string& file, const api::ManifestObject& object) const;
  void collect_desired(WallTime now, std::vector<PodPtr>& desired,
                       std::vector<ManifestProblem>& problems);
  std::vector<PodPtr> with_own_uids(const std::vector<Granted>& granted,
                                    std::vector<ManifestProblem>& problems);
  PodPtr grant(const std::string& key, const std::string& file, const api::ManifestPod& manifest,
               int line, WallTime now, std::vector<ManifestProblem>& problems);
  [[nodiscard]] std::expected<PodPtr, ManifestProblem> make_pod(const api::ManifestPod& manifest,
                                                                const Entry& entry,
                                                                const FoundPod* found,
                                                                WallTime now) const;
  static void retire_pod(Entry& entry);
  const FoundPod* choose(Entry& entry, lifecycle::IncarnationQuestion question);
  void begin(Entry& entry, PodPtr pod);
  void collect_classes(std::vector<ManifestProblem>& problems);
  [[nodiscard]] std::string key_of(const api::ManifestPod& manifest, const std::string& file) const;
  void name_kept_pods(std::vector<ManifestProblem>& problems) const;
  [[nodiscard]] std::vector<SecretAtRisk> broken_secrets() const;
  void collect_pod_objects();

  api::ManifestOptions options_;
  std::map<std::string, File> files_{};
  std::uint64_t good_version_ = 0;
  std::map<std::string, std::string> owners_{};  // identity → file
  ClassesInForce classes_{};
  std::map<std::string, Entry> entries_{};  // also of manifests that are gone (forget_gone)
  UidOwners uid_owners_{};
  std::vector<FoundPod> found_{};
  std::vector<Chosen> chosen_{};
  node::ObjectsPtr pod_objects_ = std::make_shared<const node::Objects>();
  bool single_file_ = false;  // what it was when it last existed
  ManifestReport report_{};
};

}  // namespace berth::agent
