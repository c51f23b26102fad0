// SPDX-License-Identifier: Apache-2.0

// Graceful node shutdown: stops the pods in order before the machine shuts down, and recreates them
// afterwards.
//
// While no shutdown is announced, an inhibitor lock is held, which delays one. Once one is
// announced, no new pod is admitted (NodeShutdown), the node is not ready, the pods are stopped
// group by group (pod_shutdown.hpp), and the lock is released. If the shutdown is cancelled, no
// further pod is stopped, the node is as before, and the pods that were stopped or refused are
// recreated. They are also recreated when berthd starts and no shutdown is under way, as after a
// boot. A shutdown that is not announced, or that does not wait, is carried out when berthd is
// asked to stop for it (carry_out).
//
// Without groups nothing is delayed or stopped; pods that an earlier configuration stopped are
// recreated all the same. Loop thread only; its arguments outlive it, and it is stopped before it
// is destroyed.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "agent/shutdown/configured_shutdown.hpp"
#include "agent/shutdown/pod_shutdown.hpp"
#include "agent/shutdown/shutdown_complaint.hpp"
#include "base/task_group.hpp"
#include "systemd/login_manager.hpp"

namespace berth::agent {

class NodeShutdown {
 public:
  struct Services {
    boost::asio::any_io_executor executor{};
    Clock& clock;
    lifecycle::PodSet& pods;
    systemd::LoginManager& login;
    ShutdownReporter& reporter;
    TaskGroup::FailureHandler on_failure{};
  };
  NodeShutdown(Services services, ConfiguredShutdown configured);

  // Call once the running pods are known: before that an existing pod could seem to be missing.
  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // For a machine that shuts down without an announcement, or before all pods are stopped: stops
  // the pods in order, and completes when that is done, at once if it already is. Call only after
  // start().
  [[nodiscard]] boost::asio::awaitable<void> carry_out();

  [[nodiscard]] systemd::LoginManager& login() { return services_.login; }
  // What prevents a graceful shutdown; empty if nothing does.
  [[nodiscard]] ShutdownComplaint complaint() const;
  [[nodiscard]] const ConfiguredShutdown& configured() const { return configured_; }
  [[nodiscard]] bool shutting_down() const {
    return state_ == State::kAnnounced || state_ == State::kGoesOff;
  }

 private:
  enum class State : std::uint8_t {
    kUnknown,    // systemd-logind has neither answered nor failed yet
    kUp,         // nothing is announced
    kAnnounced,  // the machine is about to shut down
    kGoesOff,    // it is shutting down: nothing can cancel that any more
  };

  boost::asio::awaitable<void> follow_login();
  boost::asio::awaitable<void> stop_pods();
  boost::asio::awaitable<void> follow_pods();
  boost::asio::awaitable<void> follow_releases();
  void notice();
  void complain();
  void begin();
  void stay_up();
  void bring_back_all();
  void bring_back(const lifecycle::PodPtr& pod);

  const Services services_;
  const ConfiguredShutdown configured_;
  Broadcast changed_;  // a pod, or `state_`
  PodShutdown pods_;
  State state_ = State::kUnknown;
  std::uint64_t announcements_ = 0;
  std::uint64_t carried_out_ = 0;      // the last announcement that was carried out completely
  ShutdownComplaint complaint_{};      // the last one
  std::set<std::string> returning_{};  // uids of pods that make room for their next incarnation
  TaskGroup tasks_;
};

}  // namespace berth::agent
