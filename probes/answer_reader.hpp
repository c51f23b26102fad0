// Reads one HTTP answer from bytes as they come: the head, then the body up to its limit.
//
// Pure; Beast does the parsing. Nothing that a server sends makes it take more memory than the
// limits say.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "probes/http_message.hpp"

namespace berth::probes {

inline constexpr std::size_t kHeadLimit = 262'144;  // bytes of an answer's head

class AnswerReader {
 public:
  AnswerReader();
  ~AnswerReader();

  void take(std::string_view bytes);
  // The server closed its side.
  void take_end();
  void fail_transport(std::string text) { error_ = std::move(text); }

  // The body is complete, or as long as it is read.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] bool head_read() const { return head_read_; }
  // In net/http's words; empty: none.
  [[nodiscard]] const std::string& error() const { return error_; }
  // Once the head is read.
  [[nodiscard]] HttpAnswer answer() const;

 private:
  struct Parser;

  void read_head();
  void read_body();
  void begin_body();

  std::unique_ptr<Parser> parser_;
  std::string pending_{};  // received, not yet parsed
  std::string error_{};
  bool head_read_ = false;
  bool complete_ = false;
};

}  // namespace berth::probes
