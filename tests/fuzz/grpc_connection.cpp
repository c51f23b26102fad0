// SPDX-License-Identifier: Apache-2.0

// A connection with an arbitrary server: HTTP/2 frames, in pieces, and their effect on a call.
//
// The first byte is the size of the pieces. Each frame is its type, its flags, its stream, its
// length (two bytes), its payload; a headers frame contains lines "name: value". A frame of type
// 255 is its payload, written as it is.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/descriptor.hpp"
#include "base/loop_channel.hpp"
#include "base/task_group.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/unit/base/raw_server.hpp"

namespace berth::fuzz {
namespace {

constexpr std::size_t kBytesMax = 1000;
constexpr std::size_t kSentMax = std::size_t{32} << 10U;  // what a socket takes at once
constexpr std::uint8_t kAsItIs = 255;

class Listener {
 public:
  Listener() {
    folder_ = std::filesystem::temp_directory_path() / "berth-fuzz-XXXXXX";
    if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder for a socket");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    const void* raw = &address;
    socket_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (::bind(socket_.get(), static_cast<const sockaddr*>(raw), sizeof address) != 0 ||
        ::listen(socket_.get(), 8) != 0) {
      throw std::runtime_error("cannot listen");
    }
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ + "/s"; }
  [[nodiscard]] Descriptor accept() const {
    return Descriptor(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }

 private:
  std::string folder_{};
  Descriptor socket_{};
};

// Truncates what is too long for such a literal.
std::string header_block(std::string_view lines) {
  constexpr std::size_t kLongest = 126;
  std::string block;
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    block += '\0';
    for (const std::string_view part : {line.substr(0, colon), line.substr(colon + 2)}) {
      block += static_cast<char>(std::min(part.size(), kLongest));
      block += part.substr(0, kLongest);
    }
  }
  return block;
}

std::string frames_of(std::string_view text) {
  constexpr std::size_t kHead = 5;
  std::string out = frame(Frame::kSettings, 0, 0, "");
  while (text.size() >= kHead && out.size() < kSentMax) {
    const auto byte = [&text](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
    const std::uint8_t type = byte(0);
    const std::size_t length = std::size_t{byte(3)} << 8U | byte(4);
    const std::uint8_t flags = byte(1);
    const std::uint32_t stream = byte(2);
    text.remove_prefix(kHead);
    const std::string payload(text.substr(0, length));
    text.remove_prefix(payload.size());
    if (type == kAsItIs) {
      out += payload;
    } else if (static_cast<Frame>(type) == Frame::kHeaders) {
      out += frame(Frame::kHeaders, flags, stream, header_block(payload));
    } else {
      out += frame(static_cast<Frame>(type), flags, stream, payload);
    }
  }
  return out.substr(0, kSentMax);
}

struct Heard {
  std::vector<std::string> messages{};
  grpc::Status status{};
  bool ended = false;
};

boost::asio::awaitable<void> hear(std::shared_ptr<LoopCall> call, Heard& heard) {
  for (;;) {
    auto message = co_await call->next();
    if (!message) break;
    heard.messages.push_back(std::move(*message));
  }
  heard.status = call->status();
  heard.ended = true;
}

class Conversation {
 public:
  explicit Conversation(const Listener& listener)
      : listener_(listener),
        channel_(loop_.get_executor(), listener.path(), {.receive_bytes = kBytesMax}) {}

  // A call to a server that sends this, and then nothing more.
  Heard call(std::string_view bytes, std::size_t piece) {
    Heard heard;
    TaskGroup tasks(loop_.get_executor(), [](auto, auto) { require(false, "a call has no bug"); });
    auto started = channel_.start("/a.B/C", "hello", std::nullopt);
    Descriptor peer = listener_.accept();
    require(peer.is_open(), "a call opens a connection where there is none");
    tasks.spawn("call", hear(std::move(started), heard));
    turn();
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, piece);
      const auto size = ::send(peer.get(), part.data(), part.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (size <= 0) break;  // the peer has closed, and nothing listens
      bytes.remove_prefix(static_cast<std::size_t>(size));
      turn();
      drain(peer);
    }
    peer = Descriptor();
    loop_.restart();
    loop_.run();
    require(heard.ended, "a call ends with its connection");
    return heard;
  }

 private:
  void turn() {
    loop_.restart();
    while (loop_.poll() > 0) {
    }
  }
  static void drain(const Descriptor& peer) {
    std::array<char, 65536> buffer;  // NOLINT(*-member-init): nobody reads it
    while (::recv(peer.get(), buffer.data(), buffer.size(), MSG_DONTWAIT) > 0) {
    }
  }

  const Listener& listener_;
  boost::asio::io_context loop_{1};
  LoopChannel channel_;
};

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  using namespace berth::fuzz;
  static const Listener listener;
  std::string_view text = text_of(data, size);
  if (text.empty()) return 0;
  const std::size_t piece = static_cast<std::uint8_t>(text.front()) * std::size_t{8} + 1;
  text.remove_prefix(1);
  const std::string bytes = frames_of(text);
  Conversation conversation(listener);
  const Heard whole = conversation.call(bytes, bytes.size());
  std::size_t heard = 0;
  for (const std::string& message : whole.messages) {
    require(message.size() <= kBytesMax, "a message keeps to its limit");
    heard += message.size();
  }
  require(heard <= bytes.size(), "messages are what was sent");
  require(!whole.status.ok() || bytes.find("grpc-status") != std::string::npos,
          "nothing is a success that does not say so");
  // Whatever that was, the next call must be able to succeed.
  const std::string good =
      frame(Frame::kSettings, 0, 0, "") + begin_answer(1) + message(1, "good") + end_answer(1);
  const Heard next = conversation.call(good, good.size());
  require(next.status.ok() && next.messages == std::vector<std::string>{"good"},
          "the next call has a chance", next.status.error_message());
  Conversation other(listener);
  const Heard parts = other.call(bytes, piece);
  require(whole.messages == parts.messages, "pieces make no difference to messages");
  // If the call and the connection both have an error, either may be reported.
  require(whole.status.ok() == parts.status.ok(), "pieces make no difference to the end",
          whole.status.error_message() + " / " + parts.status.error_message());
  return 0;
}
