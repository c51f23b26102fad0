// SPDX-License-Identifier: Apache-2.0

// A system bus with a made-up systemd unit manager, at a socket: answers as the test has set, and
// records its calls.
//
// This is real D-Bus, on a thread of its own, for calls that block. The environment names the
// socket as long as this object lives.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"

namespace berth::systemd {

class MadeUpServiceManager {
 public:
  struct Call {
    std::string method{};
    std::string unit{};
    std::string mode{};  // how the job replaces others; for properties: how long they apply
    std::map<std::string, std::string> properties{};
  };
  enum class Loses : std::uint8_t { kNothing, kTheCall, kTheJob };
  struct Behaviour {
    std::string error{};            // the error's name, for StartTransientUnit and StopUnit
    std::string job_ends = "done";  // the result of the job that they start
    std::string state = "running";  // SystemState
    bool hangs = false;             // accepts connections, and does nothing else
    Loses loses = Loses::kNothing;  // closes the bus before the reply, or before the job's end
  };

  MadeUpServiceManager(const std::string& socket, Behaviour behaviour)
      : behaviour_(std::move(behaviour)),
        listening_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
        end_(::eventfd(0, EFD_CLOEXEC)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket.size() >= sizeof address.sun_path) throw std::runtime_error("a long path");
    std::memcpy(address.sun_path, socket.data(), socket.size());
    const void* raw = &address;
    must(::bind(listening_.get(), static_cast<const sockaddr*>(raw), sizeof address));
    must(::listen(listening_.get(), 4));
    must(::setenv("DBUS_SYSTEM_BUS_ADDRESS", ("unix:path=" + socket).c_str(), 1));
    thread_ = std::thread([this] { serve(); });
  }
  MadeUpServiceManager(const MadeUpServiceManager&) = delete;
  MadeUpServiceManager& operator=(const MadeUpServiceManager&) = delete;
  ~MadeUpServiceManager() {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(end_.get(), &one, sizeof one));
    thread_.join();
    ::unsetenv("DBUS_SYSTEM_BUS_ADDRESS");
  }

  [[nodiscard]] std::vector<Call> calls() const {
    const std::lock_guard guard(lock_);
    return calls_;
  }

 private:
  struct CloseBus {
    void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
  };
  using Bus = std::unique_ptr<sd_bus, CloseBus>;

  static constexpr const char* kBus = "org.freedesktop.DBus";
  static constexpr const char* kBusPath = "/org/freedesktop/DBus";
  static constexpr const char* kService = "org.freedesktop.systemd1";
  static constexpr const char* kPath = "/org/freedesktop/systemd1";
  static constexpr const char* kManager = "org.freedesktop.systemd1.Manager";
  static constexpr const char* kJob = "/org/freedesktop/systemd1/job/7";

  static void must(int outcome) {
    if (outcome < 0)
      throw std::runtime_error("the made-up service manager: " + std::to_string(outcome));
  }

  void serve() {
    for (;;) {
      std::vector<pollfd> fds{{end_.get(), POLLIN, 0}, {listening_.get(), POLLIN, 0}};
      for (const Bus& bus : buses_)
        fds.push_back(
            {sd_bus_get_fd(bus.get()), static_cast<std::int16_t>(sd_bus_get_events(bus.get())), 0});
      if (::poll(fds.data(), fds.size(), -1) < 0) continue;
      if (fds.front().revents != 0) return;
      std::erase_if(buses_, [](const Bus& bus) {
        int processed = 1;
        while (processed > 0) processed = sd_bus_process(bus.get(), nullptr);
        return processed < 0;
      });
      if (hangs_up_) buses_.clear();
      hangs_up_ = false;
      if (fds.at(1).revents != 0) accept();
    }
  }

  void accept() {
    const int client = ::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) return;
    if (behaviour_.hangs) {
      hung_.emplace_back(client);
      return;
    }
    sd_bus* bus = nullptr;
    sd_id128_t id{};
    must(sd_id128_randomize(&id));
    must(sd_bus_new(&bus));
    buses_.emplace_back(bus);
    must(sd_bus_set_fd(bus, client, client));
    must(sd_bus_set_server(bus, 1, id));
    must(sd_bus_add_object_vtable(bus, nullptr, kBusPath, kBus, bus_vtable(), this));
    must(sd_bus_add_object_vtable(bus, nullptr, kPath, kManager, vtable(), this));
    must(sd_bus_start(bus));
  }

  // "b0", "t4096", "sweb": type and value of each.
  static std::map<std::string, std::string> properties_of(sd_bus_message* call) {
    std::map<std::string, std::string> properties;
    must(sd_bus_message_enter_container(call, 'a', "(sv)"));
    while (sd_bus_message_enter_container(call, 'r', "sv") > 0) {
      const char* name = nullptr;
      const char* type = nullptr;
      must(sd_bus_message_read(call, "s", &name));
      must(sd_bus_message_peek_type(call, nullptr, &type));
      must(sd_bus_message_enter_container(call, 'v', type));
      std::string value = type;
      if (value == "s") {
        const char* text = nullptr;
        must(sd_bus_message_read(call, "s", &text));
        value += text;
      } else {
        std::uint64_t number = 0;  // for a boolean the rest stays zero
        must(sd_bus_message_read_basic(call, *type, &number));
        value += std::to_string(number);
      }
      must(sd_bus_message_exit_container(call));
      must(sd_bus_message_exit_container(call));
      properties[name] = value;
    }
    must(sd_bus_message_exit_container(call));
    return properties;
  }

  void note(Call call) {
    const std::lock_guard guard(lock_);
    calls_.push_back(std::move(call));
  }

  int begin_job(sd_bus_message* call, const char* unit) {
    if (behaviour_.loses == Loses::kTheCall) {
      hangs_up_ = true;
      return 1;
    }
    if (!behaviour_.error.empty())
      return sd_bus_reply_method_errorf(call, behaviour_.error.c_str(), "it is %s", unit);
    must(sd_bus_reply_method_return(call, "o", kJob));
    sd_bus* const bus = sd_bus_message_get_bus(call);
    if (behaviour_.loses == Loses::kTheJob) {
      must(sd_bus_flush(bus));
      hangs_up_ = true;
      return 1;
    }
    // Another job ends before it.
    for (const char* job : {"/org/freedesktop/systemd1/job/6", kJob}) {
      sd_bus_message* signal = nullptr;
      must(sd_bus_message_new_signal(bus, &signal, kPath, kManager, "JobRemoved"));
      must(sd_bus_message_set_sender(signal, kService));
      const char* result = job == kJob ? behaviour_.job_ends.c_str() : "canceled";
      must(sd_bus_message_append(signal, "uoss", 7U, job, unit, result));
      must(sd_bus_send(bus, signal, nullptr));
      sd_bus_message_unref(signal);
    }
    return 1;
  }

  int start(sd_bus_message* call) {
    const char* unit = nullptr;
    const char* mode = nullptr;
    must(sd_bus_message_read(call, "ss", &unit, &mode));
    note({"StartTransientUnit", unit, mode, properties_of(call)});
    return begin_job(call, unit);
  }
  int stop(sd_bus_message* call) {
    const char* unit = nullptr;
    const char* mode = nullptr;
    must(sd_bus_message_read(call, "ss", &unit, &mode));
    note({"StopUnit", unit, mode, {}});
    return begin_job(call, unit);
  }
  int set(sd_bus_message* call) {
    const char* unit = nullptr;
    int runtime = 0;
    must(sd_bus_message_read(call, "sb", &unit, &runtime));
    note({"SetUnitProperties", unit, runtime != 0 ? "runtime" : "for good", properties_of(call)});
    return sd_bus_reply_method_return(call, "");
  }

  template <int (MadeUpServiceManager::*Handle)(sd_bus_message*)>
  static int handler(sd_bus_message* call, void* self, sd_bus_error* /*error*/) {
    return (static_cast<MadeUpServiceManager*>(self)->*Handle)(call);
  }
  static int nothing(sd_bus_message* call, void* /*self*/, sd_bus_error* /*error*/) {
    return sd_bus_reply_method_return(call, "");
  }
  static int hello(sd_bus_message* call, void* /*self*/, sd_bus_error* /*error*/) {
    return sd_bus_reply_method_return(call, "s", ":1.5");
  }

  static int state(sd_bus* /*bus*/, const char* /*path*/, const char* /*interface*/,
                   const char* /*property*/, sd_bus_message* reply, void* self,
                   sd_bus_error* /*error*/) {
    const auto& state = static_cast<MadeUpServiceManager*>(self)->behaviour_.state;
    return sd_bus_message_append(reply, "s", state.c_str());
  }

  static const sd_bus_vtable* bus_vtable() {
    static const sd_bus_vtable table[] = {
        SD_BUS_VTABLE_START(0), SD_BUS_METHOD("Hello", "", "s", &hello, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("AddMatch", "s", "", &nothing, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("RemoveMatch", "s", "", &nothing, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END};
    return table;
  }
  static const sd_bus_vtable* vtable() {
    using Self = MadeUpServiceManager;
    static const sd_bus_vtable table[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_PROPERTY("SystemState", "s", &state, 0, 0),
        SD_BUS_METHOD("Subscribe", "", "", &nothing, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("StartTransientUnit", "ssa(sv)a(sa(sv))", "o", &handler<&Self::start>,
                      SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("SetUnitProperties", "sba(sv)", "", &handler<&Self::set>,
                      SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD("StopUnit", "ss", "o", &handler<&Self::stop>, SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END};
    return table;
  }

  const Behaviour behaviour_;
  Descriptor listening_;
  Descriptor end_;
  std::vector<Bus> buses_{};        // used by the thread only
  bool hangs_up_ = false;           // used by the thread only
  std::vector<Descriptor> hung_{};  // used by the thread only
  mutable std::mutex lock_{};
  std::vector<Call> calls_{};  // guarded by lock_
  std::thread thread_{};
};

}  // namespace berth::systemd
