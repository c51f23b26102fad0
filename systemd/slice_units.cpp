// SPDX-License-Identifier: Apache-2.0

#include "systemd/slice_units.hpp"

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#include <cerrno>
#include <map>
#include <memory>
#include <string_view>

#include "base/real_clock.hpp"
#include "systemd/bus_call.hpp"

namespace berth::systemd {
namespace {

struct DropMessage {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
struct DropSlot {
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};
using Message = std::unique_ptr<sd_bus_message, DropMessage>;
using Slot = std::unique_ptr<sd_bus_slot, DropSlot>;

// A connection, and the results of jobs that it was notified of.
class Manager {
 public:
  static Result<std::unique_ptr<Manager>> connect() {
    sd_bus* opened = nullptr;
    const int result = sd_bus_open_system(&opened);
    if (result < 0) return failure("connecting to the system bus", result);
    auto manager = std::unique_ptr<Manager>(new Manager(Bus(opened)));
    sd_bus_set_method_call_timeout(opened, std::chrono::microseconds(kAnswerWithin).count());
    return manager;
  }

  [[nodiscard]] sd_bus* bus() const { return bus_.get(); }

  // Called before a job is requested: its end must not be missed.
  Result<bool> subscribe() {
    sd_bus_slot* slot = nullptr;
    int result = sd_bus_match_signal(bus_.get(), &slot, kManagerService, kManagerPath,
                                     kManagerInterface, "JobRemoved", &Manager::job_removed, this);
    if (result < 0) return failure("following systemd's jobs", result);
    slot_.reset(slot);
    BusError error;
    result = sd_bus_call_method(bus_.get(), kManagerService, kManagerPath, kManagerInterface,
                                "Subscribe", error.out(), nullptr, "");
    if (result < 0) return failure("following systemd's jobs", result, error);
    return true;
  }

  // "done", "failed", "timeout" ...
  Result<std::string> await_job(const std::string& job) {
    const RealClock clock;
    const SteadyTime deadline = clock.steady_now() + kAnswerWithin;
    while (!ended_.contains(job)) {
      const int progress = sd_bus_process(bus_.get(), nullptr);
      if (progress < 0) return failure("waiting for systemd's job", progress);
      if (progress > 0) continue;
      const Nanoseconds left = deadline - clock.steady_now();
      if (left <= Nanoseconds::zero())
        return fail(ErrorCode::kTimeout, "systemd's job does not end: " + job);
      const auto wait = std::chrono::ceil<std::chrono::microseconds>(left).count();
      const int waited = sd_bus_wait(bus_.get(), static_cast<std::uint64_t>(wait));
      if (waited < 0 && waited != -EINTR) return failure("waiting for systemd's job", waited);
    }
    return ended_.at(job);
  }

 private:
  explicit Manager(Bus bus) : bus_(std::move(bus)) {}

  static int job_removed(sd_bus_message* message, void* self, sd_bus_error* /*error*/) {
    std::uint32_t id = 0;
    const char* job = nullptr;
    const char* unit = nullptr;
    const char* result = nullptr;
    if (sd_bus_message_read(message, "uoss", &id, &job, &unit, &result) >= 0)
      static_cast<Manager*>(self)->ended_[job] = result;
    return 0;
  }

