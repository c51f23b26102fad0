// SPDX-License-Identifier: Apache-2.0

// A bus with a made-up systemd-logind, at the other end of a socket: answers as the test has set,
// announces what the test asks for, and counts the inhibitor locks that are held.
//
// This is real D-Bus between two peers, one of which claims to be a bus. `turn` lets that one
// process its pending messages.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace berth::systemd {

class MadeUpLogind {
 public:
  MadeUpLogind() = default;
  MadeUpLogind(const MadeUpLogind&) = delete;
  MadeUpLogind& operator=(const MadeUpLogind&) = delete;
  ~MadeUpLogind() {
    hang_up();
    for (const int fd : locks_) close(fd);
  }

  // Makes a new connection and returns its other end, as a client. Errors end the test.
  sd_bus* connect() {
    hang_up();
    int ends[2] = {-1, -1};
    must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends));
    sd_id128_t id{};
    must(sd_id128_randomize(&id));
    must(sd_bus_new(&bus_));
    must(sd_bus_set_fd(bus_, ends[0], ends[0]));
    must(sd_bus_set_server(bus_, 1, id));
    must(sd_bus_negotiate_fds(bus_, 1));
    must(sd_bus_add_object_vtable(bus_, nullptr, kPath, kManager, vtable(), this));
    must(sd_bus_add_object_vtable(bus_, nullptr, kBusPath, kBus, bus_vtable(), this));
    must(sd_bus_start(bus_));
    sd_bus* client = nullptr;
    must(sd_bus_new(&client));
    must(sd_bus_set_fd(client, ends[1], ends[1]));
    must(sd_bus_set_bus_client(client, 1));
    must(sd_bus_negotiate_fds(client, 1));
    must(sd_bus_start(client));
    ++connections;
    return client;
  }
  void hang_up() { bus_ = sd_bus_close_unref(bus_); }

  void turn() {
    while (bus_ != nullptr && sd_bus_process(bus_, nullptr) > 0) {
    }
    sd_bus_flush(bus_);
  }

  void announce(bool shutting_down) {
    preparing = shutting_down ? 1 : 0;
    send(kPath, kManager, "PrepareForShutdown", kService,
         [&](sd_bus_message* signal) { must(sd_bus_message_append(signal, "b", preparing)); });
  }
  // The bus announces that logind was started again.
  void starts_again() {
    send(kBusPath, kBus, "NameOwnerChanged", kBus, [&](sd_bus_message* signal) {
      must(sd_bus_message_append(signal, "sss", kService, "", ":1.7"));
    });
  }

  // The number of locks that nobody has closed.
  [[nodiscard]] int held() const {
    int count = 0;
    for (const int fd : locks_) {
      char byte = 0;
      // The read returns end of file once the other end is closed.
      if (read(fd, &byte, 1) < 0) ++count;
    }
    return count;
  }

  std::uint64_t longest_delay = 5'000'000;  // microseconds
  int preparing = 0;
  bool refuses = false;
  bool is_missing = false;             // logind is not on the bus
  std::vector<std::string> asked{};    // "shutdown berthd delay"
  std::vector<std::string> matches{};  // match rules added in the last connection
  int connections = 0;

 private:
  static constexpr const char* kService = "org.freedesktop.login1";
  static constexpr const char* kPath = "/org/freedesktop/login1";
  static constexpr const char* kManager = "org.freedesktop.login1.Manager";

  static constexpr const char* kBus = "org.freedesktop.DBus";
  static constexpr const char* kBusPath = "/org/freedesktop/DBus";

  static void must(int outcome) {
    if (outcome < 0) throw std::runtime_error("the made-up logind: " + std::to_string(outcome));
  }

  template <class Fill>
  void send(const char* path, const char* interface, const char* member, const char* sender,
            Fill fill) {
    sd_bus_message* signal = nullptr;
    must(sd_bus_message_new_signal(bus_, &signal, path, interface, member));
    must(sd_bus_message_set_sender(signal, sender));
    fill(signal);
    must(sd_bus_send(bus_, signal, nullptr));
    sd_bus_message_unref(signal);
  }

  int inhibit(sd_bus_message* call) {
    const char* what = nullptr;
    const char* who = nullptr;
    const char* why = nullptr;
    const char* mode = nullptr;
    must(sd_bus_message_read(call, "ssss", &what, &who, &why, &mode));
    asked.push_back(std::string(what) + " " + who + " " + mode);
    if (refuses)
      return sd_bus_reply_method_errorf(call, "org.freedesktop.login1.OperationInProgress",
                                        "The operation is already running");
    int ends[2] = {-1, -1};
    must(pipe2(ends, O_CLOEXEC | O_NONBLOCK));
    locks_.push_back(ends[0]);
    const int sent = sd_bus_reply_method_return(call, "h", ends[1]);
    close(ends[1]);
    return sent;
  }

  int add_match(sd_bus_message* call) {
    const char* match = nullptr;
    must(sd_bus_message_read(call, "s", &match));
    matches.emplace_back(match);
    return sd_bus_reply_method_return(call, "");
  }

  static const sd_bus_vtable* bus_vtable() {
    static const sd_bus_vtable table[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD(
            "Hello", "", "s",
            [](sd_bus_message* call, void* self, sd_bus_error* /*error*/) {
              static_cast<MadeUpLogind*>(self)->matches.clear();
              return sd_bus_reply_method_return(call, "s", ":1.5");
            },
            SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_METHOD(
            "AddMatch", "s", "",
            [](sd_bus_message* call, void* self, sd_bus_error* /*error*/) {
              return static_cast<MadeUpLogind*>(self)->add_match(call);
            },
            SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_VTABLE_END};
    return table;
  }

  // For a property, too, this is an error from the service.
  static int missing(sd_bus_error* error) {
    return sd_bus_error_set(error, SD_BUS_ERROR_SERVICE_UNKNOWN, "there is no such service");
  }

  static const sd_bus_vtable* vtable() {
    static const sd_bus_vtable table[] = {
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD(
            "Inhibit", "ssss", "h",
            [](sd_bus_message* call, void* self, sd_bus_error* error) {
              auto& logind = *static_cast<MadeUpLogind*>(self);
              return logind.is_missing ? missing(error) : logind.inhibit(call);
            },
            SD_BUS_VTABLE_UNPRIVILEGED),
        SD_BUS_PROPERTY(
            "InhibitDelayMaxUSec", "t",
            [](sd_bus* /*bus*/, const char* /*path*/, const char* /*interface*/,
               const char* /*property*/, sd_bus_message* reply, void* self, sd_bus_error* error) {
              const auto& logind = *static_cast<MadeUpLogind*>(self);
              return logind.is_missing ? missing(error)
                                       : sd_bus_message_append(reply, "t", logind.longest_delay);
            },
            0, 0),
        SD_BUS_PROPERTY(
            "PreparingForShutdown", "b",
            [](sd_bus* /*bus*/, const char* /*path*/, const char* /*interface*/,
               const char* /*property*/, sd_bus_message* reply, void* self, sd_bus_error* error) {
              const auto& logind = *static_cast<MadeUpLogind*>(self);
              return logind.is_missing ? missing(error)
                                       : sd_bus_message_append(reply, "b", logind.preparing);
            },
            0, 0),
        SD_BUS_VTABLE_END};
    return table;
  }

  sd_bus* bus_ = nullptr;
  std::vector<int> locks_{};  // our ends of the pipes
};

}  // namespace berth::systemd
