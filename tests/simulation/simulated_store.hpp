// SPDX-License-Identifier: Apache-2.0

// The store's disk in virtual time: commits take a while, are grouped, and can fail.
//
// As in the real store, one writer takes everything that waits and makes it durable together, in
// the order of the calls; a caller that gives up waiting does not withdraw its batch. It outlives
// the agent. Loop thread only; `shutdown` must be awaited before it is destroyed.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "base/task_group.hpp"
#include "lifecycle/pod_store.hpp"
#include "tests/simulation/random.hpp"
#include "tests/simulation/runtime/runtime_faults.hpp"
#include "tests/simulation/state_file.hpp"
#include "tests/simulation/trace.hpp"

namespace berth::simulation {

struct StoreSetup {
  Random random{1};
  Span latency{std::chrono::microseconds(200), std::chrono::microseconds(200)};
  Trace* trace = nullptr;
  bool in_file = false;  // a real SQLite file
  // Called with what is wrong with the file.
  std::function<void(std::string)> complain{};
};

class SimulatedStore final : public lifecycle::PodStore {
 public:
  SimulatedStore(boost::asio::any_io_executor loop, Clock& clock, StoreSetup setup);
  ~SimulatedStore() override;

  std::vector<lifecycle::PodMemoryPtr> recall() override;
  boost::asio::awaitable<Result<bool>> commit(lifecycle::StoreBatch batch) override;

  // What the fake world can do to it.
  void set_full(bool full);
  void set_latency(Span latency);
  void mend();  // it is neither full nor slow
  // berthd is killed: what is being written is kept or lost as a whole; what waits is lost.
  void crash(bool written);
  // Called while no berthd runs: the next one begins with an empty file.
  void lose(bool damaged);
  // The machine goes off: writes that were only to outlive berthd are lost, unless a later write
  // was made to outlive the machine.
  void lose_power();
  // berthd stops in good order: writes everything that waits.
  void flush();

  // Something is on its way to the disk: a crash keeps or loses it.
  [[nodiscard]] bool writing() const { return !writing_.empty(); }

  // Whether the disk has been neither full nor slow for that long.
  [[nodiscard]] bool calm(Nanoseconds time) const;

  // Whether its row has fallen back to before the last writes, which were lost with the machine,
  // and was not written since.
  [[nodiscard]] bool fell_back(const std::string& uid) const { return fallen_back_.contains(uid); }

  // What is durable now.
  [[nodiscard]] const std::map<std::string, lifecycle::PodMemoryPtr>& rows() const { return rows_; }
  [[nodiscard]] std::uint64_t transactions() const { return transactions_; }

  [[nodiscard]] boost::asio::awaitable<void> shutdown();

 private:
  struct Waiting {
    Waiting(boost::asio::any_io_executor loop, lifecycle::StoreBatch what)
        : batch(std::move(what)), bell(std::move(loop)) {}
    lifecycle::StoreBatch batch;
    Notification bell;
    bool failed = false;
  };
  using WaitingPtr = std::shared_ptr<Waiting>;

  boost::asio::awaitable<void> write_for_ever();
  void say(const std::string& what);
  void trace_change(const lifecycle::PodMemory* before, const lifecycle::PodMemory& memory);
  void apply(const lifecycle::StoreBatch& batch);
  void apply_all(const std::vector<WaitingPtr>& group);
  void compare(const std::map<std::string, lifecycle::PodMemoryPtr>& read);
  [[nodiscard]] bool in_trouble() const;

  boost::asio::any_io_executor loop_;
  Clock& clock_;
  StoreSetup setup_;
  Span latency_;  // at present
  TaskGroup tasks_;
  Notification rung_;
  std::deque<WaitingPtr> waiting_{};
  std::vector<WaitingPtr> writing_{};
  std::map<std::string, lifecycle::PodMemoryPtr> rows_{};
  // For rows whose newest version only the kernel has: the version on disk; null if there is none.
  std::map<std::string, lifecycle::PodMemoryPtr> on_disk_{};
  std::set<std::string> fallen_back_{};  // uids
  std::optional<StateFile> file_{};
  std::uint64_t transactions_ = 0;
  bool full_ = false;
  bool slow_commit_ = false;  // one is under way, even if the disk is fast by now
  SteadyTime mended_{};       // the end of the last trouble
};

}  // namespace berth::simulation
