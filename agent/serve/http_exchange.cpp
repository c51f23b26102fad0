// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/http_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <boost/asio/buffer.hpp>

#include "probes/http_message.hpp"

namespace berth::agent {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t kBodyMax =
    std::size_t{64} * 1024;  // no legitimate request has a body; in chunks, as sent
constexpr std::uint32_t kHeaderMax = 64 * 1024;

HttpReply refusal(const boost::system::error_code& error) {
  if (error == http::error::body_limit) {
    return {.status = 413, .body = "request body larger than 64 KiB\n"};
  }
  if (error == http::error::header_limit) {
    return {.status = 431, .body = "request header larger than 64 KiB\n"};
  }
  return {.status = 400, .body = "bad request: " + error.message() + "\n"};
}

}  // namespace

HttpExchange::HttpExchange() {
  parser_.eager(true);
  parser_.header_limit(2 * kHeaderMax);  // our own smaller limit applies first
  parser_.body_limit(kBodyMax);
}

void HttpExchange::take(std::string_view bytes) {
  pending_ += bytes;
  begun_ = begun_ || !pending_.empty();
  if (!done_ && !parser_.is_header_done()) read_head();
  if (!done_ && parser_.is_header_done()) read_body();
}

void HttpExchange::read_head() {
  const auto end = probes::head_end(pending_);
  if (end.value_or(pending_.size()) > kHeaderMax) {
    error_ = http::error::header_limit;
  } else if (end) {
    put(*end);
    if (!error_ && !parser_.is_header_done()) error_ = http::error::bad_line_ending;
  }
  done_ = error_ || parser_.is_done();
}

void HttpExchange::read_body() {
  if (parser_.chunked())
    read_chunks();
  else
    read_plain();
  done_ = done_ || error_;
}

// What lies beyond the limit is not decoded: whether an error or the limit comes first must not
// depend on the pieces.
void HttpExchange::read_chunks() {
  std::string ignored;
  const std::size_t left = kBodyMax - chunk_bytes_;
  const std::size_t used =
      chunks_.decode(std::string_view(pending_).substr(0, left), ignored, kBodyMax);
  pending_.erase(0, used);
  chunk_bytes_ += used;
  done_ = chunks_.complete();
  if (!chunks_.error().empty())
    error_ = http::error::bad_chunk;
  else if (!done_ && chunk_bytes_ + pending_.size() > kBodyMax)
    error_ = http::error::body_limit;
}

void HttpExchange::read_plain() {
  while (!error_ && !done_ && !pending_.empty()) {
    const std::size_t used = put(pending_.size());
    done_ = parser_.is_done();
    if (used == 0) return;
  }
}

std::size_t HttpExchange::put(std::size_t bytes) {
  boost::system::error_code error;
  const std::size_t used = parser_.put(boost::asio::buffer(pending_.data(), bytes), error);
  pending_.erase(0, used);
  if (error != http::error::need_more) error_ = error;
  return used;
}

HttpResponse HttpExchange::answer(const HttpSources& sources) const {
  const auto& request = parser_.get();
  auto reply = error_ ? refusal(error_)
                      : agent::answer({.method = std::string(request.method_string()),
                                       .target = std::string(request.target())},
                                      sources);
  HttpResponse response{static_cast<http::status>(reply.status), request.version()};
  response.set(http::field::content_type, reply.content_type);
  response.set("X-Content-Type-Options", "nosniff");
  if (!reply.allow.empty()) response.set(http::field::allow, reply.allow);
  response.body() = std::move(reply.body);
  response.keep_alive(keeps_connection());
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  return response;
}

bool HttpExchange::keeps_connection() const {
  return !error_ && parser_.get().keep_alive();
}

}  // namespace berth::agent
