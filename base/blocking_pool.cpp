// SPDX-License-Identifier: Apache-2.0

#include "base/blocking_pool.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <list>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/suspend.hpp"

namespace berth {
namespace {

// Includes the replacements for stuck threads. If this many are stuck, an operator must intervene.
constexpr std::size_t kMostThreads = 32;
// The slowest legitimate work, a large manifest on a busy machine, takes a second.
constexpr auto kStuckAfter = std::chrono::seconds(10);
// Allows for work that was given up but ends at the same moment.
constexpr auto kLastMoment = std::chrono::milliseconds(100);

std::exception_ptr run_catching(const std::function<void()>& job) {
  try {
    job();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

// One call, shared by the loop and the thread that executes it.
struct Pending {
  std::string what{};
  bool foreign = false;
  SteadyTime asked{};                 // if it waits for its turn
  std::optional<SteadyTime> begun{};  // unset while it waits for a thread
  std::function<void()> job{};
  Waiter waiter{};  // unset if the work was given up
  bool stuck = false;
  bool waited_long = false;  // for its turn, and that is known
  std::exception_ptr failure{};
};
using PendingPtr = std::shared_ptr<Pending>;

}  // namespace

// Used on the loop only, except `Home`, which threads use and which stays alive as long as they do.
struct BlockingPool::Impl {
  struct Home {
    Home(boost::asio::any_io_executor executor, Impl& pool)
        : loop(std::move(executor)), impl(&pool) {}

    boost::asio::any_io_executor loop;
    std::mutex mutex{};
    Impl* impl;  // null once the pool is destroyed
  };
  struct Thread {
    std::thread thread{};
    std::shared_ptr<std::promise<void>> ended{};
    std::future<void> end{};
  };

  Impl(boost::asio::any_io_executor executor, Clock& time, Options given)
      : home(std::make_shared<Home>(std::move(executor), *this)),
        clock(time),
        options(std::move(given)) {
    if (options.threads == 0) return;
    queue = std::make_shared<boost::asio::thread_pool>(std::size_t{0});
    add_thread();
    for (unsigned i = 1; i < options.threads; ++i) try_to_add_thread();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    end_waiting();
    if (queue) queue->wait();  // threads end once nothing is queued
    for (Thread& one : threads) {
      const bool left_behind =
          !abandoned.empty() && one.end.wait_for(kLastMoment) != std::future_status::ready;
      if (left_behind)
        one.thread.detach();
      else
        one.thread.join();
    }
    const std::lock_guard lock(home->mutex);
    home->impl = nullptr;
  }

  void add_thread() {
    Thread one{.ended = std::make_shared<std::promise<void>>()};
    one.end = one.ended->get_future();
    one.thread = std::thread([queue = queue, ended = one.ended] {
      queue->attach();
      ended->set_value();
    });
    threads.push_back(std::move(one));
  }

  // If the machine cannot create another thread, the existing ones must suffice.
  void try_to_add_thread() {
    try {
      add_thread();
    } catch (const std::system_error&) {
    }
  }

  void begin(const PendingPtr& pending) {
    if (closed)
      return resume(home->loop, std::move(pending->waiter), boost::asio::error::operation_aborted);
    if (!pending->foreign || may_begin_foreign()) return hand_over(pending);
    pending->asked = clock.steady_now();
    waiting.push_back(pending);
    look_later();
  }

  // Whether more work on foreign files may be handed to the threads.
  [[nodiscard]] bool may_begin_foreign() const {
    if (!queue) return true;
    std::size_t foreign = 0;
    std::size_t held = 0;  // threads, by that and by all that is stuck
    for (const PendingPtr& pending : under_way) {
      if (pending->foreign) ++foreign;
      if (pending->foreign || pending->stuck) ++held;
    }
    // The only one begins even if there is one thread only.
    return foreign == 0 || (foreign < kForeignAtMost && held + 1 < threads.size());
  }

  void hand_over(const PendingPtr& pending) {
    under_way.push_back(pending);
    note_begun();
    auto work = [home = home, pending] { carry_out(home, pending); };
    if (!queue) return boost::asio::post(home->loop, std::move(work));
    boost::asio::post(*queue, std::move(work));
    look_later();
  }

  static void carry_out(const std::shared_ptr<Home>& home, const PendingPtr& pending) {
    pending->failure = run_catching(pending->job);
    pending->job = nullptr;  // destroys captured state on the thread that used it
    const std::lock_guard lock(home->mutex);
    if (home->impl == nullptr) return;
    boost::asio::post(home->loop, [home, pending] {
      if (home->impl != nullptr) home->impl->done(pending);
      if (pending->waiter) std::move(pending->waiter)({});
    });
  }

  void done(const PendingPtr& pending) {
    under_way.remove(pending);
    begin_waiting();
    if (under_way.empty()) return look.reset();
    note_begun();
    look_later();
  }

  void begin_waiting() {
    while (!waiting.empty() && may_begin_foreign()) {
      const PendingPtr next = waiting.front();
      waiting.pop_front();
      hand_over(next);
    }
  }

  // A cancelled wait for a turn ends; work that was handed over is awaited.
  void stop_waiting_if_cancelled(const PendingPtr& pending, const Waiter& waiter) {
    on_cancel(waiter, [home = home, weak = std::weak_ptr(pending)] {
      const PendingPtr one = weak.lock();
      if (!one || home->impl == nullptr || home->impl->waiting.remove(one) == 0) return;
      resume(home->loop, std::move(one->waiter), boost::asio::error::operation_aborted);
    });
  }

  // Threads take work in order, so that each of them is at one of the oldest.
  void note_begun() {
    std::size_t taken = 0;
    for (const PendingPtr& pending : under_way) {
      if (++taken > threads.size()) return;
      if (!pending->begun) pending->begun = clock.steady_now();
    }
  }

  // When the oldest work that is not stuck yet may be, or has waited for as long behind stuck work;
  // unset if no such work is under way.
  [[nodiscard]] std::optional<SteadyTime> next_look() const {
    std::optional<SteadyTime> since;
    for (const PendingPtr& pending : under_way) {
      if (!pending->begun || pending->stuck) continue;
      since = pending->begun;
      break;
    }
    for (const PendingPtr& pending : waiting) {
      if (pending->waited_long) continue;
      since = std::min(since.value_or(pending->asked), pending->asked);
      break;
    }
    return since ? std::optional(*since + kStuckAfter) : std::nullopt;
  }

  // Not once work was given up: an alarm would keep the loop running.
  void look_later() {
    const auto next = next_look();
    if (look || !next || closed) return;
    look = clock.call_at(home->loop, *next, [this] {
      look.reset();
      find_stuck();
      look_later();
    });
  }

  void find_stuck() {
    const SteadyTime now = clock.steady_now();
    for (const PendingPtr& pending : under_way) {
      if (pending->stuck || !pending->begun || now - *pending->begun < kStuckAfter) continue;
      pending->stuck = true;
      if (threads.size() < kMostThreads) try_to_add_thread();
      note_begun();
      if (options.on_stuck) options.on_stuck(work_of(*pending));
    }
    begin_waiting();
    for (const PendingPtr& pending : waiting) {
      if (pending->waited_long || now - pending->asked < kStuckAfter) continue;
      pending->waited_long = true;
      if (options.on_stuck) options.on_stuck(work_of(*pending));
    }
  }

  // Describes work that a thread took, or that waits for its turn.
  [[nodiscard]] Work work_of(const Pending& pending) const {
    if (pending.begun) return {.what = pending.what, .since = *pending.begun};
    const auto first =
        std::ranges::find_if(under_way, [](const PendingPtr& one) { return one->foreign; });
    return {.what = pending.what,
            .since = pending.asked,
            .behind = first == under_way.end() ? std::string() : (*first)->what};
  }

  void give_up() {
    closed = true;
    for (const PendingPtr& pending : under_way) {
      if (!pending->waiter) continue;
      // What still waits for a thread waits for work that has begun.
      if (pending->begun) abandoned.push_back({.what = pending->what, .since = *pending->begun});
      resume(home->loop, std::move(pending->waiter), boost::asio::error::operation_aborted);
    }
    end_waiting();
    look.reset();
  }

  void end_waiting() {
    for (const PendingPtr& pending : std::exchange(waiting, {}))
      resume(home->loop, std::move(pending->waiter), boost::asio::error::operation_aborted);
  }

  std::shared_ptr<Home> home;
  Clock& clock;
  Options options;
  std::shared_ptr<boost::asio::thread_pool> queue{};  // null if the pool is inline
  std::vector<Thread> threads{};
  std::list<PendingPtr> under_way{};
  std::list<PendingPtr> waiting{};  // for their turn, in order
  Alarm look{};
  bool closed = false;
  std::vector<Work> abandoned{};
};

BlockingPool::BlockingPool(boost::asio::any_io_executor loop, Clock& clock, Options options)
    : impl_(std::make_unique<Impl>(std::move(loop), clock, std::move(options))) {}

BlockingPool::~BlockingPool() = default;

boost::asio::awaitable<void> BlockingPool::execute(std::string what, std::function<void()> job,
                                                   Files files) {
  auto pending = std::make_shared<Pending>(
      Pending{.what = std::move(what), .foreign = files == Files::kForeign, .job = std::move(job)});
  auto start = [impl = impl_.get(), pending](Waiter waiter) {
    if (pending->foreign) impl->stop_waiting_if_cancelled(pending, waiter);
    pending->waiter = std::move(waiter);
    impl->begin(pending);
  };
  auto suspended = suspend(std::move(start));
  co_await std::move(suspended);
  if (pending->failure) std::rethrow_exception(pending->failure);
}

void BlockingPool::begin(std::string what, std::function<void()> job, std::function<void()> done) {
  const auto pending =
      std::make_shared<Pending>(Pending{.what = std::move(what), .job = std::move(job)});
  // The pool holds what is pending until it has called its waiter.
  auto then = [one = pending.get(), done = std::move(done)](boost::system::error_code outcome) {
    if (outcome) return;
    if (one->failure) std::rethrow_exception(one->failure);
    done();
  };
  pending->waiter = Waiter(std::in_place, std::move(then));
  impl_->begin(pending);
}

std::string BlockingPool::text(const Work& work, SteadyTime now) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now - work.since).count();
  if (!work.behind.empty())
    return work.what + " has waited for " + std::to_string(seconds) +
           " s for its turn: " + work.behind + " has not returned";
  return work.what + " has not returned for " + std::to_string(seconds) +
         " s: its file system or systemd does not answer";
}

std::vector<BlockingPool::Work> BlockingPool::stuck() const {
  std::vector<Work> found;
  for (const PendingPtr& pending : impl_->under_way)
    if (pending->stuck) found.push_back(impl_->work_of(*pending));
  for (const PendingPtr& pending : impl_->waiting)
    if (pending->waited_long) found.push_back(impl_->work_of(*pending));
  return found;
}

void BlockingPool::give_up() {
  impl_->give_up();
}

const std::vector<BlockingPool::Work>& BlockingPool::abandoned() const {
  return impl_->abandoned;
}

}  // namespace berth
