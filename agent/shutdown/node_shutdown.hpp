// SPDX-License-Identifier: Apache-2.0

// Graceful node shutdown: before the machine goes off its pods are stopped in order, and what was
// stopped comes back afterwards.
//
// While nothing is announced the machine's end is delayed by an inhibitor lock. Once it is
// announced, no new pod is let in (NodeShutdown), the node is not ready, the pods are stopped group
// by group (pod_shutdown.hpp), and the lock is let go. If the end is called off, no further pod is
// stopped, the node is as before, and those that were stopped or refused come back; so they do when
// berthd starts and no shutdown is under way, which is after the boot. A shutdown that nobody
// announces, or that does not wait, is carried out when berthd is told to stop for it (carry_out).
//
// Without groups nothing is delayed or stopped; what an earlier configuration stopped comes back
// all the same. Loop thread only; what it is given outlives it, and it is stopped before it is
// destroyed.
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
    ShutdownTeller& teller;
    TaskGroup::FailureHandler on_failure{};
  };
  NodeShutdown(Services services, ConfiguredShutdown configured);

  // Once what runs is known: before that a pod could look as if it were not there.
  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // For a machine that goes off without an announcement, or before all is done: stops the pods in
  // order, and completes when that is done; at once if it is. Only after start().
  [[nodiscard]] boost::asio::awaitable<void> carry_out();

  [[nodiscard]] systemd::LoginManager& login() { return services_.login; }
  // What keeps it from being carried out; empty: nothing.
  [[nodiscard]] ShutdownComplaint complaint() const;
  [[nodiscard]] const ConfiguredShutdown& configured() const { return configured_; }
  [[nodiscard]] bool shutting_down() const {
    return state_ == State::kAnnounced || state_ == State::kGoesOff;
  }

 private:
  enum class State : std::uint8_t {
    kUnknown,    // nobody has been heard yet
    kUp,         // nothing is announced
    kAnnounced,  // the machine goes off
    kGoesOff,    // it does so already: nothing calls that off any more
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
  std::uint64_t carried_out_ = 0;      // the last announcement of which all is done
  ShutdownComplaint complaint_{};      // the last one
  std::set<std::string> returning_{};  // uids of pods that make room for their next incarnation
  TaskGroup tasks_;
};

}  // namespace berth::agent
