// SPDX-License-Identifier: Apache-2.0

// How far berthd is, from its start until it may say that it is ready: a restart must not look as
// if pods were gone.
//
// Nothing is done before the runtime has been listed and the sources have handed in what is wished.
// The first pass over the pods follows. Then berthd waits until every pod that was found running is
// shown, five seconds at most, and is ready: a pod about which the runtime says nothing must not
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

  // True once, for the first pass, if both are known.
  [[nodiscard]] bool begin_first_pass();

  // A pod that was found and is not shown yet, by its uid; before the wait for it begins.
  void expect(const std::string& uid) { unseen_.insert(uid); }
  // A pod that is shown, or of which nothing is left.
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
