// SPDX-License-Identifier: Apache-2.0

// What a server sends as gRPC: its messages' bytes, in arbitrary pieces, and its final status.
//
// The first byte is the size of the pieces. Then a line, grpc-status and its message separated by a
// tab; then the messages.
#include <chrono>
#include <vector>

#include "base/grpc_wire.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

constexpr std::size_t kBytesMax = 1000;

struct Read {
  std::vector<std::string> messages{};
  std::optional<int> failure{};
  bool inside = false;
};

Read read(std::string_view bytes, std::size_t piece) {
  MessageReader reader(kBytesMax);
  Read out;
  while (!bytes.empty() && !reader.failure()) {
    reader.take(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (auto message = reader.next()) out.messages.push_back(std::move(*message));
  }
  if (reader.failure()) out.failure = reader.failure()->error_code();
  out.inside = reader.inside();
  return out;
}

EndOfCall end_of(std::string_view text) {
  EndOfCall end{.http_status = 200, .content_type = "application/grpc"};
  const auto tab = text.find('\t');
  end.grpc_status = std::string(text.substr(0, tab));
  if (tab != std::string_view::npos) end.grpc_message = text.substr(tab + 1);
  return end;
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::fuzz;
  std::string_view text = text_of(data, size);
  if (text.empty()) return 0;
  const std::size_t piece = static_cast<std::uint8_t>(text.front()) + std::size_t{1};
  text.remove_prefix(1);
  const auto line = text.find('\n');
  const auto end = end_of(text.substr(0, line));
  const auto status = berth::status_of(end);
  const bool zero = end.grpc_status->find_first_not_of('0') == std::string::npos;
  require(!status.ok() || (zero && !end.grpc_status->empty()), "nothing but 0 is a success",
          *end.grpc_status);
  if (line == std::string_view::npos) return 0;
  const std::string_view bytes = text.substr(line + 1);
  const Read whole = read(bytes, bytes.size() + 1);
  const Read parts = read(bytes, piece);
  require(whole.messages == parts.messages, "pieces make no difference to messages");
  require(whole.failure == parts.failure, "pieces make no difference to the end");
  std::string again;
  for (const std::string& message : whole.messages) {
    require(message.size() <= kBytesMax, "a message keeps to its limit");
    again += berth::framed(message);
  }
  require(bytes.starts_with(again), "messages are what was sent");
  require(whole.failure || whole.inside == (again.size() < bytes.size()),
          "what is left is reported");
  return 0;
}
