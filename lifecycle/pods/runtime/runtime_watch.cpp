// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/runtime_watch.hpp"

#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/pods/runtime/unclaimed_stops.hpp"
#include "lifecycle/worker/runtime/relist.hpp"

namespace berth::lifecycle {
namespace {

// The runtime answers this from memory.
constexpr Nanoseconds kSetupWithin = std::chrono::seconds(10);

}  // namespace

RuntimeWatch::RuntimeWatch(const RuntimeWatchServices& services, const RelistPeriods& periods,
                           RuntimeListener& listener, UnclaimedStops& unclaimed)
    : services_(services),
      listener_(listener),
      unclaimed_(unclaimed),
      schedule_(periods),
      due_bell_(services.executor) {}

boost::asio::awaitable<void> RuntimeWatch::pump_events() {
  for (;;) {
    const cri::Event event = co_await services_.stream.next();
    handle(event);
  }
}

void RuntimeWatch::handle(const cri::Event& event) {
  if (event.type == cri::EventType::kResubscribed) {
    schedule_.note_resubscribed();
    listener_.runtime_back();
    due_bell_.notify();
    return;
  }
  if (event.type != cri::EventType::kStopped) return;
  const StopNews news{.at = event.at, .exit_code = event.exit_code};
  const bool delivered = listener_.stopped(event.id, news);
  if (!delivered) unclaimed_.add(event.id, news);
}

boost::asio::awaitable<void> RuntimeWatch::keep_listing() {
  Clock& clock = services_.clock;
  for (;;) {
    const RelistRound round = schedule_.begin(clock.steady_now());
    const bool done = co_await list(round);
    const SteadyTime now = clock.steady_now();
    const SteadyTime next = done ? schedule_.after_success(round, now, services_.stream.connected())
                                 : schedule_.after_failure(round, now);
    co_await due_bell_.wait_until(clock, next);
  }
}

boost::asio::awaitable<bool> RuntimeWatch::list(const RelistRound& round) {
  if (!listed_ || round.resubscribed) {
    const bool identified = co_await identify();
    if (!identified) co_return false;
  }
  const auto before = listener_.believed();
  auto listing = co_await list_everything(services_.runtime);
  if (!listing) {
    services_.log.warn("RuntimeNotReady", listing.error().message);
    // The runtime may return with an event stream that it did not have before.
    if (!services_.stream.connected()) services_.stream.reconnect(listing.error().message);
    co_return false;
  }
  log_foreign(*listing);
  if (!listed_) {
    listed_ = true;
    first_listing_ = std::move(*listing);
    listener_.runtime_listed(first_listing_);
  } else if (listener_.compares_listings()) {
    compare(std::move(*listing), before, round);
  }
  co_return true;
}

boost::asio::awaitable<bool> RuntimeWatch::identify() {
  const Context no_deadline;
  const auto version = co_await services_.runtime.version(no_deadline);
  if (!version) {
    services_.log.warn("RuntimeNotReady",
                       wrap("asking for the runtime's version", version.error()).message);
    co_return false;
  }
  const Context soon{.deadline = services_.clock.steady_now() + kSetupWithin};
  const auto setup = co_await services_.runtime.setup(soon);
  if (!setup) {
    services_.log.warn("RuntimeNotReady", setup.error().message);
    co_return false;
  }
  listener_.runtime_identified({.name = version->runtime_name, .setup = *setup});
  co_return true;
}

void RuntimeWatch::compare(RuntimeListing listing, const std::map<std::string, BelievedPod>& before,
                           const RelistRound& round) {
  const RelistFindings findings = compare_listing(listing, before, listener_.believed());
  const std::string* first_missed = nullptr;
  for (const auto& [uid, difference] : findings.stale) {
    listener_.pod_differs(uid, difference.what);
    if (!difference.missed_event || round.differences_expected || !services_.stream.connected())
      continue;
    ++missed_events_;
    if (first_missed == nullptr) first_missed = &difference.what;
  }
  if (first_missed != nullptr) services_.stream.reconnect(*first_missed);
  for (const std::string& uid : findings.unknown)
    listener_.pod_unknown(uid, std::move(listing.at(uid)));
}

// Logs each foreign sandbox once, as long as it exists.
void RuntimeWatch::log_foreign(const RuntimeListing& listing) {
  std::set<cri::SandboxId> there;
  for (const auto& [uid, listed] : listing) {
    for (const cri::PodSandbox& sandbox : listed.foreign) {
      there.insert(sandbox.id);
      if (foreign_.contains(sandbox.id)) continue;
      services_.log.warn(
          "ForeignSandbox",
          fmt::format("sandbox {0} claims the uid of pod {1}, but neither berthd nor "
                      "a kubelet created it: berthd leaves it alone; if nobody needs "
                      "it, `crictl rmp -f {0}` removes it",
                      sandbox.id.str(), uid),
          {{"POD_UID", uid}});
    }
  }
  foreign_ = std::move(there);
}

}  // namespace berth::lifecycle
