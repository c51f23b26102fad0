// SPDX-License-Identifier: Apache-2.0

#include "systemd/logind.hpp"

#include <fcntl.h>
#include <poll.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/posix/stream_descriptor.hpp>

#include "base/no_throw.hpp"

namespace berth::systemd {
namespace {

using boost::asio::posix::descriptor_base;

constexpr const char* kService = "org.freedesktop.login1";
constexpr const char* kPath = "/org/freedesktop/login1";
constexpr const char* kManager = "org.freedesktop.login1.Manager";
constexpr const char* kProperties = "org.freedesktop.DBus.Properties";

// For the bus: the kubelet retries each second. Retries of the other two show in other programs'
// logs as well.
constexpr Nanoseconds kFirstRetry = std::chrono::seconds(1);
constexpr Nanoseconds kLastBusRetry = std::chrono::seconds(5);
constexpr Nanoseconds kLastRetry = std::chrono::minutes(1);
// The wait while nothing is due: sd-bus itself asks for no more.
constexpr Nanoseconds kNothingDue = std::chrono::hours(1);

constexpr const char* kAnnouncements =
    "type='signal',sender='org.freedesktop.login1',path='/org/freedesktop/login1',"
    "interface='org.freedesktop.login1.Manager',member='PrepareForShutdown'";
// Names appear and vanish on a bus all the time: only this one is to wake us.
constexpr const char* kOwnerChanges =
    "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
    "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.freedesktop.login1'";

std::string reason_of(int negative_errno) {
  return std::strerror(-negative_errno);
}

std::string said(const sd_bus_error& error) {
  return error.message != nullptr ? error.message : error.name;
}

// The lock's descriptor, which the caller owns.
Result<int> lock_in(sd_bus_message* reply) {
  if (const sd_bus_error* error = sd_bus_message_get_error(reply))
    return fail(ErrorCode::kUnavailable, said(*error));
  int fd = -1;
  const int read = sd_bus_message_read(reply, "h", &fd);
  if (read < 0) return fail(ErrorCode::kUnavailable, reason_of(read));
  // The message's own descriptor is closed with the message.
  const int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (own < 0) return fail(ErrorCode::kUnavailable, reason_of(-errno));
  return own;
}

// Something that is tried again: after a second, then after twice as long each time.
class Retry {
 public:
  explicit Retry(Nanoseconds last) : last_(last) {}
  Nanoseconds next() { return std::exchange(next_, std::min(next_ * 2, last_)); }
  void begin_anew() { next_ = kFirstRetry; }

 private:
  Nanoseconds next_ = kFirstRetry;
  Nanoseconds last_;
};

struct CloseBus {
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
struct FreeSlot {
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};

}  // namespace

Result<sd_bus*> open_system_bus() {
  sd_bus* bus = nullptr;
  const int opened = sd_bus_open_system(&bus);
  if (opened < 0)
    return fail(ErrorCode::kUnavailable, "the system bus cannot be reached: " + reason_of(opened));
  return bus;
}

// One connection, from its opening to its loss. Callbacks run within `process`; what they learn is
// passed to the owner at once.
class Logind::Connection {
 public:
  Connection(Logind& owner, sd_bus* bus) : owner_(owner), bus_(bus), descriptor_(owner.executor_) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { static_cast<void>(descriptor_.release()); }  // the bus closes it

  // Runs until the connection is lost; returns why.
  boost::asio::awaitable<std::string> serve();
  void ask_properties();
  void ask_for_lock();

 private:
  using Slot = std::unique_ptr<sd_bus_slot, FreeSlot>;
  template <int (Connection::*Handle)(sd_bus_message*)>
  static int handler(sd_bus_message* message, void* connection, sd_bus_error* /*error*/) {
    return (static_cast<Connection*>(connection)->*Handle)(message);
  }
  template <int (Connection::*Handle)(sd_bus_message*)>
  void listen(const char* match);
  template <int (Connection::*Handle)(sd_bus_message*)>
  void ask_property(const char* name);
  void ask_everything();
  void ask_again();
  void unanswered(const sd_bus_error& error);
  void wake();
  boost::asio::awaitable<void> wait();

  int handle_announcement(sd_bus_message* message);
  int handle_owner_change(sd_bus_message* message);
  int handle_longest_delay(sd_bus_message* message);
  int handle_shutting_down(sd_bus_message* message);
  int handle_lock(sd_bus_message* message);

