// SPDX-License-Identifier: Apache-2.0

#include "agent/service/watched_parts.hpp"

#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "agent/journal_entries.hpp"
#include "agent/journal_log.hpp"
#include "agent/service/late_note.hpp"
#include "base/real_clock.hpp"
#include "systemd/notify.hpp"
#include "systemd/watchdog_request.hpp"

namespace berth::agent {
namespace {

constexpr const char* kMainLoop = "the main loop";
constexpr const char* kRuntimeWatch = "the runtime watch";
constexpr const char* kFilePool = "the file pool";
constexpr const char* kStoreWriter = "the store writer";

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Bypasses the log, which belongs to the loop, and the loop may be what hangs: writes to the
// journal, or directly to stderr.
void say(const systemd::Heartbeats::News& news) {
  const LogLine line = late_line(news);
  if (stderr_is_the_journal()) return send_to_journal(line, {});
  const std::string text = std::string(line.message) + "\n";
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace

LogLine late_line(const systemd::Heartbeats::News& news) {
  static const std::vector<LogField> kNone;
  return {.level = news.late ? LogLevel::kError : LogLevel::kInfo,
          .event = news.late ? "WatchdogLate" : "WatchdogGoesOn",
          .message = news.text,
          .fields = kNone,
          .where = std::source_location::current()};
}

std::vector<systemd::WatchedPart> watched_parts(Nanoseconds watchdog_timeout) {
  return {{.name = kMainLoop, .limit = watchdog_timeout / 2},
          {.name = kRuntimeWatch, .limit = kRuntimeWatchLimit},
          {.name = kFilePool, .limit = kFilePoolLimit},
          {.name = kStoreWriter, .limit = kStoreWriterLimit}};
}

PartBeats::PartBeats(Ports ports, Nanoseconds watchdog_timeout)
    : ports_(std::move(ports)),
      watchdog_(systemd::Heartbeats(watched_parts(watchdog_timeout), watchdog_timeout,
                                    ports_.clock.steady_now()),
                watchdog_timeout,
                {.now = [] { return RealClock{}.steady_now(); },
                 .feed = systemd::notify_alive,
                 .note = [file = ports_.late_note](
                             const std::string& late) { write_late_note(file, late); },
                 .say = say}) {}

void PartBeats::begin(TaskGroup& tasks) {
  tasks.spawn("beat of the loop", beat_loop());
  tasks.spawn("beat of the file pool", beat_pool());
  tasks.spawn("beat of the store", beat_store());
}

boost::asio::awaitable<void> PartBeats::beat_loop() {
  for (;;) {
    watchdog_.beat(kMainLoop, ports_.clock.steady_now());
    watchdog_.beat(kRuntimeWatch, ports_.runtime_asked_at());
    co_await ports_.clock.sleep_for(watchdog_.interval());
  }
}

boost::asio::awaitable<void> PartBeats::beat_pool() {
  for (;;) {
    const std::function<bool()> nothing = [] { return true; };
    auto turn = ports_.pool.run("beat of the file pool", nothing);
    static_cast<void>(co_await std::move(turn));
    watchdog_.beat(kFilePool, ports_.clock.steady_now());
    co_await ports_.clock.sleep_for(watchdog_.interval());
  }
}

boost::asio::awaitable<void> PartBeats::beat_store() {
  for (;;) {
    auto turn = ports_.store_turn();
    co_await std::move(turn);
    watchdog_.beat(kStoreWriter, ports_.clock.steady_now());
    co_await ports_.clock.sleep_for(watchdog_.interval());
  }
}

Result<std::unique_ptr<PartBeats>> watch_parts(PartBeats::Ports ports) {
  const auto timeout = systemd::requested_watchdog(
      {.usec = variable("WATCHDOG_USEC"), .pid = variable("WATCHDOG_PID")}, ::getpid());
  if (!timeout) return fail(timeout.error());
  if (!*timeout || !variable("NOTIFY_SOCKET")) return nullptr;
  return std::make_unique<PartBeats>(std::move(ports), **timeout);
}

}  // namespace berth::agent
