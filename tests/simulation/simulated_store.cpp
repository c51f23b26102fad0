// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/simulated_store.hpp"

#include <utility>

#include <fmt/core.h>

#include "agent/store/memory_json.hpp"

namespace berth::simulation {
namespace {

// A longer commit means that the disk is in trouble.
constexpr Nanoseconds kSlow = std::chrono::milliseconds(300);

TaskGroup::FailureHandler rethrow() {
  return [](std::string_view /*task*/, std::exception_ptr failure) {
    std::rethrow_exception(std::move(failure));
  };
}

}  // namespace

SimulatedStore::SimulatedStore(boost::asio::any_io_executor loop, Clock& clock, StoreSetup setup)
    : loop_(loop),
      clock_(clock),
      setup_(std::move(setup)),
      latency_(setup_.latency),
      tasks_(loop, rethrow()),
      rung_(std::move(loop)) {
  if (setup_.in_file) file_.emplace(clock_.wall_now());
  tasks_.spawn("store writer", write_for_ever());
}

SimulatedStore::~SimulatedStore() = default;

std::vector<lifecycle::PodMemoryPtr> SimulatedStore::recall() {
  if (file_) {
    auto read = file_->read_again(clock_.wall_now());
    compare(read);
    rows_ = std::move(read);
  }
  std::vector<lifecycle::PodMemoryPtr> memories;
  for (const auto& [uid, memory] : rows_) memories.push_back(memory);
  return memories;
}

boost::asio::awaitable<Result<bool>> SimulatedStore::commit(lifecycle::StoreBatch batch) {
  auto waiting = std::make_shared<Waiting>(loop_, std::move(batch));
  waiting_.push_back(waiting);
  rung_.notify();
  co_await waiting->bell.wait();
  if (waiting->failed) co_return fail(ErrorCode::kUnavailable, "database or disk is full");
  co_return true;
}

boost::asio::awaitable<void> SimulatedStore::write_for_ever() {
  for (;;) {
    if (waiting_.empty()) co_await rung_.wait();
    writing_.assign(waiting_.begin(), waiting_.end());
    waiting_.clear();
    if (writing_.empty()) continue;
    const auto takes = setup_.random.between(latency_.low, latency_.high);
    slow_commit_ = takes > kSlow;
    co_await clock_.sleep_for(takes);
    if (std::exchange(slow_commit_, false)) mended_ = clock_.steady_now();
    const bool fails = full_;
    if (!fails) ++transactions_;
    if (fails) say("a commit fails: the disk is full");
    const auto written = std::exchange(writing_, {});
    if (!fails) apply_all(written);
    for (const auto& one : written) {
      one->failed = fails;
      one->bell.notify();
    }
  }
}

void SimulatedStore::set_full(bool full) {
  if (in_trouble()) mended_ = clock_.steady_now();
  full_ = full;
}

void SimulatedStore::set_latency(Span latency) {
  if (in_trouble()) mended_ = clock_.steady_now();
  latency_ = latency;
}

void SimulatedStore::mend() {
  set_full(false);
  set_latency(setup_.latency);
}

bool SimulatedStore::in_trouble() const {
  return full_ || slow_commit_ || latency_.high > kSlow;
}

bool SimulatedStore::calm(Nanoseconds time) const {
  if (in_trouble()) return false;
  return mended_ == SteadyTime{} || clock_.steady_now() - mended_ > time;
}

void SimulatedStore::crash(bool written) {
  const auto group = std::exchange(writing_, {});
  if (written && !full_) apply_all(group);
  waiting_.clear();
}

void SimulatedStore::lose_power() {
  for (const auto& [uid, memory] : std::exchange(on_disk_, {})) {
    say(uid + " is on the disk as it was before its end was ordered");
    lifecycle::StoreBatch before;
    if (memory)
      before.keep.push_back(memory);
    else
      before.forget.push_back(uid);
    apply(before);
    fallen_back_.insert(uid);
  }
}

void SimulatedStore::flush() {
  auto group = std::exchange(writing_, {});
  const auto waiting = std::exchange(waiting_, {});
  group.insert(group.end(), waiting.begin(), waiting.end());
  if (!full_) apply_all(group);
  on_disk_.clear();
}

void SimulatedStore::say(const std::string& what) {
  if (setup_.trace != nullptr) setup_.trace->line(clock_.steady_now(), "store", what);
}

// Traces what a reader needs: that the pod is known at all, its end, its verdict.
void SimulatedStore::trace_change(const lifecycle::PodMemory* before,
                                  const lifecycle::PodMemory& memory) {
  using lifecycle::Verdict;
  const auto verdict = before == nullptr ? Verdict::kNone : before->verdict;
  if (before == nullptr) say(memory.uid + " is stored");
  if (removes(memory.end) && (before == nullptr || before->end != memory.end))
    say(fmt::format("{} is to end, within {} s", memory.uid, memory.end->grace_seconds));
  if (memory.verdict == verdict) return;
  static constexpr const char* kWords[] = {"runs", "is refused", "is finished", "has ended",
                                           "was collected"};
  say(fmt::format("{} {}", memory.uid, kWords[static_cast<int>(memory.verdict)]));
}

// Applied as one transaction.
void SimulatedStore::apply_all(const std::vector<WaitingPtr>& group) {
  bool synced = false;
  for (const auto& one : group) {
    synced = synced || one->batch.outlives == lifecycle::Outlives::kMachine;
    for (const auto& memory : one->batch.keep) {
      const auto row = rows_.find(memory->uid);
      on_disk_.try_emplace(memory->uid, row == rows_.end() ? nullptr : row->second);
    }
    apply(one->batch);
  }
  if (synced) on_disk_.clear();
}

void SimulatedStore::apply(const lifecycle::StoreBatch& batch) {
  for (const auto& memory : batch.keep) {
    fallen_back_.erase(memory->uid);
    auto& row = rows_[memory->uid];
    trace_change(row.get(), *memory);
    row = memory;
  }
  for (const auto& uid : batch.forget)
    if (rows_.erase(uid) > 0) say(uid + " is forgotten");
  if (file_) file_->put(batch, clock_.wall_now());
}

// What is read must equal what was written, in every field.
void SimulatedStore::compare(const std::map<std::string, lifecycle::PodMemoryPtr>& read) {
  for (const auto& [uid, memory] : rows_) {
    const auto row = read.find(uid);
    if (row == read.end())
      setup_.complain("the state file has not kept " + uid);
    else if (const auto is = agent::memory_text(*row->second), was = agent::memory_text(*memory);
             is != was)
      setup_.complain(fmt::format("the state file says of {}: {}; written was {}", uid, is, was));
  }
  for (const auto& [uid, memory] : read)
    if (!rows_.contains(uid)) setup_.complain("the state file still has " + uid);
}

void SimulatedStore::lose(bool damaged) {
  say(damaged ? "the state file is damaged" : "the state file is lost");
  rows_.clear();
  on_disk_.clear();
  if (file_) damaged ? file_->damage() : file_->lose();
  mended_ = clock_.steady_now();
}

boost::asio::awaitable<void> SimulatedStore::shutdown() {
  tasks_.request_stop();
  co_await tasks_.join();
}

}  // namespace berth::simulation
