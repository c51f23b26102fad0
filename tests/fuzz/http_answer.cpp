// SPDX-License-Identifier: Apache-2.0

// An HTTP answer from an arbitrary server: read, followed if it redirects, judged.
//
// The first byte is the size of the pieces in which the rest arrives.
#include "probes/answer_reader.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

using probes::AnswerReader;
using probes::HttpAnswer;
using probes::HttpTarget;

struct Read {
  bool head_read = false;
  std::string error{};
  HttpAnswer answer{};
};

Read read(std::string_view text, std::size_t piece) {
  AnswerReader reader;
  while (!text.empty() && !reader.complete() && reader.error().empty()) {
    reader.take(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
  }
  if (!reader.complete() && reader.error().empty()) reader.end_of_input();
  require(reader.complete() || !reader.error().empty(), "an answer comes to its end");
  Read out{.head_read = reader.head_read(), .error = reader.error()};
  if (out.head_read) out.answer = reader.answer();
  return out;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

void follow(const HttpAnswer& answer, const HttpTarget& first) {
  const auto redirect = probes::redirect(answer, first, first, 1);
  if (redirect.error) require(!redirect.about.empty(), "an error is about something");
  if (!redirect.next) return;
  require(redirect.next->url.hostname() == first.url.hostname(), "a redirect stays on its host");
  const auto request = probes::render_request(*redirect.next);
  if (!request) return;
  require(request->ends_with("\r\n\r\n") && count(*request, "\r\n\r\n") == 1,
          "a request has one head", *request);
  // The request line, Host, Referer (not from https to http), X-A, Connection, the blank line.
  require(count(*request, "\n") <= 6 && count(*request, "\r") == count(*request, "\n"),
          "a place cannot write headers", *request);
  const std::string_view line = std::string_view(*request).substr(0, request->find('\r'));
  require(line.starts_with("GET /") && line.ends_with(" HTTP/1.1"), "a request asks", *request);
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::fuzz;
  std::string_view text = text_of(data, size);
  if (text.empty()) return 0;
  const std::size_t piece = static_cast<std::uint8_t>(text.front()) + std::size_t{1};
  text.remove_prefix(1);
  const Read whole = read(text, text.size() + 1);
  const Read parts = read(text, piece);
  require(whole.head_read == parts.head_read, "pieces make no difference to the head", whole.error);
  require(whole.error.empty() == parts.error.empty(), "pieces make no difference to the end",
          whole.error + " / " + parts.error);
  if (!whole.head_read) return 0;
  require(whole.answer.status == parts.answer.status, "pieces make no difference to the status");
  if (whole.error.empty()) {
    require(whole.answer.body == parts.answer.body, "pieces make no difference to the body");
  }
  require(whole.answer.body.size() <= berth::probes::kOutputLimit, "a body keeps to its limit");
  for (const char* url : {"http://10.0.0.5:8080/a/b?c", "https://[fd00::5]/"}) {
    follow(whole.answer, {.url = *berth::probes::parse_url(url), .headers = {{"X-A", "1"}}});
  }
  const auto attempt = berth::probes::judge_answer(whole.answer);
  require(!attempt.errored && attempt.code == whole.answer.status, "an answer is judged");
  require(!berth::probes::explain(attempt).empty(), "an attempt has words");
  return 0;
}
