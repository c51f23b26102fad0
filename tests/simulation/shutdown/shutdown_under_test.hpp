// SPDX-License-Identifier: Apache-2.0

// The shutdown of the node in one life of berthd: what berthd runs
// (agent/shutdown/node_shutdown.hpp) with its journal, over the simulated login manager and behind
// the life's gate.
#pragma once

#include "agent/events/event_recorder.hpp"
#include "agent/shutdown/node_shutdown.hpp"
#include "agent/shutdown/shutdown_journal.hpp"
#include "tests/simulation/gate.hpp"
#include "tests/simulation/shutdown/shutdown_invariants.hpp"
#include "tests/simulation/shutdown/simulated_login_manager.hpp"

namespace berth::simulation {

class ShutdownUnderTest final : private systemd::LoginManager, private agent::ShutdownReporter {
 public:
  struct Setup {
    boost::asio::any_io_executor loop;
    Clock& clock;
    Gate& gate;
    Log& log;
    lifecycle::PodSet& pods;
    SimulatedLoginManager& login;
    ShutdownInvariants& checks;
    lifecycle::Ledger* ledger = nullptr;  // may be null
    TaskGroup::FailureHandler on_failure{};
  };
  explicit ShutdownUnderTest(const Setup& setup);

  void start() {
    shutdown_.start();
    started_ = true;
  }
  // As berthd does when it is stopped because the machine shuts down.
  [[nodiscard]] boost::asio::awaitable<void> carry_out();
  [[nodiscard]] boost::asio::awaitable<void> stop() { return shutdown_.stop(); }

 private:
  [[nodiscard]] const systemd::LoginState& state() const override { return setup_.login.state(); }
  [[nodiscard]] boost::asio::awaitable<void> changed() override;
  [[nodiscard]] boost::asio::awaitable<void> ask(Nanoseconds limit) override;
  void delay() override;
  void let_go() override;

  void announced(bool shutting_down) override;
  void ordered(const lifecycle::PlannedStop& stop, const lifecycle::ShutdownGroup& group,
               const lifecycle::Ending& ending) override;
  void left_behind(const lifecycle::ShutdownGroup& group, const agent::LeftBehind& left) override;
  void exceeded_grace_period(const api::Pod& pod) override;
  void all_stopped() override;
  void comes_back(const api::Pod& pod) override;
  void complains(const std::string& complaint) override;

  Setup setup_;
  agent::EventRecorder events_;
  agent::ShutdownJournal journal_;
  agent::NodeShutdown shutdown_;
  bool started_ = false;
};

}  // namespace berth::simulation
