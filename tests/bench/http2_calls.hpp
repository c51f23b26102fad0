// SPDX-License-Identifier: Apache-2.0

// The gRPC calls of one HTTP/2 connection, read from the bytes passing over it.
//
// The forwarder feeds the bytes of both directions, in pieces of any size; the observer learns
// which call starts, its messages, and how it ends. Nothing is answered or changed, so flow
// control, settings and pings stay between the two ends. nghttp2 reads the headers. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::bench {

using Bytes = std::span<const std::uint8_t>;

// Streams are numbered by the connection.
class CallObserver {
 public:
  virtual ~CallObserver() = default;

  // `path`: "/runtime.v1.RuntimeService/Version".
  virtual void began(std::uint32_t stream, const std::string& path) = 0;
  virtual void asked(std::uint32_t stream, std::string_view message) = 0;
  virtual void answered(std::uint32_t stream, std::string_view message) = 0;
  // gRPC's code; kNoStatus if the stream was reset, or the connection ended, before there was one.
  virtual void ended(std::uint32_t stream, int status) = 0;
};

class Http2Calls {
 public:
  static constexpr int kNoStatus = -1;

  explicit Http2Calls(CallObserver& observer);
  Http2Calls(const Http2Calls&) = delete;
  Http2Calls& operator=(const Http2Calls&) = delete;
  ~Http2Calls();

  // Throws std::runtime_error if the bytes are not HTTP/2.
  void from_client(Bytes bytes);
  void from_server(Bytes bytes);
  void closed();

 private:
  struct Frame;
  struct Side;
  struct Stream {
    std::string asking{};     // of an incomplete message
    std::string answering{};  //
  };

  void take(Side& side, Bytes bytes);
  void frame(Side& side, const Frame& frame);
  void headers(Side& side, const Frame& frame);
  void data(const Side& side, const Frame& frame);
  void end(std::uint32_t stream, int status);

  CallObserver& observer_;
  std::unique_ptr<Side> client_;
  std::unique_ptr<Side> server_;
  std::map<std::uint32_t, Stream> streams_;
};

}  // namespace berth::bench