  Bus bus_;
  std::map<std::string, std::string> ended_{};
  Slot slot_{};
};

Result<Message> new_call(const Manager& manager, const char* method) {
  sd_bus_message* made = nullptr;
  const int result = sd_bus_message_new_method_call(manager.bus(), &made, kManagerService,
                                                    kManagerPath, kManagerInterface, method);
  if (result < 0) return failure(std::string("calling systemd's ") + method, result);
  return Message(made);
}

int append_properties(sd_bus_message* call, const std::vector<UnitProperty>& properties) {
  for (const auto& [name, value] : properties) {
    const int result = sd_bus_message_append(call, "(sv)", name.c_str(), "t", value);
    if (result < 0) return result;
  }
  return 0;
}

int append_flags(sd_bus_message* call) {
  for (const auto& [name, value] :
       {std::pair{"DefaultDependencies", 0}, std::pair{"CPUAccounting", 1},
        std::pair{"MemoryAccounting", 1}, std::pair{"IOAccounting", 1},
        std::pair{"TasksAccounting", 1}}) {
    const int result = sd_bus_message_append(call, "(sv)", name, "b", value);
    if (result < 0) return result;
  }
  return 0;
}

// Sends a call whose answer is a job, and waits for the job. The error `tolerated` counts as
// success.
Result<bool> run_job(Manager& manager, sd_bus_message* call, const std::string& what,
                     const char* tolerated) {
  sd_bus_message* replied = nullptr;
  BusError error;
  const int result = sd_bus_call(manager.bus(), call, 0, error.out(), &replied);
  const Message reply(replied);
  if (result < 0) {
    if (error.is(tolerated)) return false;
    return failure(what, result, error);
  }
  const char* job = nullptr;
  const int read = sd_bus_message_read(reply.get(), "o", &job);
  if (read < 0) return failure(what, read);
  const auto ended = manager.await_job(job);
  if (!ended) return fail(wrap(what, ended.error()));
  if (*ended != "done" && *ended != "skipped")
    return fail(ErrorCode::kUnknown, what + ": systemd's job ended as " + *ended);
  return true;
}

}  // namespace

Result<bool> start_slice(const std::string& slice, const std::string& description,
                         const std::vector<UnitProperty>& properties) {
  auto manager = Manager::connect();
  if (!manager) return fail(manager.error());
  if (auto subscribed = (*manager)->subscribe(); !subscribed) return subscribed;
  auto call = new_call(**manager, "StartTransientUnit");
  if (!call) return fail(call.error());
  sd_bus_message* const message = call->get();
  const std::string what = "starting " + slice;
  int result = sd_bus_message_append(message, "ss", slice.c_str(), "replace");
  if (result >= 0) result = sd_bus_message_open_container(message, 'a', "(sv)");
  if (result >= 0)
    result = sd_bus_message_append(message, "(sv)", "Description", "s", description.c_str());
  if (result >= 0) result = append_flags(message);
  if (result >= 0) result = append_properties(message, properties);
  if (result >= 0) result = sd_bus_message_close_container(message);
  if (result >= 0) result = sd_bus_message_append(message, "a(sa(sv))", 0);
  if (result < 0) return failure(what, result);
  auto started = run_job(**manager, message, what, "org.freedesktop.systemd1.UnitExists");
  if (!started || *started) return started;
  return set_unit_properties(slice, properties);
}

Result<bool> set_unit_properties(const std::string& unit,
                                 const std::vector<UnitProperty>& properties) {
  if (properties.empty()) return true;
  auto manager = Manager::connect();
  if (!manager) return fail(manager.error());
  auto call = new_call(**manager, "SetUnitProperties");
  if (!call) return fail(call.error());
  sd_bus_message* const message = call->get();
  const std::string what = "setting properties of " + unit;
  int result = sd_bus_message_append(message, "sb", unit.c_str(), 1);
  if (result >= 0) result = sd_bus_message_open_container(message, 'a', "(sv)");
  if (result >= 0) result = append_properties(message, properties);
  if (result >= 0) result = sd_bus_message_close_container(message);
  if (result < 0) return failure(what, result);
  BusError error;
  result = sd_bus_call((*manager)->bus(), message, 0, error.out(), nullptr);
  if (result < 0) return failure(what, result, error);
  return true;
}

Result<bool> stop_unit(const std::string& unit) {
  auto manager = Manager::connect();
  if (!manager) return fail(manager.error());
  if (auto subscribed = (*manager)->subscribe(); !subscribed) return subscribed;
  auto call = new_call(**manager, "StopUnit");
  if (!call) return fail(call.error());
  const std::string what = "stopping " + unit;
  const int result = sd_bus_message_append(call->get(), "ss", unit.c_str(), "replace");
  if (result < 0) return failure(what, result);
  return run_job(**manager, call->get(), what, "org.freedesktop.systemd1.NoSuchUnit");
}

bool is_service_manager() {
  return sd_booted() > 0;
}

}  // namespace berth::systemd
