// SPDX-License-Identifier: Apache-2.0

#include "probes/attempt.hpp"

#include <chrono>

#include <fmt/format.h>

namespace berth::probes {
namespace {

constexpr std::size_t kLineShown = 80;  // characters of a first line

std::string_view first_line(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.size() <= kLineShown) return text;
  // Do not cut in the middle of a character.
  std::size_t end = kLineShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

std::string_view awaited(Phase phase) {
  switch (phase) {
    case Phase::kConnect:
      return "no connection";
    case Phase::kTls:
      return "no TLS handshake";
    case Phase::kBody:
      return "body not complete";
    case Phase::kCommand:
      return "command not finished";
    default:
      return "no response";
  }
}

std::string_view step(Phase phase) {
  switch (phase) {
    case Phase::kConnect:
      return "connect";
    case Phase::kTls:
      return "TLS handshake";
    case Phase::kBody:
      return "body";
    case Phase::kCommand:
      return "command";
    default:
      return "response";
  }
}

std::string with_line(std::string text, std::string_view line) {
  if (!line.empty()) text += fmt::format(", {}", line);
  return text;
}

// net/http's text after the request it concerns.
std::string_view detail(std::string_view output) {
  constexpr std::string_view kAbout = "\": ";
  const auto about = output.starts_with("Get \"") ? output.find(kAbout) : std::string_view::npos;
  if (about != std::string_view::npos) output.remove_prefix(about + kAbout.size());
  return first_line(output);
}

std::string answer(const Attempt& attempt) {
  if (attempt.phase == Phase::kCommand) {
    return with_line(fmt::format("exit code {}", attempt.code.value_or(0)),
                     first_line(attempt.output));
  }
  if (!attempt.code) return std::string(first_line(attempt.output));
  return with_line(fmt::format("status {}", *attempt.code), first_line(attempt.body));
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSuccess:
      return "success";
    case Outcome::kWarning:
      return "warning";
    case Outcome::kFailure:
      return "failure";
    case Outcome::kUnknown:
      return "unknown";
  }
  return "unknown";
}

std::string short_time(Nanoseconds time) {
  const auto count = static_cast<double>(time.count());
  if (time < std::chrono::milliseconds{1}) return fmt::format("{:.3g} µs", count / 1e3);
  if (time < std::chrono::seconds{1}) return fmt::format("{:.3g} ms", count / 1e6);
  return fmt::format("{:.4g} s", count / 1e9);
}

std::string explain(const Attempt& attempt) {
  const std::string took = short_time(attempt.took);
  switch (attempt.cause) {
    case Cause::kNone:
      return fmt::format("answered in {}", took);
    case Cause::kAnswer:
      return answer(attempt);
    case Cause::kTimeout:
      return fmt::format("{} within {}", awaited(attempt.phase), took);
    case Cause::kRefused:
      return fmt::format("connect refused after {}", took);
    case Cause::kUnreachable:
      return fmt::format("unreachable after {}", took);
    case Cause::kClosed:
      return fmt::format("{} cut off after {}", step(attempt.phase), took);
    case Cause::kProtocol:
      return with_line(fmt::format("{} not understood after {}", step(attempt.phase), took),
                       detail(attempt.output));
    case Cause::kOurs:
      return with_line("the node itself ran short", first_line(attempt.output));
    case Cause::kOther:
      break;
  }
  const std::string_view text = detail(attempt.output);
  // Nothing was sent, or the text already explains it.
  if (attempt.phase == Phase::kTarget || attempt.phase == Phase::kDone) return std::string(text);
  return with_line(fmt::format("{} failed after {}", step(attempt.phase), took), text);
}

}  // namespace berth::probes
