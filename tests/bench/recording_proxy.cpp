// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/recording_proxy.hpp"

#include <cerrno>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/real_clock.hpp"
#include "tests/bench/call_subject.hpp"
#include "tests/bench/http2_calls.hpp"

namespace berth::bench {
namespace {

// Most frames are small; lists of a full node come in several reads.
constexpr std::size_t kReadBytes = 64 * 1024;
constexpr int kBacklog = 16;

struct Shared {
  CallTrace& trace;
  RecordingProxy::OnExit on_exit;
  CallSubjects subjects{};
};

SteadyTime now() {
  return RealClock{}.steady_now();
}

class Socket {
 public:
  Socket() : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }
  // Unblocks readers and acceptors.
  void end() const { ::shutdown(fd_, SHUT_RDWR); }

 private:
  int fd_;
};

// A path, or gRPC's notation for it.
sockaddr_un address_of(std::string_view path) {
  constexpr std::string_view kScheme = "unix://";
  if (path.starts_with(kScheme)) path.remove_prefix(kScheme.size());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

bool write_all(int fd, Bytes bytes) {
  while (!bytes.empty()) {
    const auto wrote = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
  return true;
}

// One connection from berthd, and the corresponding one to the runtime.
class Relay final : CallObserver {
 public:
  Relay(Shared& shared, Socket agent, Socket runtime)
      : shared_(shared), agent_(std::move(agent)), runtime_(std::move(runtime)) {
    asking_ = std::jthread([this] { pass_on(agent_, runtime_, &Http2Calls::from_client); });
    answering_ = std::jthread([this] { pass_on(runtime_, agent_, &Http2Calls::from_server); });
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay() override { end(); }

 private:
  struct Call {
    std::string method{};
    bool stream = false;
    CallTrace::Id record = 0;
    CallSubject subject{};
  };

  void end() const {
    agent_.end();
    runtime_.end();
  }

  void pass_on(const Socket& from, const Socket& to, void (Http2Calls::*read)(Bytes)) {
    std::vector<std::uint8_t> buffer(kReadBytes);
    for (;;) {
      const auto got = ::recv(from.fd(), buffer.data(), buffer.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      const Bytes bytes(buffer.data(), static_cast<std::size_t>(got));
      {
        // Read before forwarding: what an answer refers to must be known by then.
        const std::lock_guard lock(mutex_);
        at_ = now();
        (calls_.*read)(bytes);
      }
      if (!write_all(to.fd(), bytes)) break;
    }
    end();
    const std::lock_guard lock(mutex_);
    at_ = now();
    calls_.closed();
  }

  void began(std::uint32_t stream, const std::string& path) override {
    Call call{.method = path.substr(path.rfind('/') + 1)};
    call.stream = call.method == "Subscribe" || call.method == "GetContainerEvents";
    call.record =
        shared_.trace.begin({.method = call.method,
                             .stream = call.stream,
                             .image = call.method == "ImageStatus" || call.method == "PullImage",
                             .begin = at_});
    open_.insert_or_assign(stream, std::move(call));
  }

  void asked(std::uint32_t stream, std::string_view message) override {
    Call& call = open_.at(stream);
    call.subject = shared_.subjects.of_request(call.method, message);
    shared_.trace.subject(call.record, call.subject);
  }

  void answered(std::uint32_t stream, std::string_view message) override {
    Call& call = open_.at(stream);
    if (!call.stream) return shared_.subjects.learn(call.method, call.subject, message);
    const auto container = exited_container(call.method, message);
    if (container && shared_.on_exit) shared_.on_exit(*container, at_);
  }

  void ended(std::uint32_t stream, int status) override {
    const auto call = open_.extract(stream);
    shared_.trace.end(call.mapped().record, at_, status);
  }

  Shared& shared_;
  Socket agent_;
  Socket runtime_;
  std::mutex mutex_;
  SteadyTime at_{};  // of the current bytes
  Http2Calls calls_{*this};
  std::map<std::uint32_t, Call> open_;
  std::jthread asking_;  // after what they use
  std::jthread answering_;
};

Socket listen_on(const std::string& path) {
  Socket socket;
  const sockaddr_un address = address_of(path);
  const void* raw = &address;
  if (::bind(socket.fd(), static_cast<const sockaddr*>(raw), sizeof address) != 0 ||
      ::listen(socket.fd(), kBacklog) != 0) {
    throw std::runtime_error("the recording proxy cannot listen on " + path + ": " +
                             std::strerror(errno));
  }
  return socket;
}

}  // namespace

struct RecordingProxy::Parts {
  Parts(std::string runtime_path, const std::string& path, CallTrace& trace, OnExit on_exit)
      : shared{.trace = trace, .on_exit = std::move(on_exit)},
        runtime(std::move(runtime_path)),
        listener(listen_on(path)),
        accepting([this] { accept(); }) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    listener.end();
    accepting.join();
  }

  // If the runtime is not up, berthd sees a connection that ends at once.
  void accept() {
    const sockaddr_un address = address_of(runtime);
    const void* raw = &address;
    for (;;) {
      Socket agent(::accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
      if (agent.fd() < 0) return;
      Socket ahead;
      if (::connect(ahead.fd(), static_cast<const sockaddr*>(raw), sizeof address) != 0) continue;
      relays.emplace_back(shared, std::move(agent), std::move(ahead));
    }
  }

  Shared shared;
  std::string runtime;
  std::list<Relay> relays{};  // of a few agents, kept to the end
  Socket listener;
  std::thread accepting;
};

RecordingProxy::RecordingProxy(const std::string& runtime, const std::string& socket,
                               CallTrace& trace, OnExit on_exit)
    : parts_(std::make_unique<Parts>(runtime, socket, trace, std::move(on_exit))) {}

RecordingProxy::~RecordingProxy() = default;

}  // namespace berth::bench
