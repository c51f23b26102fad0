// SPDX-License-Identifier: Apache-2.0

#include "probes/chunked_body.hpp"

#include <algorithm>

namespace berth::probes {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kLineMax = 4096;  // with its end; of a trailer as a whole
constexpr std::size_t kDigitsMax = 16;  // of a size
constexpr std::uint64_t kExcessMax = 16 * 1024;
constexpr std::uint64_t kFreePerChunk = 16;  // overhead that is not counted

struct Size {
  std::uint64_t value = 0;
  std::string_view error{};
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Size size_from(std::string_view line) {
  // Blanks are trimmed before the extension is cut off, so none may stand between the two.
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  line = line.substr(0, line.find(';'));
  if (line.empty()) return {.error = "empty hex number for chunk length"};
  Size size;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const int digit = hex_digit(line[i]);
    if (digit < 0) return {.error = "invalid byte in chunk length"};
    if (i == kDigitsMax) return {.error = "http chunk length too large"};
    size.value = size.value << 4U | static_cast<std::uint64_t>(digit);
  }
  return size;
}

}  // namespace

std::size_t ChunkedBody::decode(std::string_view bytes, std::string& body, std::size_t body_max) {
  std::size_t used = 0;
  while (error_.empty() && !complete() && body.size() < body_max) {
    const std::size_t now = read(bytes.substr(used), body, body_max);
    if (now == 0) break;
    used += now;
  }
  return used;
}

std::size_t ChunkedBody::read(std::string_view bytes, std::string& body, std::size_t body_max) {
  switch (state_) {
    case State::kSize:
      return read_size(bytes);
    case State::kData:
      return read_data(bytes, body, body_max);
    case State::kDataEnd:
      return read_data_end(bytes);
    case State::kTrailer:
      return read_trailer(bytes);
    case State::kComplete:
      return 0;
  }
  return 0;
}

std::size_t ChunkedBody::read_size(std::string_view bytes) {
  const std::size_t feed = bytes.substr(0, kLineMax).find('\n');
  if (feed == std::string_view::npos) {
    if (bytes.size() >= kLineMax) error_ = "header line too long";
    return 0;
  }
  const std::size_t carriage = bytes.substr(0, feed).find('\r');
  if (carriage == std::string_view::npos) {
    error_ = "chunked line ends with bare LF";
    return 0;
  }
  if (carriage + 1 != feed) {
    error_ = "invalid CR in chunked line";
    return 0;
  }
  const Size size = size_from(bytes.substr(0, carriage));
  error_ = size.error;
  if (!error_.empty()) return 0;
  // Capped so that it cannot overflow; no excess is as large as that.
  const std::uint64_t allowance =
      kFreePerChunk + 2 * std::min(size.value, std::uint64_t{2} * kExcessMax);
  excess_ += carriage + kLineEnd.size();
  excess_ -= std::min(excess_, allowance);
  // Go overlooks it at the last chunk.
  if (size.value != 0 && excess_ > kExcessMax) {
    error_ = "chunked encoding contains too much non-data";
    return 0;
  }
  left_ = size.value;
  state_ = left_ == 0 ? State::kTrailer : State::kData;
  return feed + 1;
}

std::size_t ChunkedBody::read_data(std::string_view bytes, std::string& body,
                                   std::size_t body_max) {
  const std::size_t room = body_max - body.size();
  const auto part =
      static_cast<std::size_t>(std::min(left_, std::uint64_t{std::min(room, bytes.size())}));
  body += bytes.substr(0, part);
  left_ -= part;
  if (left_ == 0) state_ = State::kDataEnd;
  return part;
}

std::size_t ChunkedBody::read_data_end(std::string_view bytes) {
  if (bytes.size() < kLineEnd.size()) return 0;
  if (!bytes.starts_with(kLineEnd)) {
    error_ = "malformed chunked encoding";
    return 0;
  }
  state_ = State::kSize;
  return kLineEnd.size();
}

std::size_t ChunkedBody::read_trailer(std::string_view bytes) {
  std::size_t end = 0;
  if (!bytes.starts_with(kLineEnd)) {
    const std::size_t last = bytes.substr(0, kLineMax).find("\r\n\r\n");
    if (last == std::string_view::npos) {
      if (bytes.size() >= kLineMax) error_ = "http: suspiciously long trailer after chunked body";
      return 0;
    }
    end = last + kLineEnd.size();
  }
  state_ = State::kComplete;
  return end + kLineEnd.size();
}

std::string_view ChunkedBody::error_at_end(std::string_view left) const {
  if (state_ != State::kTrailer) return "unexpected EOF";
  return left.size() < kLineEnd.size() ? "http: unexpected EOF reading trailer"
                                       : "http: suspiciously long trailer after chunked body";
}

}  // namespace berth::probes