  Logind& owner_;
  std::unique_ptr<sd_bus, CloseBus> bus_;
  boost::asio::posix::stream_descriptor descriptor_;
  std::vector<Slot> signals_{};
  std::map<std::string, Slot> calls_{};  // the newest, by property or method
  std::string failure_{};                // of the bus
  Retry answer_retry_{kLastRetry};
  Retry lock_retry_{kLastRetry};
  std::optional<SteadyTime> answer_due_{};  // when to repeat unanswered calls
  std::optional<SteadyTime> lock_due_{};    // when to request a refused lock again
};

template <int (Logind::Connection::*Handle)(sd_bus_message*)>
void Logind::Connection::listen(const char* match) {
  sd_bus_slot* slot = nullptr;
  const int made =
      sd_bus_add_match_async(bus_.get(), &slot, match, &handler<Handle>, nullptr, this);
  signals_.emplace_back(slot);
  if (made < 0) failure_ = std::string("listening to ") + match + ": " + reason_of(made);
}

template <int (Logind::Connection::*Handle)(sd_bus_message*)>
void Logind::Connection::ask_property(const char* name) {
  sd_bus_slot* slot = nullptr;
  const int made = sd_bus_call_method_async(bus_.get(), &slot, kService, kPath, kProperties, "Get",
                                            &handler<Handle>, this, "ss", kManager, name);
  calls_[name].reset(slot);
  if (made < 0) failure_ = std::string("asking for ") + name + ": " + reason_of(made);
}

void Logind::Connection::ask_properties() {
  ask_property<&Connection::handle_longest_delay>("InhibitDelayMaxUSec");
  ask_property<&Connection::handle_shutting_down>("PreparingForShutdown");
  wake();
}

void Logind::Connection::ask_everything() {
  answer_due_.reset();
  ask_properties();
  if (owner_.wanted_) ask_for_lock();
}

void Logind::Connection::ask_again() {
  const SteadyTime now = owner_.clock_.steady_now();
  if (answer_due_ && now >= *answer_due_) return ask_everything();
  if (!lock_due_ || now < *lock_due_) return;
  lock_due_.reset();
  if (owner_.wanted_) ask_for_lock();
}

// The bus is up: logind may start at any time, which the bus would announce.
void Logind::Connection::unanswered(const sd_bus_error& error) {
  LoginState next = owner_.state_;
  next.connected = false;
  next.error = "systemd-logind does not answer: " + said(error);
  if (!answer_due_) answer_due_ = owner_.clock_.steady_now() + answer_retry_.next();
  owner_.show(std::move(next));
  owner_.answered_.ring();
}

void Logind::Connection::ask_for_lock() {
  lock_due_.reset();
  sd_bus_slot* slot = nullptr;
  const int made = sd_bus_call_method_async(
      bus_.get(), &slot, kService, kPath, kManager, "Inhibit", &handler<&Connection::handle_lock>,
      this, "ssss", "shutdown", owner_.names_.who.c_str(), owner_.names_.why.c_str(), "delay");
  calls_["Inhibit"].reset(slot);
  if (made < 0) failure_ = "asking for an inhibitor lock: " + reason_of(made);
  wake();
}

// Makes a `wait` for input see that there may be something to write.
void Logind::Connection::wake() {
  if (descriptor_.is_open()) descriptor_.cancel();
}

boost::asio::awaitable<std::string> Logind::Connection::serve() {
  listen<&Connection::handle_announcement>(kAnnouncements);
  listen<&Connection::handle_owner_change>(kOwnerChanges);
  ask_everything();
  while (failure_.empty()) {
    int processed = 1;
    while (processed > 0 && failure_.empty()) processed = sd_bus_process(bus_.get(), nullptr);
    if (processed < 0) failure_ = "the system bus has gone: " + reason_of(processed);
    if (failure_.empty()) ask_again();
    if (failure_.empty()) co_await wait();
  }
  co_return failure_;
}

// Waits for something to read, or for room to write if there is something to write; or until sd-bus
// has something to do, such as timing out a call.
boost::asio::awaitable<void> Logind::Connection::wait() {
  const int fd = sd_bus_get_fd(bus_.get());
  const int events = sd_bus_get_events(bus_.get());
  std::uint64_t due = 0;  // of CLOCK_MONOTONIC, like the loop's clock; UINT64_MAX for never
  const int known = sd_bus_get_timeout(bus_.get(), &due);
  if (fd < 0 || events < 0 || known < 0) {
    failure_ = "the system bus has gone";
    co_return;
  }
  if (descriptor_.is_open() && descriptor_.native_handle() != fd) {
    static_cast<void>(descriptor_.release());
  }
  if (!descriptor_.is_open()) descriptor_.assign(fd);
  SteadyTime until = owner_.clock_.steady_now() + kNothingDue;
  if (due / 1'000'000 <
      static_cast<std::uint64_t>(until.time_since_epoch() / std::chrono::seconds(1)))
    until = SteadyTime{std::chrono::microseconds(due)};
  for (const auto& retry : {answer_due_, lock_due_})
    if (retry) until = std::min(until, *retry);
  const Alarm alarm =
      owner_.clock_.call_at(owner_.executor_, until, [this] { descriptor_.cancel(); });
  const auto what =
      (events & POLLOUT) != 0 ? descriptor_base::wait_write : descriptor_base::wait_read;
  static_cast<void>(co_await descriptor_.async_wait(what, kNoThrow));
}

int Logind::Connection::handle_announcement(sd_bus_message* message) {
  int begins = 0;
  if (sd_bus_message_read(message, "b", &begins) < 0) return 0;
  LoginState next = owner_.state_;
  next.shutting_down = begins != 0;
  owner_.show(std::move(next));
  return 0;
}

int Logind::Connection::handle_owner_change(sd_bus_message* message) {
  const char* name = nullptr;
  const char* before = nullptr;
  const char* after = nullptr;
  if (sd_bus_message_read(message, "sss", &name, &before, &after) < 0) return 0;
  if (*after != '\0') ask_everything();
  return 0;
}

int Logind::Connection::handle_longest_delay(sd_bus_message* message) {
  std::uint64_t longest = 0;
  if (const sd_bus_error* error = sd_bus_message_get_error(message)) {
    unanswered(*error);
    return 0;
  }
  if (sd_bus_message_enter_container(message, 'v', "t") < 0 ||
      sd_bus_message_read(message, "t", &longest) < 0)
    return 0;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 50U;  // 35 years, in microseconds
  LoginState next = owner_.state_;
  next.longest_delay = std::chrono::microseconds(std::min(longest, kMost));
  owner_.show(std::move(next));
  return 0;
}

int Logind::Connection::handle_shutting_down(sd_bus_message* message) {
  int shutting_down = 0;
  if (const sd_bus_error* error = sd_bus_message_get_error(message)) {
    unanswered(*error);
    return 0;
  }
  if (sd_bus_message_enter_container(message, 'v', "b") < 0 ||
      sd_bus_message_read(message, "b", &shutting_down) < 0)
    return 0;
  LoginState next = owner_.state_;
  next.connected = true;
  next.error.clear();
  answer_retry_.begin_anew();
  next.shutting_down = shutting_down != 0;
  owner_.show(std::move(next));
  owner_.answered_.ring();
  return 0;
}

// A lock is refused while the machine is already shutting down, when there are too many, or by a
// policy. An earlier lock is kept nevertheless: logind may still know it.
int Logind::Connection::handle_lock(sd_bus_message* message) {
  if (!owner_.wanted_) return 0;
  LoginState next = owner_.state_;
  if (const auto lock = lock_in(message)) {
    owner_.lock_.take(*lock);
    next.lock = DelayLock::held();
    lock_retry_.begin_anew();
  } else {
    next.lock =
        DelayLock::refused("systemd-logind gives no inhibitor lock: " + lock.error().message);
    lock_due_ = owner_.clock_.steady_now() + lock_retry_.next();
  }
  owner_.show(std::move(next));
  return 0;
}

void Logind::Lock::take(int fd) {
  const int before = std::exchange(fd_, fd);
  if (before >= 0) close(before);
}

Logind::Logind(boost::asio::any_io_executor executor, Clock& clock, Names names, OpenBus open)
    : executor_(executor),
      clock_(clock),
      names_(std::move(names)),
      open_(std::move(open)),
      changed_(executor),
      answered_(std::move(executor)) {}

Logind::~Logind() = default;

boost::asio::awaitable<void> Logind::run() {
  Retry retry(kLastBusRetry);
  for (;;) {
    std::string why = co_await converse();
    if (state_.connected) retry.begin_anew();
    // An announcement holds until the next connection contradicts it.
    LoginState next = state_;
    next.connected = false;
    next.error = std::move(why);
    show(std::move(next));
    const Nanoseconds pause = retry.next();
    co_await clock_.sleep_for(pause);
  }
}

boost::asio::awaitable<std::string> Logind::converse() {
  auto bus = open_();
  if (!bus) co_return bus.error().message;
  connection_ = std::make_unique<Connection>(*this, *bus);
  std::string why = co_await connection_->serve();
  connection_.reset();
  co_return why;
}

boost::asio::awaitable<void> Logind::ask(Nanoseconds limit) {
  if (!connection_) co_return;
  connection_->ask_properties();
  static_cast<void>(co_await answered_.wait_until(clock_, clock_.steady_now() + limit));
}

void Logind::delay() {
  wanted_ = true;
  if (connection_ && !state_.delayed()) connection_->ask_for_lock();
}

void Logind::let_go() {
  wanted_ = false;
  lock_.take(-1);
  LoginState next = state_;
  next.lock = {};
  show(std::move(next));
}

void Logind::show(LoginState next) {
  if (next == state_) return;
  state_ = std::move(next);
  changed_.ring();
}

}  // namespace berth::systemd
