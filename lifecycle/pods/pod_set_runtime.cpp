// How the pod set hears the runtime: its event stream, and the seldom relist under it.

#include "lifecycle/pods/pod_set.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/pod_worker.hpp"
#include "lifecycle/relist.hpp"
#include "node/cgroup_driver.hpp"

namespace berth::lifecycle {

using namespace std::chrono_literals;

namespace {

// While the runtime does not answer: first soon, then every 5 s.
constexpr Nanoseconds kFirstRetry = 100ms;
constexpr Nanoseconds kSlowestRetry = 5s;
// An exit of just before the event stream was open is shown by then, and no event tells of it.
constexpr Nanoseconds kExitsShown = 1s;
// It is answered from memory.
constexpr Nanoseconds kSetupWithin = 10s;
// A stop can be told before the call that made the thing has answered; older ones are forgotten.
constexpr std::size_t kUnclaimedKept = 256;

}  // namespace

boost::asio::awaitable<void> PodSet::run_worker(std::string uid,
                                                std::shared_ptr<PodWorker> worker) {
  co_await worker->run();
  finished(uid);
}

// What probes have to say is their pod's worker's business.
void PodSet::result_changed(const probes::ProbeChange& change) {
  if (PodWorker* worker = records_.worker_of(change.pod.uid)) worker->probe_changed(change);
}

void PodSet::event(const probes::ProbeEvent& told) {
  if (PodWorker* worker = records_.worker_of(told.pod.uid)) worker->probe_told(told);
}

boost::asio::awaitable<void> PodSet::pump_events() {
  for (;;) {
    const cri::Event event = co_await services_.stream->next();
    handle(event);
  }
}

void PodSet::handle(const cri::Event& event) {
  if (event.type == cri::EventType::kResubscribed) {
    resubscribed_ = true;
    PodOrders orders;
    orders.runtime_back = true;
    tell_all(orders);
    relist_bell_.notify();
    return;
  }
  if (event.type != cri::EventType::kStopped) return;
  const StopNews news{.at = event.at, .exit_code = event.exit_code};
  for (const auto& [uid, record] : records_) {
    if (!record->worker || !record->worker->owns(event.id)) continue;
    PodOrders orders;
    orders.stopped.emplace(event.id, news);
    record->worker->post(std::move(orders));
    return;
  }
  if (!unclaimed_.try_emplace(event.id, news).second) return;
  unclaimed_order_.push_back(event.id);
  if (unclaimed_order_.size() > kUnclaimedKept) {
    unclaimed_.erase(unclaimed_order_.front());
    unclaimed_order_.pop_front();
  }
}

void PodSet::claim(const std::string& uid, const std::string& id) {
  const auto news = unclaimed_.find(id);
  if (news == unclaimed_.end()) return;
  if (PodWorker* worker = records_.worker_of(uid)) {
    PodOrders orders;
    orders.stopped.emplace(id, news->second);
    worker->post(std::move(orders));
  }
  unclaimed_.erase(news);
  std::erase(unclaimed_order_, id);
}

void PodSet::tell_all(const PodOrders& orders) {
  for (const auto& [uid, record] : records_)
    if (record->worker) record->worker->post(orders);
}

std::map<std::string, BelievedPod> PodSet::believed() const {
  std::map<std::string, BelievedPod> believed;
  for (const auto& [uid, record] : records_)
    if (record->worker) believed.emplace(uid, record->worker->believed());
  return believed;
}

boost::asio::awaitable<void> PodSet::watch_runtime() {
  Clock& clock = *services_.clock;
  Nanoseconds retry = kFirstRetry;
  std::optional<SteadyTime> once_more;
  for (;;) {
    const SteadyTime began = clock.steady_now();
    const bool resubscribed = std::exchange(resubscribed_, false);
    const bool done = co_await relist(resubscribed, resubscribed || once_more);
    SteadyTime next = clock.steady_now();
    if (done) {
      retry = kFirstRetry;
      if (resubscribed)
        once_more = began + kExitsShown;
      else if (once_more && began >= *once_more)
        once_more.reset();
      next += services_.stream->connected() ? options_.relist_period
                                            : options_.relist_period_without_stream;
      if (once_more) next = *once_more;
    } else {
      next += retry;
      retry = std::min(retry * 2, kSlowestRetry);
      resubscribed_ = resubscribed_ || resubscribed;
    }
    co_await relist_bell_.wait_until(clock, next);
  }
}

// Before anything of it is shown, and again when it comes back: it may be another one.
boost::asio::awaitable<bool> PodSet::ask_runtime_name() {
  Context context;
  const auto version = co_await services_.runtime->version(context);
  if (!version) {
    services_.log->warn("RuntimeNotReady",
                        wrap("asking for the runtime's version", version.error()).message);
    co_return false;
  }
  environment_.runtime_name = version->runtime_name;
  co_return true;
}

boost::asio::awaitable<bool> PodSet::relist(bool back, bool expected_differences) {
  // One that we do not know yet, or that may be another one, or configured anew.
  if (!readiness_.runtime_listed() || back) {
    const bool known = co_await ask_runtime_name();
    if (!known) co_return false;
    const bool told = co_await ask_for_setup();
    if (!told) co_return false;
  }
  const auto before = believed();
  auto listing = co_await list_everything(*services_.runtime);
  if (!listing) {
    services_.log->warn("RuntimeNotReady", listing.error().message);
    co_return false;
  }
  tell_of_foreign(*listing);
  if (!readiness_.runtime_listed()) {
    found_ = *listing;
    first_listing_ = std::move(*listing);
    readiness_.note_runtime_listed();
    reconcile_.now();
    co_return true;
  }
  if (!readiness_.may_begin()) co_return true;
  const RelistFindings findings = compare_listing(*listing, before, believed());
  for (const auto& [uid, what] : findings.stale) {
    PodWorker* worker = records_.worker_of(uid);
    if (worker == nullptr) continue;
    services_.log->info("Relist", what, {{"POD_UID", uid}});
    PodOrders orders;
    orders.inspect = true;
    worker->post(std::move(orders));
  }
  if (!findings.stale.empty() && !expected_differences && services_.stream->connected()) {
    missed_events_ += findings.stale.size();
    services_.stream->reconnect(findings.stale.begin()->second);
  }
  for (const std::string& uid : findings.unknown) {
    Record* record = records_.find(uid);
    if (record == nullptr)
      adopt_unknown(uid, std::move(listing->at(uid)));
    else
      turned_up(*record, std::move(listing->at(uid)));
  }
  co_return true;
}

// Each once, as long as it is there.
void PodSet::tell_of_foreign(const RuntimeListing& listing) {
  std::set<cri::SandboxId> there;
  for (const auto& [uid, listed] : listing) {
    for (const cri::SandboxId& id : listed.foreign) {
      there.insert(id);
      if (foreign_.contains(id)) continue;
      services_.log->warn("ForeignSandbox",
                          fmt::format("the sandbox {} says that it is the pod {}'s, and neither "
                                      "berthd nor a kubelet made it: it is left alone",
                                      id.str(), uid),
                          {{"POD_UID", uid}});
    }
  }
  foreign_ = std::move(there);
}

boost::asio::awaitable<bool> PodSet::ask_for_setup() {
  const Context context{.deadline = services_.clock->steady_now() + kSetupWithin,
                        .log_prefix = "node"};
  auto setup = co_await services_.runtime->setup(context);
  if (!setup) {
    services_.log->warn("RuntimeNotReady", setup.error().message);
    co_return false;
  }
  std::string refusal = node::cgroup_driver_refusal(services_.node->config.cgroup_driver, *setup,
                                                    options_.config_file);
  if (refusal == environment_.no_sandboxes) co_return true;
  if (refusal.empty()) {
    services_.log->info("CgroupDriver", "the container runtime's cgroup driver is ours again");
  } else {
    services_.log->write(LogLevel::kError, "CgroupDriver", "no pod is started while " + refusal,
                         {});
  }
  environment_.no_sandboxes = std::move(refusal);
  PodOrders orders;
  orders.runtime_back = true;
  tell_all(orders);
  co_return true;
}

boost::asio::awaitable<RuntimeListing> PodSet::first_listing() {
  co_await readiness_.until_runtime_listed();
  co_return first_listing_;
}

}  // namespace berth::lifecycle
