// Requests of hooks in the fake world: there is no network, so each is answered after a moment, or
// refused where its host is called "refused".
#pragma once

#include <chrono>
#include <variant>

#include "base/clock.hpp"
#include "probes/handlers.hpp"

namespace berth::simulation {

class SimulatedHandlers final : public probes::Handlers {
 public:
  explicit SimulatedHandlers(Clock& clock) : clock_(clock) {}

  [[nodiscard]] boost::asio::awaitable<probes::Attempt> run(
      probes::Target target, std::optional<Nanoseconds> /*limit*/) override {
    co_await clock_.sleep_for(std::chrono::milliseconds(5));
    const auto* request = std::get_if<probes::HttpTarget>(&target);
    probes::Attempt attempt{.outcome = probes::Outcome::kSuccess};
    if (request != nullptr && request->url.hostname() == "refused") {
      attempt.outcome = probes::Outcome::kFailure;
      attempt.phase = probes::Phase::kConnect;
      attempt.cause = probes::Cause::kRefused;
      attempt.output = "dial tcp: connect: connection refused";
    }
    co_return attempt;
  }

 private:
  Clock& clock_;
};

}  // namespace berth::simulation
