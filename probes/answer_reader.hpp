// SPDX-License-Identifier: Apache-2.0

// Reads one HTTP answer from bytes as they arrive: the head, then the body up to its limit.
//
// Pure; Beast parses all but chunks (chunked_body.hpp). No answer makes it use more memory than the
// limits allow.
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
  // Call when the server has closed its side, unless the answer is complete or has failed.
  void end_of_input();
  void fail_transport(std::string text) { error_ = std::move(text); }

  // Whether the body is complete, or has reached its limit.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] bool head_read() const { return head_read_; }
  // In net/http's words; empty if there is none.
  [[nodiscard]] const std::string& error() const { return error_; }
  // Valid once the head is read.
  [[nodiscard]] HttpAnswer answer() const;

 private:
  struct Parser;

  void read_head();
  void read_body();
  void read_chunks();
  void read_plain();
  void begin_body();

  std::unique_ptr<Parser> parser_;
  std::string pending_{};  // received, not yet parsed
  std::string error_{};
  bool head_read_ = false;
  bool complete_ = false;
};

}  // namespace berth::probes
