// SPDX-License-Identifier: Apache-2.0

// The progress of berthd from its start until it may report that it is ready: a restart must not
// look as if pods were gone.
//
// Nothing is done before the runtime has been listed and the sources have passed the desired pods.
// The first pass over the pods follows. Then berthd waits until every pod that was found running is
// shown, five seconds at most, and is ready: a pod about which the runtime does not answer must not
// hold up the others. Loop thread only.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/broadcast.hpp"
#include "base/clock.hpp"
#include "base/notification.hpp"

namespace berth::lifecycle {

class StartReadiness {
 public:
  explicit StartReadiness(const boost::asio::any_io_executor& executor);
  StartReadiness(const StartReadiness&) = delete;
  StartReadiness& operator=(const StartReadiness&) = delete;
  ~StartReadiness() = default;

  void note_runtime_listed();
  void note_sources_known() { sources_known_ = true; }
  [[nodiscard]] bool runtime_listed() const { return runtime_listed_; }
  // Whether both are known.
  [[nodiscard]] bool may_begin() const { return runtime_listed_ && sources_known_; }
  // Any number of waiters.
  [[nodiscard]] boost::asio::awaitable<void> until_runtime_listed();

  // True once both are known, for the first pass only.
  [[nodiscard]] bool begin_first_pass();

  // Adds a pod, by uid, that was found and is not shown yet. Call before await_first_looks.
  void expect(const std::string& uid) { unseen_.insert(uid); }
  // The pod is shown, or nothing of it is left.
  void note_seen(const std::string& uid);
  // Completes when every expected pod has been seen, or five seconds later; then it is ready.
  // Called once, after the first pass.
  [[nodiscard]] boost::asio::awaitable<void> await_first_looks(Clock& clock);

  [[nodiscard]] bool ready() const { return stage_ == Stage::kReady; }
  // One waiter.
  [[nodiscard]] boost::asio::awaitable<void> until_ready();

 private:
  enum class Stage : std::uint8_t { kBeforeFirstPass, kFirstLooks, kReady };

  bool runtime_listed_ = false;
  bool sources_known_ = false;
  Stage stage_ = Stage::kBeforeFirstPass;
  std::set<std::string> unseen_{};  // uids
  Broadcast listed_bell_;
  Notification seen_bell_;
  Notification ready_bell_;
};

}  // namespace berth::lifecycle
