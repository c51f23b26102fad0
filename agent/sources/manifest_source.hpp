// SPDX-License-Identifier: Apache-2.0

// Feeds the manifest folder to the pod set: watches, reads, and passes on the wanted pods.
//
// inotify and the mount table trigger a look; reading, decoding and copying run on the blocking
// pool; ManifestFolder decides what it means. Starts once the runtime has been listed, so that what
// runs keeps its incarnation. Copies of last good versions are below the root directory: a file
// that was broken while berthd was down still keeps its pods. Their Secrets are on a tmpfs. Loop
// thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "agent/admission/node_admission.hpp"
#include "agent/serve/control_sources.hpp"
#include "agent/sources/folder_reader.hpp"
#include "agent/sources/folder_watch.hpp"
#include "agent/sources/manifest_copies.hpp"
#include "agent/sources/manifest_folder.hpp"
#include "agent/sources/mount_watch.hpp"
#include "base/notification.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::agent {

class ManifestSource final : public ManifestView, public lifecycle::IncarnationSource {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    Log& log;
    BlockingPool& pool;
    EventRecorder& events;
    lifecycle::Ledger& ledger;
    lifecycle::InHand& in_hand;
    scheduling::BudgetBook& budgets;
    NodeAdmission& admission;
  };

  ManifestSource(Services services, std::string path, CopyFolders copies,
                 api::ManifestOptions options);

  // Runs all three concurrently, until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> run(lifecycle::PodSet& pods);
  [[nodiscard]] boost::asio::awaitable<void> notice_changes();
  [[nodiscard]] boost::asio::awaitable<void> notice_mounts();

  [[nodiscard]] const ManifestReport& report() const override {
    return read_ ? folder_.report() : early_;
  }
  [[nodiscard]] std::string file_of(const api::Pod& pod) const override {
    return folder_.file_of(pod.metadata.uid);
  }
  [[nodiscard]] std::string class_refusal(const api::Pod& pod) const override {
    return folder_.class_refusal(pod.metadata.uid);
  }
  lifecycle::PodPtr next_incarnation(const api::Pod& ended) override;

 private:
  boost::asio::awaitable<void> read_copies();
  boost::asio::awaitable<void> read_once(lifecycle::PodSet& pods);
  boost::asio::awaitable<void> await_change();
  boost::asio::awaitable<void> keep_copies();
  void report_copies(const Copies& before);
  [[nodiscard]] std::set<std::string> being_written() const;
  void record_choices();
  void report_outcome(const ManifestFolder::Outcome& outcome);
  void report_to_pod(const ManifestProblem& problem, const api::Pod& pod);
  void report_to_operator(const ManifestProblem& problem, bool pod_reported);

  Services services_;
  std::string path_;
  CopyFolders copies_;
  ManifestFolder folder_;
  ManifestReport early_{};  // while the runtime has not been listed and nothing is read yet
  bool read_ = false;
  Copies copied_{};
  std::optional<std::uint64_t> kept_version_{};  // of the folder's last good versions
  FilesRead files_{};                            // of the last reading
  std::unique_ptr<FolderWatch> watch_{};         // null if inotify is not available
  std::unique_ptr<MountWatch> mounts_{};
  Notification stirred_;  // something was reported that may concern the folder
  bool changed_ = false;  // something was reported that concerns the folder
};

}  // namespace berth::agent
