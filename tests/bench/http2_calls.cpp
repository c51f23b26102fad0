// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/http2_calls.hpp"

#include <nghttp2/nghttp2.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace berth::bench {
namespace {

constexpr std::size_t kPrefaceBytes = NGHTTP2_CLIENT_MAGIC_LEN;
constexpr std::size_t kFrameHeaderBytes = 9;    // RFC 9113 §4.1
constexpr std::size_t kPriorityBytes = 5;       // §6.2
constexpr std::size_t kSettingBytes = 6;        // §6.5.1
constexpr std::size_t kMessageHeaderBytes = 5;  // gRPC: compressed or not, length

std::uint32_t number(Bytes bytes) {
  std::uint32_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

struct Http2Calls::Frame {
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
  Bytes payload{};

  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
};

// One direction.
struct Http2Calls::Side {
  struct Delete {
    void operator()(nghttp2_hd_inflater* it) const { nghttp2_hd_inflate_del(it); }
  };

  explicit Side(bool is_client) : client(is_client), preface_left(client ? kPrefaceBytes : 0) {
    nghttp2_hd_inflater* made = nullptr;
    if (nghttp2_hd_inflate_new(&made) != 0) throw std::bad_alloc();
    inflater.reset(made);
  }

  bool client;
  std::size_t preface_left;
  std::vector<std::uint8_t> unread{};
  std::vector<std::uint8_t> block{};  // of headers, until END_HEADERS
  bool block_ends_stream = false;
  std::unique_ptr<nghttp2_hd_inflater, Delete> inflater{};
};

namespace {

// The wanted field of the block. All fields are read, because they change the meaning of later
// blocks.
std::optional<std::string> find_field(nghttp2_hd_inflater* inflater, Bytes block,
                                      std::string_view wanted) {
  std::optional<std::string> found;
  for (;;) {
    nghttp2_nv field{};
    int flags = 0;
    const auto used = nghttp2_hd_inflate_hd2(inflater, &field, &flags, block.data(), block.size(),
                                             /*in_final=*/1);
    if (used < 0) throw std::runtime_error("headers that cannot be read");
    block = block.subspan(static_cast<std::size_t>(used));
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0 && text_of({field.name, field.namelen}) == wanted) {
      found = text_of({field.value, field.valuelen});
    }
    if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) break;
  }
  nghttp2_hd_inflate_end_headers(inflater);
  return found;
}

// Removes complete messages from `unread`.
template <class OnMessage>
void take_messages(std::string& unread, OnMessage on_message) {
  std::string_view rest = unread;
  while (rest.size() >= kMessageHeaderBytes) {
    const auto* header = reinterpret_cast<const std::uint8_t*>(rest.data());
    const std::size_t length = number({header + 1, kMessageHeaderBytes - 1});
    if (rest.size() < kMessageHeaderBytes + length) break;
    on_message(rest.substr(kMessageHeaderBytes, length));
    rest.remove_prefix(kMessageHeaderBytes + length);
  }
  unread.erase(0, unread.size() - rest.size());
}

}  // namespace

Http2Calls::Http2Calls(CallObserver& observer)
    : observer_(observer),
      client_(std::make_unique<Side>(true)),
      server_(std::make_unique<Side>(false)) {}

Http2Calls::~Http2Calls() = default;

void Http2Calls::from_client(Bytes bytes) {
  take(*client_, bytes);
}

void Http2Calls::from_server(Bytes bytes) {
  take(*server_, bytes);
}

void Http2Calls::closed() {
  while (!streams_.empty()) end(streams_.begin()->first, kNoStatus);
}

void Http2Calls::take(Side& side, Bytes bytes) {
  const std::size_t preface = std::min(side.preface_left, bytes.size());
  side.preface_left -= preface;
  bytes = bytes.subspan(preface);
  side.unread.insert(side.unread.end(), bytes.begin(), bytes.end());
  Bytes rest = side.unread;
  while (rest.size() >= kFrameHeaderBytes) {
    const std::size_t length = number(rest.first(3));
    if (rest.size() < kFrameHeaderBytes + length) break;
    constexpr std::uint32_t kStreamBits = 0x7fffffff;
    frame(side, {.type = rest[3],
                 .flags = rest[4],
                 .stream = number(rest.subspan(5, 4)) & kStreamBits,
                 .payload = rest.subspan(kFrameHeaderBytes, length)});
    rest = rest.subspan(kFrameHeaderBytes + length);
  }
  side.unread.erase(side.unread.begin(), side.unread.end() - std::ssize(rest));
}

void Http2Calls::frame(Side& side, const Frame& frame) {
  switch (frame.type) {
    case NGHTTP2_HEADERS:
    case NGHTTP2_CONTINUATION:
      return headers(side, frame);
    case NGHTTP2_DATA:
      return data(side, frame);
    case NGHTTP2_RST_STREAM:
      return end(frame.stream, kNoStatus);
    case NGHTTP2_SETTINGS:
      // The header table size that the sender allows the other side.
      for (Bytes rest = frame.payload; rest.size() >= kSettingBytes;
           rest = rest.subspan(kSettingBytes)) {
        if (number(rest.first(2)) != NGHTTP2_SETTINGS_HEADER_TABLE_SIZE) continue;
        Side& other = side.client ? *server_ : *client_;
        nghttp2_hd_inflate_change_table_size(other.inflater.get(), number(rest.subspan(2, 4)));
      }
      return;
    default:
      return;
  }
}

void Http2Calls::headers(Side& side, const Frame& frame) {
  Bytes block = frame.payload;
  if (frame.type == NGHTTP2_HEADERS) {
    std::size_t padding = 0;
    if (frame.has(NGHTTP2_FLAG_PADDED)) {
      padding = block[0];
      block = block.subspan(1);
    }
    if (frame.has(NGHTTP2_FLAG_PRIORITY)) block = block.subspan(kPriorityBytes);
    block = block.first(block.size() - padding);
    side.block_ends_stream = frame.has(NGHTTP2_FLAG_END_STREAM);
    side.block.clear();
  }
  side.block.insert(side.block.end(), block.begin(), block.end());
  if (!frame.has(NGHTTP2_FLAG_END_HEADERS)) return;
  if (side.client) {
    const auto path = find_field(side.inflater.get(), side.block, ":path");
    if (path && streams_.try_emplace(frame.stream).second) observer_.began(frame.stream, *path);
    return;
  }
  const auto status = find_field(side.inflater.get(), side.block, "grpc-status");
  if (side.block_ends_stream) end(frame.stream, status ? std::stoi(*status) : kNoStatus);
}

void Http2Calls::data(const Side& side, const Frame& frame) {
  const auto found = streams_.find(frame.stream);
  if (found == streams_.end()) return;
  Bytes bytes = frame.payload;
  if (frame.has(NGHTTP2_FLAG_PADDED)) {
    const std::size_t padding = bytes[0];
    bytes = bytes.subspan(1, bytes.size() - 1 - padding);
  }
  std::string& unread = side.client ? found->second.asking : found->second.answering;
  unread.append(text_of(bytes));
  take_messages(unread, [&](std::string_view message) {
    if (side.client)
      observer_.asked(frame.stream, message);
    else
      observer_.answered(frame.stream, message);
  });
}

void Http2Calls::end(std::uint32_t stream, int status) {
  if (streams_.erase(stream) != 0) observer_.ended(stream, status);
}

}  // namespace berth::bench
