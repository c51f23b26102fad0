// SPDX-License-Identifier: Apache-2.0

// Hooks' and probes' requests in the fake world. There is no network: a hook's request is answered
// after a moment, or refused where its host is called "refused", or answered without TLS where it
// is called "plain"; a probe is answered according to
// its script (container_program.hpp), by command through the runtime, by path, by port (TCP) or by
// the service's name (gRPC).
//
// The listener sees every request, and every answer that berthd gets.
#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "cri/runtime.hpp"
#include "probes/handlers.hpp"
#include "tests/simulation/container_program.hpp"

namespace berth::simulation {

struct AskedProbe {
  cri::ContainerId id{};  // of an exec; else empty, and
  std::string host{};     // the address of the pod
  ProbeWords words{};
};

class ProbeListener {
 public:
  ProbeListener() = default;
  ProbeListener(const ProbeListener&) = delete;
  ProbeListener& operator=(const ProbeListener&) = delete;
  virtual ~ProbeListener() = default;

  // False if nothing listens at that address.
  virtual bool probe_asked(const AskedProbe& asked) = 0;
  virtual void probe_answered(const AskedProbe& asked, const probes::Attempt& attempt) = 0;
};

class SimulatedHandlers final : public probes::Handlers {
 public:
  // `listener` may be null: then every target answers, and no one is notified.
  SimulatedHandlers(Clock& clock, cri::Runtime& runtime, ProbeListener* listener = nullptr)
      : clock_(clock), runtime_(runtime), listener_(listener) {}

  [[nodiscard]] boost::asio::awaitable<probes::Attempt> run(
      probes::Target target, std::optional<Nanoseconds> limit) override;

 private:
  boost::asio::awaitable<probes::Attempt> answer_hook(probes::Target target);
  boost::asio::awaitable<probes::Attempt> answer_probe(ProbeScript script, Nanoseconds limit,
                                                       bool somebody_there);

  Clock& clock_;
  cri::Runtime& runtime_;
  ProbeListener* listener_;
};

}  // namespace berth::simulation
