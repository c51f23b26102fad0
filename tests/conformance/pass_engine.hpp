// SPDX-License-Identifier: Apache-2.0

// The engine of predict(): the world of one pass, and the steps that change it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "lifecycle/pod_actions.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "tests/conformance/pass_model.hpp"

namespace berth::conformance {

class PassEngine {
 public:
  PassEngine(const PassInput& input, Manners manners);
  [[nodiscard]] Pass run();

 private:
  using Container = lifecycle::RuntimeContainer;
  using Actions = lifecycle::PodActions;
  // How a start ended.
  enum class Outcome : std::uint8_t { kStarted, kHookFailed, kFailed, kRefused, kPulls };
  struct StartError {
    std::string reason{};
    std::string message{};
  };
  // What a start needs to know about its container, of any kind.
  struct Start {
    std::string name{};
    std::string image{};
    std::string pull_policy{};
    lifecycle::RestartIdentity identity{};
    bool has_post_start = false;
  };

  // The pass (pass_engine.cpp). True if something has changed, so that everything is decided again.
  bool turn();
  void look();
  [[nodiscard]] lifecycle::RuntimePod counting() const;
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] lifecycle::RuntimePod startable_view() const;
  [[nodiscard]] Actions decide() const;
  [[nodiscard]] bool rests(const std::string& name) const;
  void filter_refused(Actions& actions);
  void keep_decided_starts(const Actions& actions);
  void report_sandbox_change(const Actions& actions);
  bool create_sandbox(std::uint32_t attempt);

  // Stops and removals (pass_stops.cpp).
  bool kill_pod();
  [[nodiscard]] std::vector<lifecycle::ContainerKill> in_kill_order(
      std::vector<lifecycle::ContainerKill> kills) const;
  bool kill_listed(const std::vector<lifecycle::ContainerKill>& kills);
  bool stop(const Container& container, lifecycle::KillReason reason, const std::string& message,
            bool waited = false);
  [[nodiscard]] std::vector<Container> in_stop_order() const;
  [[nodiscard]] bool waits(const Container& container,
                           const std::vector<std::string>& running) const;
  bool end_pod();
  bool end_unknown_predecessors();
  void purge_init_containers();
  void prune();
  void remove_unstarted();
  void remove_all();
  void remove(const Container& container);

  // Starts (pass_starts.cpp).
  bool start_listed(const Actions& actions);
  [[nodiscard]] std::vector<Start> in_order(const Actions& actions) const;
  [[nodiscard]] Start start_of(const api::Container& container) const;
  bool start_again(const Actions& actions);
  Outcome start(const Start& what);
  Outcome started(const Start& what, Container& container);
  bool refused(const Start& what, bool exits_count);
  [[nodiscard]] bool needs_pull(const Start& what) const;
  std::optional<StartError> image_error(const Start& what);
  std::optional<StartError> create(const Start& what, std::string& id);
  [[nodiscard]] const Container* startable(const Start& what) const;
  [[nodiscard]] std::int32_t attempt_of(const std::string& name) const;

  [[nodiscard]] bool has(Manner manner) const { return manners_.has(manner); }
  [[nodiscard]] bool is_init(const std::string& name) const;
  [[nodiscard]] bool in_spec(const std::string& name) const;
  Container* find(const std::string& id);
  void call(boost::json::object call) { out_.calls.emplace_back(std::move(call)); }
  void event(std::string line) { out_.events.push_back(std::move(line)); }
  void result(std::string_view action, std::string_view target, std::string_view error = {},
              std::string_view message = {});

  // The progress of this pass's stops.
  struct Stops {
    std::set<std::string> reported{};     // ids
    std::set<std::string> failed{};       // ids, not retried
    std::set<std::string> sandboxes{};    // ids, stopped
    std::optional<std::int64_t> grace{};  // as set by an order
    bool of_pod = false;                  // everything running, until nothing is
    bool for_good = false;                // it has ended, or must end
    bool hold_others = false;             // a failed one holds up everything else
  };
  // The progress of its starts, by container name.
  struct Starts {
    std::set<std::string> present_images{};
    std::map<std::string, std::string> failed_pulls{};  // by image: the message
    std::set<std::string> pulled{};                     // the pull has a result
    std::set<std::string> begun{};                      // created or started
    std::set<std::string> failed{};                     // not retried in this pass
    std::set<std::string> hook_failed{};                // at the last start
    std::map<std::string, std::int32_t> next_attempt{};
    std::map<std::string, WallTime> reported{};  // refused until when
  };

  const PassInput& in_;
  Manners manners_;
  Pass out_{};
  lifecycle::RuntimePod world_{};  // current state
  lifecycle::RuntimePod seen_{};   // the state that decisions use
  std::vector<Container> removed_{};
  lifecycle::ProbeResults probes_{};
  lifecycle::RestartBackoff backoff_{};
  std::map<std::string, lifecycle::StartAgain> marks_{};  // by container id
  Stops stops_{};
  Starts starts_{};
  std::optional<std::uint32_t> reported_change_{};  // the sandbox's attempt
  std::string sandbox_{};                           // where containers are started
  bool over_ = false;                               // the same thing would be started again
};

}  // namespace berth::conformance
