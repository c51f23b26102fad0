// SPDX-License-Identifier: Apache-2.0

// A caller's input to the HTTP port: requests, one after another on a connection, in pieces.
//
// The first byte is the size of the pieces in which the rest arrives.
#include <sstream>
#include <vector>

#include <boost/beast/http/write.hpp>

#include "agent/serve/http_exchange.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

using agent::HealthCheck;
using agent::HttpExchange;
using agent::HttpResponse;
using agent::HttpSources;

constexpr std::size_t kBytesMax = 128 * 1024;  // of a request: head and body, 64 KiB each

const HttpSources& sources() {
  static const HttpSources kAll{
      .pods_json = [] { return std::string("{\"kind\":\"PodList\"}\n"); },
      .metrics = [] { return std::string(); },
      .probe_metrics = [] { return std::string("prober_probe_total 1\n"); },
      .health =
          [] {
            return std::vector<HealthCheck>{{.name = "ping", .failure = {}},
                                            {.name = "log", .failure = {}},
                                            {.name = "syncloop", .failure = "it is late"}};
          }};
  return kAll;
}

std::string text_of(const HttpResponse& response) {
  std::ostringstream text;
  text << response;
  return text.str();
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

void check_body(const HttpResponse& response) {
  const std::string& body = response.body();
  for (const char c : body) {
    const bool plain = c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    require(plain, "an answer moves no cursor", body);
  }
  if (body.find("healthz check") == std::string::npos) return;
  for (std::string_view rest = body; !rest.empty();) {
    const auto end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    require(line.starts_with("[+]") || line.starts_with("[-]") || line.starts_with("warn: ") ||
                line.starts_with("healthz check "),
            "a caller writes no lines of health", body);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

void check_answer(const HttpResponse& response) {
  namespace http = boost::beast::http;
  const std::string text = text_of(response);
  const std::size_t head = text.find("\r\n\r\n");
  require(head != std::string::npos, "an answer has a head", text);
  const std::string_view lines = std::string_view(text).substr(0, head + 2);
  // The status line, Content-Type, X-Content-Type-Options, Allow, Connection, Content-Length.
  require(count(lines, "\r\n") <= 6 && count(lines, "\n") == count(lines, "\r\n"),
          "a caller writes no headers", text);
  const int status = response.result_int();
  const bool known = status == 200 || status == 400 || status == 404 || status == 405 ||
                     status == 413 || status == 431 || status == 500;
  require(known, "an answer has a status that is ours", text);
  const std::string length(response[http::field::content_length]);
  require(response.body().empty() || length == std::to_string(response.body().size()),
          "an answer says how long it is", text);
  check_body(response);
}

struct Heard {
  std::vector<std::string> answers{};
  bool closed = false;  // by us
};

// As the port serves a connection.
Heard serve(std::string_view text, std::size_t piece) {
  Heard heard;
  std::string rest;
  while (!heard.closed) {
    HttpExchange exchange;
    exchange.take(rest);
    std::size_t taken = rest.size();
    while (!exchange.done() && !text.empty()) {
      exchange.take(text.substr(0, piece));
      taken += std::min(piece, text.size());
      text.remove_prefix(std::min(piece, text.size()));
    }
    require(exchange.begun() == (taken > 0), "a request begins with its first byte");
    require(exchange.rest().size() <= taken, "what is left has come");
    if (!exchange.done()) {
      require(taken <= kBytesMax + piece, "a request keeps to its limits");
      break;
    }
    const HttpResponse response = exchange.answer(sources());
    check_answer(response);
    heard.answers.push_back(text_of(response));
    heard.closed = !exchange.keeps_connection();
    rest = exchange.rest();
  }
  return heard;
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::fuzz;
  std::string_view text = berth::fuzz::text_of(data, size);
  if (text.empty()) return 0;
  const std::size_t piece = static_cast<std::uint8_t>(text.front()) + std::size_t{1};
  text.remove_prefix(1);
  const Heard whole = serve(text, text.size() + 1);
  const Heard parts = serve(text, piece);
  require(whole.answers == parts.answers, "pieces make no difference to answers",
          whole.answers.empty() || parts.answers.empty()
              ? ""
              : whole.answers.back() + " / " + parts.answers.back());
  require(whole.closed == parts.closed, "pieces make no difference to the connection");
  return 0;
}
