// SPDX-License-Identifier: Apache-2.0

#include "systemd/machine_state.hpp"

#include <optional>
#include <string_view>

#include "base/clock_types.hpp"
#include "base/real_clock.hpp"
#include "systemd/bus_call.hpp"

namespace berth::systemd {
namespace {

constexpr const char* kWhat = "asking systemd for the machine's state";

using Answer = std::optional<Result<std::string>>;

int handle_answer(sd_bus_message* reply, void* answer, sd_bus_error* /*error*/) {
  const char* state = "";
  Answer& out = *static_cast<Answer*>(answer);
  if (const sd_bus_error* error = sd_bus_message_get_error(reply))
    out = fail(ErrorCode::kUnavailable, std::string(kWhat) + ": " + error->name);
  else if (const int read = sd_bus_message_read(reply, "v", "s", &state); read < 0)
    out = failure(kWhat, read);
  else
    out = std::string(state);
  return 0;
}

// Each step is bounded by the deadline; sd-bus itself would wait 90 s for its authentication.
Result<std::string> await_answer(sd_bus* bus, const Answer& answer, SteadyTime deadline) {
  const RealClock clock;
  while (!answer) {
    const int progress = sd_bus_process(bus, nullptr);
    if (progress < 0) return failure(kWhat, progress);
    if (progress > 0) continue;
    const Nanoseconds left = deadline - clock.steady_now();
    if (left <= Nanoseconds::zero()) return failure(kWhat, -ETIMEDOUT);
    const auto wait = std::chrono::ceil<std::chrono::microseconds>(left).count();
    const int waited = sd_bus_wait(bus, static_cast<std::uint64_t>(wait));
    if (waited < 0 && waited != -EINTR) return failure(kWhat, waited);
  }
  return *answer;
}

}  // namespace

Result<bool> machine_goes_off(Nanoseconds limit, const std::string& socket) {
  const SteadyTime deadline = RealClock().steady_now() + limit;
  sd_bus* made = nullptr;
  int result = sd_bus_new(&made);
  if (result < 0) return failure(kWhat, result);
  Answer answer;
  const Bus bus(made);  // destroyed before the answer, which a late reply would be written to
  result = sd_bus_set_address(bus.get(), ("unix:path=" + socket).c_str());
  if (result >= 0) result = sd_bus_start(bus.get());
  if (result >= 0)
    result = sd_bus_call_method_async(bus.get(), nullptr, kManagerService, kManagerPath,
                                      "org.freedesktop.DBus.Properties", "Get", &handle_answer,
                                      &answer, "ss", kManagerInterface, "SystemState");
  if (result < 0) return failure(kWhat, result);
  const auto state = await_answer(bus.get(), answer, deadline);
  if (!state) return fail(state.error());
  return *state == "stopping";
}

}  // namespace berth::systemd
