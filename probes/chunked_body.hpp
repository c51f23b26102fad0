// SPDX-License-Identifier: Apache-2.0

// Decodes a body in chunks from bytes as they arrive, by the rules of Go's net/http, in its words:
// extensions are ignored, a line has at most 4,096 bytes, and overhead is limited. A trailer is
// skipped up to its blank line; unlike in Go, its lines are not parsed.
//
// Pure. Beast parses chunks as well, but reads past the line of an unterminated extension, and
// counts a chunk again whenever more bytes arrive, so that its verdict depends on how the input is
// split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::probes {

class ChunkedBody {
 public:
  // Appends the data to `body` until that has `body_max` bytes. Returns the number of consumed
  // bytes; the caller passes the others again, followed by more.
  std::size_t decode(std::string_view bytes, std::string& body, std::size_t body_max);

  // The trailer has ended as well.
  [[nodiscard]] bool complete() const { return state_ == State::kComplete; }
  // Empty if there is none.
  [[nodiscard]] std::string_view error() const { return error_; }
  // The error if the input ends with these bytes, which were not consumed.
  [[nodiscard]] std::string_view error_at_end(std::string_view left) const;

 private:
  enum class State : std::uint8_t { kSize, kData, kDataEnd, kTrailer, kComplete };

  // Each returns the number of consumed bytes: 0 if it needs more, or failed.
  std::size_t read(std::string_view bytes, std::string& body, std::size_t body_max);
  std::size_t read_size(std::string_view bytes);
  std::size_t read_data(std::string_view bytes, std::string& body, std::size_t body_max);
  std::size_t read_data_end(std::string_view bytes);
  std::size_t read_trailer(std::string_view bytes);

  State state_ = State::kSize;
  std::uint64_t left_ = 0;    // bytes of the chunk's data
  std::uint64_t excess_ = 0;  // bytes of overhead beyond what the data accounts for
  std::string_view error_{};
};

}  // namespace berth::probes
