// SPDX-License-Identifier: Apache-2.0

#include "probes/answer_reader.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "base/text.hpp"
#include "probes/chunked_body.hpp"

namespace berth::probes {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::size_t kQuoted = 60;  // characters of a line that is no HTTP
constexpr std::string_view kBroken = "net/http: HTTP/1.x transport connection broken: ";

std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kQuoted)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string malformed(std::string_view received) {
  std::string_view line = received.substr(0, received.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return fmt::format("{}malformed HTTP response \"{}\"", kBroken, quoted(line));
}

// Whether the first line is complete and not HTTP's.
bool is_other_protocol(std::string_view received) {
  return received.find('\n') != std::string_view::npos && !received.starts_with("HTTP/");
}

}  // namespace

struct AnswerReader::Parser {
  Parser() {
    http.header_limit(static_cast<std::uint32_t>(2 * kHeadLimit));
    http.body_limit(std::numeric_limits<std::uint64_t>::max());
    http.eager(false);
  }

  http::response_parser<http::buffer_body> http{};
  std::string body = {};
  ChunkedBody chunks{};
};

AnswerReader::AnswerReader() : parser_(std::make_unique<Parser>()) {}
AnswerReader::~AnswerReader() = default;

void AnswerReader::take(std::string_view bytes) {
  pending_ += bytes;
  if (!head_read_) read_head();
  if (head_read_ && !complete_ && error_.empty()) read_body();
}

void AnswerReader::end_of_input() {
  if (!head_read_) {
    const bool none = pending_.empty();
    const bool http = pending_.starts_with("HTTP/");
    error_ = none ? "EOF" : http ? std::string(kBroken) + "unexpected EOF" : malformed(pending_);
    return;
  }
  if (parser_->http.chunked()) {
    error_ = parser_->chunks.error_at_end(pending_);
    return;
  }
  boost::system::error_code error;
  parser_->http.put_eof(error);
  if (error || !parser_->http.is_done()) {
    error_ = "unexpected EOF";
    return;
  }
  complete_ = true;
}

void AnswerReader::read_head() {
  for (;;) {
    const auto end = head_end(pending_);
    if (is_other_protocol(pending_) || (!end && pending_.size() > kHeadLimit)) {
      error_ = malformed(pending_);
      return;
    }
    if (!end) return;
    const std::string head = strict_head(std::string_view(pending_).substr(0, *end));
    boost::system::error_code error;
    parser_->http.put(asio::buffer(head), error);
    if (error || !parser_->http.is_header_done()) {
      error_ = malformed(pending_);
      return;
    }
    pending_.erase(0, *end);
    const unsigned status = parser_->http.get().result_int();
    // "100 Continue" and the like are not the answer.
    if (status >= 200 || status == 101) break;
    parser_ = std::make_unique<Parser>();
  }
  head_read_ = true;
  begin_body();
}

void AnswerReader::begin_body() {
  parser_->http.eager(true);
  complete_ = parser_->http.is_done();
}

void AnswerReader::read_body() {
  if (parser_->http.chunked())
    read_chunks();
  else
    read_plain();
}

void AnswerReader::read_chunks() {
  auto& body = parser_->body;
  auto& chunks = parser_->chunks;
  pending_.erase(0, chunks.decode(pending_, body, kOutputLimit));
  error_ = chunks.error();
  if (!error_.empty()) return;
  complete_ = chunks.complete() || body.size() >= kOutputLimit;
  if (body.size() >= kOutputLimit) body.resize(first_bytes(body, kOutputLimit).size());
}

void AnswerReader::read_plain() {
  std::array<char, 2'048> part;
  while (!pending_.empty() && !complete_) {
    auto& body = parser_->http.get().body();
    body.data = part.data();
    body.size = part.size();
    boost::system::error_code error;
    const auto used = parser_->http.put(asio::buffer(pending_), error);
    pending_.erase(0, used);
    parser_->body.append(part.data(), part.size() - body.size);
    if (parser_->body.size() >= kOutputLimit) {
      parser_->body.resize(first_bytes(parser_->body, kOutputLimit).size());
      complete_ = true;
      return;
    }
    if (error == http::error::need_more) return;
    if (error && error != http::error::need_buffer) {
      error_ = std::string("malformed body: ") + error.message();
      return;
    }
    complete_ = parser_->http.is_done();
    if (used == 0 && !error) return;
  }
}

HttpAnswer AnswerReader::answer() const {
  const auto& head = parser_->http.get();
  return {.status = static_cast<int>(head.result_int()),
          .location = std::string(head[http::field::location]),
          .body = parser_->body};
}

}  // namespace berth::probes
