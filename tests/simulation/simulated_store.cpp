#include "tests/simulation/simulated_store.hpp"

#include <utility>

namespace berth::simulation {
namespace {

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
      tasks_(loop, rethrow()),
      rung_(std::move(loop)) {
  tasks_.spawn("store writer", write_for_ever());
}

SimulatedStore::~SimulatedStore() = default;

std::vector<lifecycle::PodMemoryPtr> SimulatedStore::recall() {
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
    const auto takes = setup_.random.between(setup_.latency.low, setup_.latency.high);
    co_await clock_.sleep_for(takes);
    const bool fails = full_;
    if (!fails) ++transactions_;
    if (fails && setup_.trace != nullptr)
      setup_.trace->line(clock_.steady_now(), "store", "a commit fails: the disk is full");
    for (const auto& one : std::exchange(writing_, {})) {
      one->failed = fails;
      if (!fails) apply(one->batch);
      one->bell.notify();
    }
  }
}

void SimulatedStore::apply(const lifecycle::StoreBatch& batch) {
  for (const auto& memory : batch.keep) rows_.insert_or_assign(memory->uid, memory);
  for (const auto& uid : batch.forget) rows_.erase(uid);
}

boost::asio::awaitable<void> SimulatedStore::shutdown() {
  tasks_.request_stop();
  co_await tasks_.join();
}

}  // namespace berth::simulation
