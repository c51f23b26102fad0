// SPDX-License-Identifier: Apache-2.0

// Removes unused images when their disk fills up or they grow old.
//
// Checks all images periodically; node/image_gc.hpp decides which are removed, one after another.
// Images are detected every five minutes at least, also if none is removed periodically: those that
// are known for a while can go under disk pressure.
// Images in use are those that containers were made from, those that pods to be run name, and those
// of sandboxes. Nothing is removed on a guess: if the runtime does not report what it has, the
// round fails. A round that removes something, or that fails, is recorded in the ledger, about the
// node. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "agent/events/event_recorder.hpp"
#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/ledger/image_collection_question.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "node/image_gc.hpp"

namespace berth::agent {

// The images of all pods that have not ended, as named in lists of images.
[[nodiscard]] std::set<std::string> wanted_images(const std::vector<lifecycle::PodPtr>& pods);

// The file system that `path` is on. Blocking.
[[nodiscard]] Result<node::ImageFileSystem> image_file_system(const std::string& path);

class ImageCollector {
 public:
  struct Services {
    Clock& clock;
    Log& log;
    BlockingPool& pool;
    cri::Runtime& runtime;
    cri::Images& images;
    EventRecorder& events;
    lifecycle::Ledger* ledger = nullptr;              // null if nothing is recorded
    std::string node{};                               // its name, for the ledger
    std::function<std::set<std::string>()> wanted{};  // see wanted_images
    // See image_file_system; called on the pool.
    std::function<Result<node::ImageFileSystem>(const std::string& mountpoint)> measure{};
  };

  ImageCollector(Services services, node::ImageGcPolicy policy, Nanoseconds period);

  // Runs until cancelled: a round now (which only records what is there), and one each period
  // unless the policy removes nothing.
  [[nodiscard]] boost::asio::awaitable<void> run();
  // One round; returns the bytes freed, by the sizes that the runtime reports. Under disk pressure
  // everything unused and not too young is removed.
  [[nodiscard]] boost::asio::awaitable<Result<std::int64_t>> collect(node::ImageGcCause cause);

  [[nodiscard]] const node::KnownImages& known() const { return known_; }
  // kubelet_image_garbage_collected_total; a series begins with its first image.
  void write_metrics(std::string& out) const;

 private:
  struct Used {
    std::set<std::string> names{};
    std::string mountpoint{};
  };

  boost::asio::awaitable<void> periodic_round();
  [[nodiscard]] boost::asio::awaitable<Result<Used>> used_now();
  // Updates the known images; returns where the runtime keeps them.
  [[nodiscard]] boost::asio::awaitable<Result<std::string>> detect();
  [[nodiscard]] boost::asio::awaitable<Result<node::ImageGcInput>> look(node::ImageGcCause cause);
  // `round`: when it began.
  [[nodiscard]] boost::asio::awaitable<node::ImageRemoval> remove(node::ImageGcStep step,
                                                                  WallTime round);
  void report_failure(const node::ImageGcFailure& failure);

  Services services_;
  node::ImageGcPolicy policy_;
  Nanoseconds period_;
  lifecycle::PodLedger book_;
  SteadyTime began_;
  node::KnownImages known_{};
  std::map<node::ImageGcReason, std::uint64_t> removed_{};
  int failed_in_a_row_ = 0;
};

}  // namespace berth::agent
