// SPDX-License-Identifier: Apache-2.0

// grpc.health.v1.Health for a container of a test.
//
//   health-server PORT FOLDER
//
// FOLDER/SERVICE holds SERVING or NOT_SERVING for the service SERVICE, FOLDER/overall for the one
// without a name; without a file the answer is NOT_FOUND. It implements just enough HTTP/2, and
// treats every call as Check.
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "listener.hpp"

namespace {

enum FrameType : std::uint8_t { kData = 0, kHeaders = 1, kSettings = 4, kPing = 6 };
constexpr std::uint8_t kAck = 0x1;
constexpr std::uint8_t kEndStream = 0x1;
constexpr std::uint8_t kEndHeaders = 0x4;
constexpr std::uint8_t kPadded = 0x8;
constexpr std::size_t kFrameHead = 9;
constexpr std::size_t kMessageHead = 5;  // gRPC's prefix: compression flag and length
constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

struct Frame {
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
  std::string payload{};
};

char byte(std::size_t value) {
  return static_cast<char>(static_cast<std::uint8_t>(value));
}

std::uint32_t number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes) value = value << 8U | static_cast<std::uint8_t>(c);
  return value;
}

std::string big_endian(std::uint32_t value) {
  return {byte(value >> 24U), byte(value >> 16U), byte(value >> 8U), byte(value)};
}

bool read_exactly(int socket, std::string& out, std::size_t size) {
  out.resize(size);
  for (std::size_t at = 0; at < size;) {
    const ssize_t count = ::read(socket, out.data() + at, size - at);
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<Frame> read_frame(int socket) {
  std::string head;
  if (!read_exactly(socket, head, kFrameHead)) return std::nullopt;
  Frame frame{.type = static_cast<std::uint8_t>(head[3]),
              .flags = static_cast<std::uint8_t>(head[4]),
              .stream = number(std::string_view(head).substr(5)) & 0x7FFFFFFFU};
  if (!read_exactly(socket, frame.payload, number(std::string_view(head).substr(0, 3)))) {
    return std::nullopt;
  }
  return frame;
}

std::string frame(FrameType type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload) {
  std::string out = big_endian(static_cast<std::uint32_t>(payload.size())).substr(1);
  out += byte(type);
  out += byte(flags);
  return out + big_endian(stream) + std::string(payload);
}

// An explicit header field (HPACK: literal, not indexed).
std::string field(std::string_view name, std::string_view value) {
  std::string out(1, '\0');
  out += byte(name.size());
  out += name;
  out += byte(value.size());
  return out + std::string(value);
}

// Parses HealthCheckRequest { string service = 1; }.
std::string service_of(std::string_view message) {
  if (message.size() < kMessageHead + 2) return {};
  message.remove_prefix(kMessageHead);
  return std::string(message.substr(2, static_cast<std::uint8_t>(message[1])));
}

std::string answer(std::uint32_t stream, const std::string& service,
                   const std::filesystem::path& folder) {
  std::ifstream file(folder / (service.empty() ? "overall" : service));
  std::string said;
  file >> said;
  const std::string head = "\x88" + field("content-type", "application/grpc");  // :status 200
  if (said.empty()) {
    const std::string trailers =
        head + field("grpc-status", "5") + field("grpc-message", "unknown service");
    return frame(kHeaders, kEndHeaders | kEndStream, stream, trailers);
  }
  const std::string message = {0, 0, 0, 0, 2, 8, byte(said == "SERVING" ? 1 : 2)};
  return frame(kHeaders, kEndHeaders, stream, head) + frame(kData, 0, stream, message) +
         frame(kHeaders, kEndHeaders | kEndStream, stream, field("grpc-status", "0"));
}

void serve(int socket, const std::filesystem::path& folder) {
  const auto say = [socket](const std::string& bytes) {
    return ::write(socket, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  };
  std::string preface;
  if (!read_exactly(socket, preface, kPreface.size()) || preface != kPreface) return;
  if (!say(frame(kSettings, 0, 0, {}))) return;
  std::map<std::uint32_t, std::string> asked;
  while (auto got = read_frame(socket)) {
    const bool acknowledges = (got->flags & kAck) != 0;
    if (got->type == kSettings && !acknowledges) say(frame(kSettings, kAck, 0, {}));
    if (got->type == kPing && !acknowledges) say(frame(kPing, kAck, 0, got->payload));
    if (got->type != kData) continue;
    std::string_view data = got->payload;
    if ((got->flags & kPadded) != 0 && !data.empty()) {
      data = data.substr(1, data.size() - 1 - static_cast<std::uint8_t>(data[0]));
    }
    asked[got->stream] += data;
    if ((got->flags & kEndStream) == 0) continue;
    say(answer(got->stream, service_of(asked[got->stream]), folder));
    asked.erase(got->stream);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: health-server PORT FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[2];
  berth::integration::serve_for_ever(static_cast<std::uint16_t>(std::atoi(argv[1])),
                                     [&](int connection) { serve(connection, folder); });
}
